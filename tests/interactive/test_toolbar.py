"""The row of buttons, the table behind a figure and the state in the URL, in a page without a kernel."""

import base64
import csv
import io
import json
from pathlib import Path

import pytest

from condensation_lab.interactive.atlas import one_module
from condensation_lab.publish.browser import served
from tests.browser import chromium, watched_page

pytestmark = pytest.mark.browser
HERE = Path(__file__).parents[2] / "src" / "condensation_lab" / "interactive"

SCRIPT = """
const state = urlState("piece", 1);
window.state = state;
const svg = document.querySelector("svg");
const table = { caption: "Loss", columns: ["step", "loss"], rows: [[0, 1 / 3], [1, NaN]] };
const root = document.querySelector(".condensation-piece");
root.append(
  dataTable(table), dataTable({ ...table, rows: Array.from({ length: 300 }, (_, n) => [n, -n / 7]) }, 50),
  toolbar({
    name: "piece", link: () => state.link({ seed: 3 }), command: () => "papermill -p seed 3", python: () => null,
    tables: () => [table], figures: () => [{ title: "A drawing", box: svg }],
  }),
);
"""

PIXELS = """async (png) => {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  const at = (x, y) => [...context.getImageData(x, y, 1, 1).data].slice(0, 3);
  return [[image.width, image.height], at(90, 60), at(5, 5)];
}"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("page")
    module = one_module("host.js", "fragment.js", "toolbar.js")
    (folder / "page.html").write_text(
        f"""<!doctype html><html lang="en"><meta charset="utf-8"><title>Piece</title><link rel="icon" href="data:,">
        <style>{(HERE / "shared.css").read_text("utf-8")} .dot {{ fill: rgb(213, 94, 0); }}</style>
        <section class="condensation-piece"><svg width="90" height="60"><circle class="dot" cx="45" cy="30" r="20" />
        </svg></section><script>window.condensationLab = {{ whenNear() {{}} }};</script>
        <script>(() => {{ {module} {SCRIPT} }})();</script></html>""",
        encoding="utf-8",
    )
    return folder


@pytest.fixture(scope="module")
def started():
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def address(folder):
    with served(folder) as running:
        yield f"{running}/page.html"


@pytest.fixture
def page(started, address):
    with watched_page(started, width=390) as page:
        page.goto(address)
        yield page


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def saved(page, name):
    with page.expect_download() as download:
        press(page, name)
    return download.value.suggested_filename, Path(download.value.path()).read_bytes()


def test_a_button_for_each_thing_that_there_is(page):
    assert page.get_by_role("button").all_inner_texts() == ["Copy link", "Copy command", "CSV", "PNG", "SVG"]
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_copies_and_says_so(page, address):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    press(page, "Copy link")
    page.get_by_text("The link is copied.").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == f"{address}#piece=1;seed:3"


def test_where_the_clipboard_is_refused_the_text_is_selected(page):
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('no')); }")
    press(page, "Copy command")
    page.get_by_text("press Ctrl+C").wait_for()
    assert page.evaluate("document.getSelection().toString() || document.activeElement.value") == "papermill -p seed 3"


def test_numbers_are_saved_in_full(page):
    name, content = saved(page, "CSV")
    rows = list(csv.reader(io.StringIO(content.decode())))
    assert name == "piece.csv"
    assert rows == [["# Loss"], ["step", "loss"], ["0", "0.3333333333333333"], ["1", ""]]


def test_pictures_keep_the_page_s_colours(page):
    name, content = saved(page, "PNG")
    assert name == "piece.png"
    size, middle, corner = page.evaluate(PIXELS, base64.b64encode(content).decode())
    assert (size, middle, corner) == ([180, 120], [213, 94, 0], [255, 255, 255])
    name, content = saved(page, "SVG")
    assert name == "piece.svg"
    assert b"rgb(213, 94, 0)" in content


def test_tables_show_four_digits_and_say_what_they_leave_out(page):
    short, long = (table.inner_text() for table in page.get_by_role("table").all())
    assert "0.3333" in short
    assert "–" in short
    assert "Loss (the first 50 of 300 rows; the CSV has all)" in long
    assert "−7" in long
    assert page.get_by_role("table").nth(1).locator("tbody tr").count() == 50


@pytest.mark.parametrize("over", ["http", "file"])
def test_state_goes_into_the_url_without_history_and_another_link_is_followed(started, folder, address, over):
    start = address if over == "http" else (folder / "page.html").as_uri()
    with watched_page(started) as page:
        page.goto(f"{start}#other=2;a:1&piece=1;seed:5")
        assert page.evaluate("state.opened") == {"fields": {"seed": "5"}}
        before = page.evaluate("history.length")
        page.evaluate("state.write({ seed: 6 }); state.write({ seed: 7 })")
        page.wait_for_function("location.hash === '#other=2;a:1&piece=1;seed:7'")
        assert page.evaluate("history.length") == before
        page.evaluate("() => void state.follow((opened) => { window.followed = opened; })")
        page.evaluate("location.hash = '#piece=9'")
        page.wait_for_function("window.followed")
        assert "version 9" in json.dumps(page.evaluate("window.followed"))
