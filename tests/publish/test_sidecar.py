"""Large buffers leave the page for files beside it, and the check finds them there."""

import base64
import json

import numpy as np
import pytest

from condensation_lab.publish.sidecar import FOLDER, INLINE_LIMIT, set_aside, weight, whole
from condensation_lab.publish.slices import atlases_of

SMALL, LARGE = (np.random.default_rng(0).random(size, "f4").tobytes() for size in (75, 12_500))


def saved(*contents):
    buffers = [
        {"path": ["_bytes"], "encoding": "base64", "data": base64.b64encode(content).decode()} for content in contents
    ]
    variable = {"dims": ["x"], "shape": [12_500], "dtype": "float32", "start": 0}
    variable |= {"scale": 1, "offset": 0, "missing": None}
    state = {"_declaration": {"variables": {"z": variable}}, "note": "</script>"}
    models = {str(place): {"state": state, "buffers": [buffer]} for place, buffer in enumerate(buffers)}
    return json.dumps({"state": models})


@pytest.fixture
def site(tmp_path):
    """A site and its page, whose first widget is heavy and twice there, and whose last is light."""
    state = set_aside(saved(LARGE, LARGE, SMALL), tmp_path / FOLDER)
    view = '<script type="application/vnd.jupyter.widget-view+json">{"model_id": "0"}</script>'
    return tmp_path, f'{view}<script type="application/vnd.jupyter.widget-state+json">{state}</script>'


def test_only_large_buffers_go_and_equal_ones_share_a_file(site):
    folder, html = site
    assert len(html) < INLINE_LIMIT
    (file,) = (folder / FOLDER).iterdir()
    assert weight(html, folder) == file.stat().st_size
    assert html.count("</script>") == 2  # those of the view and of the state, and no text that ends one


def test_the_check_finds_the_numbers_beside_the_page(site):
    folder, html = site
    problems = []
    (atlas,) = atlases_of(whole(html, folder, problems))
    np.testing.assert_array_equal(atlas["data"]["z"], np.frombuffer(LARGE, "<f4").astype(float))
    assert problems == []


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda file: file.unlink(), "missing"),
        (lambda file: file.write_text(file.read_text().replace("A", "B", 1)), "damaged"),
    ],
)
def test_a_missing_or_damaged_file_is_a_problem(site, damage, said):
    folder, html = site
    (file,) = (folder / FOLDER).iterdir()
    damage(file)
    problems = []
    assert atlases_of(whole(html, folder, problems)) == []
    assert len(problems) == 2  # two widgets need it
    assert file.name in problems[0]
    assert said in problems[0]
