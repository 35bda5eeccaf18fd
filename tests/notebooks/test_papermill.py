"""Plain papermill: good values run, bad ones end with one sentence and a non-zero exit code."""

import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from condensation_lab import studies

ROOT = Path(__file__).parents[2]

TINY = (
    "gamma = 0.5\nwidth = [8, 16]\nseed = 0\nexact = False",
    """\
from typing import Annotated
from pydantic import Field
from condensation_lab import StudySettings
class Settings(StudySettings):
    gamma: float = Field(0.5, ge=0, le=3)
    width: tuple[Annotated[int, Field(ge=1, le=40_000)], ...] = Field((8, 16), min_length=1)
    seed: int = Field(0, ge=0)
    exact: bool = False
settings = Settings.from_notebook(globals())
print(settings)""",
)
GOOD = {
    "-p gamma 1e-3 -p exact false": "gamma=0.001 width=(8, 16) seed=0 exact=False",
    "-p width [1e2,3] -p seed 1e3": "gamma=0.5 width=(100, 3) seed=1000 exact=False",
    "-y {gamma:\\ 1e-1,width:\\ [4]}": "gamma=0.1 width=(4,) seed=0 exact=False",
}
BAD = {
    "-p gama 1": "There is no setting 'gama'; did you mean 'gamma'?",
    "-p gamma fast": "gamma = 'fast' is not allowed: it must be a finite number from 0 to 3.",
    "-p gamma 9": "gamma = 9 is not allowed: it must be a finite number from 0 to 3.",
    "-p gamma nan": "gamma = nan is not allowed: it must be a finite number from 0 to 3.",
    "-p gamma true": "gamma = 'true' is not allowed: it must be a finite number from 0 to 3.",
    "-p gamma none": "gamma = 'none' is not allowed: it must be a finite number from 0 to 3.",
    "-y {width:\\ []}": "width = [] is not allowed: it must be a list of at least 1 value, each a whole number",
    "-p width 0": "width = 0 is not allowed: it must be a list of at least 1 value, each a whole number",
    "-y {width:\\ [0]}": "width = [0] is not allowed: it must be a list of at least 1 value, each a whole number",
    "-p width wide": "width = 'wide' is not allowed: it must be a list of at least 1 value, each a whole number",
    "-y {width:\\ {a:\\ 1}}": "width = {'a': 1} is not allowed: it must be a list of at least 1 value",
    "-p seed -1": "seed = -1 is not allowed: it must be a whole number at least 0.",
    "-p seed 1.5": "seed = 1.5 is not allowed: it must be a whole number at least 0.",
    "-p exact perhaps": "exact = 'perhaps' is not allowed: it must be true or false.",
}


def words(line: str) -> list[str]:
    return [word.replace("\\ ", " ") for word in re.split(r"(?<!\\) ", line)]


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Exit code, error text and first printed line of papermill for each line of options, two at a time."""
    folder = tmp_path_factory.mktemp("papermill")
    first, second = (new_code_cell(source) for source in TINY)
    first.metadata["tags"] = ["parameters"]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(new_notebook(cells=[first, second], metadata={"kernelspec": kernel}), folder / "tiny.ipynb")

    def papermill(numbered):
        number, line = numbered
        out = folder / f"out{number}.ipynb"
        command = [sys.executable, "-m", "papermill", "tiny.ipynb", out.name, "--no-progress-bar", *words(line)]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)
        outputs = nbformat.read(out, as_version=4).cells[-1].get("outputs", [])
        return line, (done.returncode, done.stderr, "".join(output.get("text", "") for output in outputs))

    with ThreadPoolExecutor(2) as pool:
        return dict(pool.map(papermill, enumerate([*GOOD, *BAD])))


@pytest.mark.slow
@pytest.mark.parametrize("line", GOOD)
def test_good_values_run(runs, line):
    code, said, printed = runs[line]
    assert code == 0, said
    assert printed.strip() == GOOD[line]


@pytest.mark.slow
@pytest.mark.parametrize("line", BAD)
def test_a_bad_value_ends_with_one_sentence_and_a_non_zero_exit_code(runs, line):
    code, said, _ = runs[line]
    assert code != 0
    last = said.strip().splitlines()[-1]
    assert last.startswith("SettingsError: ")
    assert BAD[line] in last
    assert "condensation_lab/" not in said  # no frame of the library, only papermill's own


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted((ROOT / "notebooks").glob("*.ipynb")), ids=lambda path: path.stem)
def test_every_notebook_of_the_book_refuses_a_misspelt_setting(path, tmp_path):
    name = next(iter(studies.find(path.stem).Settings.model_fields))
    command = [sys.executable, "-m", "papermill", str(path), str(tmp_path / "out.ipynb"), "-p", f"{name}s", "1"]
    done = subprocess.run(command, cwd=path.parent, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode != 0
    assert done.stderr.strip().endswith(f"There is no setting '{name}s'; did you mean '{name}'?")
