"""The command `condensation-lab`: run a study, make its atlas, make and show the book.

Heavy imports stand inside the commands, so that `condensation-lab --help` answers at once.
"""

from __future__ import annotations

import functools
import http.server
import itertools
import json
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from condensation_lab.settings import nearest

if TYPE_CHECKING:
    from condensation_lab.publish import Step

ATLAS_BYTES = 1_000_000  # an atlas travels in the repository and in the wheel


class CommandError(ValueError):
    """A command cannot do what it was asked; the message is one sentence."""


class _OneSentence(TyperGroup):
    """Errors of ours are for the user: one sentence and exit code 2. All others are bugs and keep their traceback."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except Exception as error:
            if not type(error).__module__.startswith("condensation_lab."):
                raise
            typer.echo(f"Error: {error}", err=True)
            raise typer.Exit(2) from error


class _WithPairs(TyperCommand):
    """A command whose `-p` takes a name and a value, like papermill's; typer has no lists of pairs: join them."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        words, joined = iter(args), list[str]()
        for word in words:
            joined.append(word)
            if word in {"-p", "--parameter"}:
                joined.append("=".join(itertools.islice(words, 2)))
        return super().parse_args(ctx, joined)


main = typer.Typer(
    cls=_OneSentence,
    help=__doc__.splitlines()[0] if __doc__ else None,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

Study = Annotated[str, typer.Argument(help="name of the study, such as two-layer-phase-diagram")]


@main.command(cls=_WithPairs)
def run(
    study: Study,
    preset: Annotated[str, typer.Option(help="settings to start from: quick or paper")] = "quick",
    parameters: Annotated[
        list[str] | None,
        typer.Option("-p", "--parameter", metavar="NAME VALUE", help="change one setting; may be repeated"),
    ] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="netCDF file for the results")] = None,
) -> None:
    """Run a study and print its claims."""
    module = _find(study)
    if bare := [pair for pair in parameters or [] if "=" not in pair]:
        raise CommandError(f"-p needs a name and a value, not only {bare[0]!r}.")
    changes = dict(pair.split("=", 1) for pair in parameters or [])
    settings = module.Settings.preset(preset).model_copy(update=changes)
    if output is not None and not output.resolve().parent.is_dir():  # say so before the run, not after it
        raise CommandError(f"The folder of {str(output)!r} does not exist.")
    data = module.run(settings)
    typer.echo(module.claims(data))
    if output is not None:
        from condensation_lab import results

        typer.echo(f"Saved {results.save(data, output)}.")


@main.command()
def atlas(study: Study) -> None:
    """Measure a study at paper scale and write its atlas into the package."""
    from condensation_lab import results

    module = _find(study)
    start = time.perf_counter()
    data = module.run(module.Settings.preset("paper"))
    typer.echo(module.claims(data))
    folder = results.PACKAGE / "atlases"
    folder.mkdir(exist_ok=True)  # git keeps no empty folder, and the first atlas must not be lost for it
    path = results.save(module.atlas(data), folder / f"{module.NAME.replace('-', '_')}.nc")
    size = path.stat().st_size
    typer.echo(f"Wrote {path}: {size / 1e6:.2f} MB in {time.perf_counter() - start:.0f} s.")
    if size > ATLAS_BYTES:
        raise CommandError(f"The atlas is larger than {ATLAS_BYTES / 1e6:g} MB; thin it or quantise it.")


@main.command()
def book(only: Annotated[str | None, typer.Option(metavar="STUDY", help="execute and show one study")] = None) -> None:
    """Execute the notebooks, build and check the site."""
    from condensation_lab import publish
    from condensation_lab.publish.project import Project

    def say(step: Step) -> None:
        typer.echo(f"{step.seconds:7.1f} s  {step.name}")

    steps = publish.book(only=only, on_step=say)
    typer.echo(f"{sum(step.seconds for step in steps):7.1f} s  in all")
    typer.echo(f"Open {Project.find().site / 'index.html'} in a browser, or serve it with `condensation-lab serve`.")


@main.command()
def serve(port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free one")] = 8000) -> None:
    """Show the built site on this machine only, at 127.0.0.1."""
    from condensation_lab.publish.project import Project

    site = Project.find().site
    if not (site / "index.html").is_file():
        raise CommandError("There is no site yet; `make book` or `condensation-lab book` makes it.")
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(site))
    try:
        server = http.server.ThreadingHTTPServer(("127.0.0.1", port), handler)
    except OSError as error:
        raise CommandError(f"Port {port} is taken ({error.strerror}); choose another with --port.") from error
    with server:
        typer.echo(f"http://127.0.0.1:{server.server_port}/  (Ctrl-C ends it)")
        server.serve_forever()


@main.command()
def notebooks() -> None:
    """Execute the notebooks and keep in them only the outputs that nbval compares."""
    from condensation_lab.publish.keep import keep_outputs
    from condensation_lab.publish.project import Project

    for notebook in Project.find().notebooks():
        typer.echo(f"{notebook.name}: {keep_outputs(notebook)} outputs kept")


@main.command()
def accept_claims(reason: Annotated[str, typer.Option(help="why the expected verdicts may change")]) -> None:
    """Make the verdicts of the last build the expected ones, with the reason."""
    from condensation_lab.claims import ClaimsTable, accept
    from condensation_lab.publish.project import Project

    project = Project.find()
    if not project.claims.is_file():
        raise CommandError("No claims have been measured yet; `condensation-lab book` measures them.")
    rows = ClaimsTable.from_json(project.claims.read_text("utf-8")).rows
    path = project.root / "tests" / "expected_claims.json"
    before = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    after = accept(rows, before, reason=reason, date=datetime.now(UTC).date().isoformat())
    path.write_text(json.dumps(after, indent=1, ensure_ascii=False) + "\n", "utf-8")
    typer.echo(f"{path.relative_to(project.root)} expects what the last build measured; commit it.")


def _find(study: str) -> Any:
    from condensation_lab import studies

    if study.replace("-", "_") not in (known := studies.names()):
        raise CommandError(f"There is no study {study!r}; {nearest(study, [name.replace('_', '-') for name in known])}")
    return studies.find(study)
