"""Where the book's sources stand and where its builds go."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml


class PublishError(RuntimeError):
    """The book cannot be published as it is."""


@dataclass(frozen=True)
class Project:
    """The top level of the project, and the places below it that publishing uses.

    Args:
        root: Folder that holds `_config.yml` and `_toc.yml`.
    """

    root: Path

    @classmethod
    def find(cls, start: Path | None = None) -> Project:
        """Find the project that a folder or file lies in.

        Args:
            start: Where to begin; the working directory if None.

        Raises:
            PublishError: Neither there nor above it is a `_toc.yml`.
        """
        start = (start or Path.cwd()).resolve()
        for folder in (start, *start.parents):
            if (folder / "_toc.yml").exists():
                return cls(folder)
        raise PublishError(f"No _toc.yml in {start} or above it; go to the project's top level first.")

    @property
    def build(self) -> Path:
        """Folder of everything that is made and not committed."""
        return self.root / "_build"

    @property
    def executed(self) -> Path:
        """Executed notebooks."""
        return self.build / "executed"

    @property
    def stage(self) -> Path:
        """Mirror of the sources with executed notebooks, from which the pages are made."""
        return self.build / "stage"

    @property
    def site(self) -> Path:
        """The finished site."""
        return self.build / "site"

    @property
    def claims(self) -> Path:
        """Claims of the last build, as JSON."""
        return self.build / "claims.json"

    @functools.cached_property
    def config(self) -> dict[str, Any]:
        """Content of `_config.yml`."""
        return dict(yaml.safe_load((self.root / "_config.yml").read_text("utf-8")))

    def documents(self) -> list[str]:
        """Names of all pages in `_toc.yml`, in its order, without suffix: `book/intro`."""
        toc = yaml.safe_load((self.root / "_toc.yml").read_text("utf-8"))
        return [name.removesuffix(".md").removesuffix(".ipynb") for name in _files(toc)]

    def notebooks(self, only: str | None = None) -> list[Path]:
        """Notebooks among the pages.

        Args:
            only: A study's name, with hyphens or underscores; all notebooks if None.

        Raises:
            PublishError: There is no notebook of that name.
        """
        paths = [self.root / f"{name}.ipynb" for name in self.documents()]
        paths = [path for path in paths if path.exists()]
        if only is None:
            return paths
        chosen = [path for path in paths if path.stem == only.replace("_", "-")]
        if not chosen:
            known = ", ".join(path.stem for path in paths)
            raise PublishError(f"There is no notebook {only!r} in _toc.yml; there are: {known}.")
        return chosen


def launch_url(project: Project, notebook: str, service: str = "binder") -> str:
    """Address at which a hosted JupyterLab or Colab opens a notebook, from the addresses in `_config.yml`.

    Args:
        project: The project.
        notebook: Name of the notebook without folder and suffix: `two-layer-phase-diagram`.
        service: `binder` or `colab`.
    """
    repository, launch = project.config["repository"], project.config["launch_buttons"]
    owner_and_name = repository["url"].rstrip("/").removeprefix("https://github.com/")
    path = f"notebooks/{notebook}.ipynb"
    if service == "colab":
        return f"{launch['colab_url']}/github/{owner_and_name}/blob/{repository['branch']}/{path}"
    return f"{launch['binderhub_url']}/v2/gh/{owner_and_name}/{repository['branch']}?urlpath=lab/tree/{path}"


def _files(node: Any) -> list[str]:
    if isinstance(node, list):
        return [name for item in node for name in _files(item)]
    if isinstance(node, dict):
        here = [node[key] for key in ("root", "file") if key in node]
        return here + [name for value in node.values() for name in _files(value)]
    return []
