"""The host runs an anywidget from its saved state, with the model that the widget would have in a notebook."""

import base64
import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from condensation_lab.publish.browser import visit
from condensation_lab.publish.sidecar import set_aside

pytestmark = pytest.mark.browser

WEB = Path(__file__).parents[2] / "book" / "web"

COUNTER = """
export default {
  initialize({ model }) {
    model.initialised = (model.initialised ?? 0) + 1;
  },
  render({ model, el, signal }) {
    const bytes = model.get("nested")[0].bytes;
    const show = () => {
      el.textContent = [model.get("count"), model.initialised, bytes.getUint8(1), bytes.constructor.name,
        model.widget_manager === undefined, signal instanceof AbortSignal].join(" ");
    };
    model.on("change:count", show);
    el.more = () => { model.set("count", model.get("count") + 1); model.save_changes(); };
    el.again = () => model.set("count", model.get("count"));
    el.leave = () => model.off("change:count", show);
    model.on("change", () => { window.changes = (window.changes ?? 0) + 1; });
    model.send({ type: "ping" });
    show();
  },
};
"""
WEIGHT = "export default { render({ model, el }) { el.textContent = model.get('bytes').byteLength; } };"
HEAVY = np.random.default_rng(0).bytes(60_000)
FACTORY = 'export default () => ({ render({ el }) { el.textContent = "from a factory"; } });'
BROKEN = 'export default { render() { throw new Error("it is broken"); } };'


def anywidget(source, buffers=(), **traits):
    state = {"_esm": source, **traits}
    return {"model_name": "AnyModel", "model_module": "anywidget", "state": state, "buffers": list(buffers)}


@pytest.fixture
def open_page(chromium, tmp_path):
    """Open a page that shows the widgets of some ids, made of the host's scripts and a saved state alone."""
    for name in ("book.js", "widget-host.js"):
        shutil.copy(WEB / name, tmp_path / name)
    content = [{"path": ["nested", 0, "bytes"], "encoding": "base64", "data": base64.b64encode(b"\x01\x07").decode()}]
    heavy = [{"path": ["bytes"], "encoding": "base64", "data": base64.b64encode(HEAVY).decode()}]
    state = {
        "heavy": anywidget(WEIGHT, heavy),
        "counter": anywidget(COUNTER, content, count=1, nested=[{}], _css=".live-piece { color: rgb(1, 2, 3) }"),
        "factory": anywidget(FACTORY),
        "broken": anywidget(BROKEN),
        "slider": {"model_name": "IntSlider", "model_module": "@jupyter-widgets/controls", "state": {}},
    }
    visits = []

    def show(*ids, damage=None, above="", fragment="", **options):
        views = "".join(
            f'<script type="application/vnd.jupyter.widget-view+json">{json.dumps({"model_id": key})}</script>'
            for key in ids
        )
        saved = set_aside(json.dumps({"version_major": 2, "version_minor": 0, "state": state}), tmp_path / "data")
        if damage:
            damage(*(tmp_path / "data").iterdir())
        (tmp_path / "page.html").write_text(
            '<!DOCTYPE html><html data-theme="light"><head><script defer src="book.js"></script>'
            f'<script defer src="widget-host.js"></script></head><body>{above}{views}'
            f'<script type="application/vnd.jupyter.widget-state+json">{saved}</script></body></html>'
        )
        opened = visit(chromium, tmp_path.as_uri(), f"page.html{fragment}", **options)
        visits.append(opened)
        seen = opened.__enter__()
        expected = sum(key in state and key != "slider" for key in ids)
        if above and not fragment:
            return seen
        seen.page.wait_for_function(
            f"[...document.querySelectorAll('.live-piece')].filter((el) => el.textContent).length === {expected}"
        )
        return seen

    yield show
    for opened in visits:
        opened.__exit__(None, None, None)


def texts(seen):
    return seen.page.locator(".live-piece").all_inner_texts()


def test_traits_and_binary_buffers_arrive_and_no_kernel_is_pretended(open_page):
    seen = open_page("counter")
    assert texts(seen) == ["1 1 7 DataView true true"]
    assert seen.errors == []


def test_two_views_share_one_model_that_is_initialised_once(open_page):
    seen = open_page("counter", "counter")
    seen.page.evaluate("document.querySelector('.live-piece').more()")
    assert texts(seen) == ["2 1 7 DataView true true"] * 2


def test_setting_the_same_value_tells_nobody_and_off_stops_listening(open_page):
    seen = open_page("counter")
    seen.page.evaluate("document.querySelector('.live-piece').again()")
    assert seen.page.evaluate("window.changes") is None
    seen.page.evaluate("(() => { const el = document.querySelector('.live-piece'); el.leave(); el.more(); })()")
    assert seen.page.evaluate("window.changes") == 1
    assert texts(seen) == ["1 1 7 DataView true true"]


def test_a_module_may_give_a_function_that_makes_the_widget(open_page):
    assert texts(open_page("factory")) == ["from a factory"]


def test_style_is_added_once(open_page):
    seen = open_page("counter", "counter")
    assert seen.page.locator("head style").count() == 1
    colour = seen.page.evaluate("getComputedStyle(document.querySelector('.live-piece')).color")
    assert colour == "rgb(1, 2, 3)"


def test_a_widget_that_throws_says_so_and_does_not_stop_the_others(open_page):
    seen = open_page("broken", "factory")
    assert texts(seen) == ["This live figure could not start: it is broken.", "from a factory"]
    assert len(seen.errors) == 1


def test_plain_ipywidgets_and_unknown_models_are_left_alone(open_page):
    seen = open_page("slider", "gone", "factory")
    assert texts(seen) == ["from a factory"]
    assert seen.errors == []


def test_numbers_beside_the_page_are_loaded(open_page):
    seen = open_page("heavy", "heavy")
    assert texts(seen) == ["60000", "60000"]
    assert len([file for file in seen.files if file.startswith("data/")]) == 1
    assert seen.errors == []


def test_a_page_that_does_not_show_them_does_not_load_them(open_page):
    assert not any(file.startswith("data/") for file in open_page("counter").files)


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda file: file.unlink(), "missing"),
        (lambda file: file.write_text(file.read_text()[:50_000]), "damaged"),
        (lambda file: file.write_text(file.read_text().replace("A", "B", 1)), "damaged"),
        (lambda file: file.write_text(file.read_text().replace('");', '*");')), "damaged"),
    ],
    ids=["missing", "cut off", "another number", "no base64"],
)
def test_missing_or_damaged_numbers_are_said_and_do_not_stop_the_others(open_page, tmp_path, damage, said):
    seen = open_page("heavy", "factory", damage=damage)
    first, second = texts(seen)
    assert first.startswith("This live figure could not start: its numbers, the file data/")
    assert first.endswith(f".js beside this page, are {said}.")
    assert second == "from a factory"


FAR = '<div style="height: 5000px"></div>'


def test_a_piece_starts_when_it_comes_near_or_another_asks_for_it(open_page):
    seen = open_page("counter", above=FAR)
    seen.page.wait_for_timeout(300)
    assert texts(seen) == [""]
    seen.page.evaluate("window.condensationLab.arriveAll()")
    assert texts(seen) == ["1 1 7 DataView true true"]


def test_a_link_to_a_state_starts_pieces_that_are_far(open_page):
    assert texts(open_page("counter", above=FAR, fragment="#counter=1;count:4")) == ["1 1 7 DataView true true"]
    seen = open_page("counter", above=FAR)
    seen.page.evaluate("location.hash = 'an-anchor'")
    seen.page.wait_for_timeout(300)
    assert texts(seen) == [""]
    seen.page.evaluate("location.hash = 'counter=1;count:4'")
    seen.page.wait_for_function("document.querySelector('.live-piece').textContent")
