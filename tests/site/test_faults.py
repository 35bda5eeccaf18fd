"""The check can fail: each fault put into a copy of the miniature is found."""

import json
import shutil

import pytest

from condensation_lab.publish.check import check
from condensation_lab.publish.project import Project

pytestmark = [pytest.mark.slow, pytest.mark.browser]

WIDE = '<div style="width: 2000px; height: 1px"></div>'
ELSEWHERE = '<img src="https://elsewhere.example/pixel.png" alt="">'
THROWS = '<script>throw new Error("a script that throws")</script>'
NAMELESS = '<button type="button"></button>'
NOWHERE = '<a href="#nowhere">link</a>'


@pytest.fixture(scope="module")
def problems(project, tmp_path_factory):
    """What the check says of a copy with faults in all of its pages."""
    root = tmp_path_factory.mktemp("faults") / "copy"
    shutil.copytree(project.root, root)
    copy = Project(root)
    replace(copy, "book/intro", "</article>", f"{ELSEWHERE}{THROWS}{NAMELESS}</article>")
    replace(copy, "book/scoreboard", "</article>", f"{WIDE}{NOWHERE}</article>")
    # Numbers that are none, a wrong decoding of the atlas's numbers, a slider that answers to nothing.
    replace(copy, "notebooks/miniature", '"z":[[-1.0,0.0,1.0],[-1.0,-0.2,0.5]]', '"z":[[null,null,null]]')
    replace(copy, "notebooks/miniature", "raw * variable.scale", "raw * 1.01 * variable.scale")
    replace(copy, "notebooks/miniature", "() => move({ [dim]: input.valueAsNumber })", "() => {}")
    return check(copy)["problems"]


def replace(project, page, old, new):
    file = project.site / f"{page}.html"
    text = file.read_text("utf-8")
    assert old in text, f"{page} no longer holds {old!r}"
    file.write_text(text.replace(old, new, 1), "utf-8")


@pytest.mark.parametrize(
    "said",
    [
        "book/intro: light: asks another host for https://elsewhere.example/pixel.png",
        "book/intro: file: asks another host for https://elsewhere.example/pixel.png",
        "book/intro: dark: console error: a script that throws",
        "book/intro: light: button-name (critical) on 1 elements",
        "book/scoreboard: 390: the page must be scrolled sideways",
        "book/scoreboard: the link #nowhere leads nowhere",
        "notebooks/miniature: light: the figure 'Map' is empty",
        "notebooks/miniature: light: atlas 1 at the start: view 1, trace 0 draws another z",
        "notebooks/miniature: file: the slider gamma of atlas 1 does not move",
    ],
)
def test_fault_is_found(problems, said):
    assert any(problem.startswith(said) for problem in problems), json.dumps(problems, indent=1)
