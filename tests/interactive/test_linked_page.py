"""An atlas's state as a link, its legends, and the point that another piece names, in a real browser."""

import pytest

from condensation_lab.publish.browser import served
from tests.browser import chromium, watched_page
from tests.interactive.example import example_atlas, example_dataset
from tests.interactive.gallery import gallery_atlas, gallery_dataset
from tests.interactive.static_page import drawn_after, ready, write_page

pytestmark = pytest.mark.browser
NEURONS = 2

DRAWN = """(root) => {
  const plain = (values) => values && Array.from(values, (one) => one?.length ? plain(one) : one);
  return [...root.querySelectorAll(".plot")].map((_, view) => root.condensationAtlas.drawn(view)
    .map(({ name, visible, x, y, z }) => ({ name, seen: visible ?? true, x: plain(x), y: plain(y), z: plain(z) })));
}"""


@pytest.fixture(scope="module")
def started():
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Two pages: the phase diagram's atlas far down, and the gallery's."""
    folder = tmp_path_factory.mktemp("site")
    write_page(folder / "phase", example_atlas(example_dataset()), above=3000)
    write_page(folder / "gallery", gallery_atlas(gallery_dataset()))
    with served(folder) as address:
        yield address


@pytest.fixture
def page(started):
    with watched_page(started) as page:
        yield page


def opened(page, url):
    page.goto("about:blank")  # else a change of the fragment alone would load nothing
    page.goto(url)
    return ready(page)


def link_of(atlas):
    """The link that the button copies: the browser grants no clipboard to a test, so the field it shows is read."""
    atlas.page.evaluate("() => { navigator.clipboard.writeText = async () => { throw new Error('refused'); }; }")
    atlas.get_by_role("button", name="Copy link").click()
    return atlas.get_by_role("textbox", name="link").input_value()


MOVES = {
    "phase": "root.condensationAtlas.move({ gamma: 12, gamma_prime: 2, width: 4 })",
    "gallery": "root.condensationAtlas.move({ task: 2, epoch: 7, rate: 0, momentum: 3 })",
}


@pytest.mark.parametrize("which", MOVES)
def test_a_copied_link_opens_exactly_its_state(page, site, which):
    atlas = opened(page, f"{site}/{which}/page.html")
    start = atlas.evaluate(DRAWN)
    drawn_after(atlas, MOVES[which])
    hidden = {"phase": ["after", "theory"], "gallery": ["neurons"]}[which]
    for name in hidden:
        atlas.evaluate("(root, name) => root.condensationAtlas.hide(name, true)", name)
    shown, link = atlas.evaluate(DRAWN), link_of(atlas)
    assert shown != start
    page.wait_for_function("(link) => location.href === link", arg=link)  # the address bar says the same
    there = opened(page, link)
    assert there.evaluate(DRAWN) == shown
    assert there.evaluate("(root) => root.condensationAtlas.hidden().sort()") == hidden
    assert there.evaluate("(root) => Math.abs(root.getBoundingClientRect().top) < 300")
    assert there.locator(".note").first.inner_text() == ""


def test_a_link_opened_in_the_open_page_is_followed(page, site):
    atlas = opened(page, f"{site}/phase/page.html")
    page.evaluate("location.hash = '#atlas=1;gamma:0.4;gamma_prime:-0.5;width:1000;hidden:theory'")
    page.wait_for_function("() => document.querySelector('.condensation-atlas').condensationAtlas.state().gamma === 0")
    assert atlas.locator("output").all_inner_texts() == ["0.4", "−0.5", "1,000"]
    assert atlas.evaluate("(root) => root.condensationAtlas.hidden()") == ["theory"]
    page.evaluate("location.hash = '#atlas=1;gamma:0.5'")  # what it does not name stands at the start, shown
    page.wait_for_function("() => document.querySelector('.condensation-atlas').condensationAtlas.state().gamma === 1")
    assert atlas.locator("output").all_inner_texts() == ["0.5", "0", "10,000"]
    assert atlas.evaluate("(root) => root.condensationAtlas.hidden()") == []


@pytest.mark.parametrize(
    ("fragment", "said"),
    [
        ("atlas=1;gamma:1.23", "The link asks for gamma = 1.23, which is not on the grid: 15 values from 0.4 to 1.8."),
        ("atlas=1;gamma:1.2;delta:1", "The link names “delta”, and nothing here is called so."),
        ("atlas=7;gamma:1.2", "The link holds a state of version 7, and this page reads version 1."),
    ],
)
def test_a_link_that_does_not_fit_leaves_the_start_and_says_why(page, site, fragment, said):
    atlas = opened(page, f"{site}/phase/page.html#{fragment}")
    assert atlas.locator(".note").first.inner_text() == f"{said} The figures stand at their start."
    assert atlas.locator("output").all_inner_texts() == ["1", "0", "10,000"]


def test_a_name_hidden_in_one_view_is_hidden_in_all_while_moving_and_in_either_theme(page, site):
    atlas = opened(page, f"{site}/phase/page.html")
    # A second view with a series of the same name, as an atlas of before and after has it.
    atlas.evaluate("(root) => Plotly.addTraces(root.querySelectorAll('.plot')[1], { x: [0], y: [0], meta: 'before' })")
    both = """(root) => [[1, 2], [2, 0]].map(([view, trace]) => root.condensationAtlas.drawn(view)[trace].visible)"""
    atlas.locator(".plot").nth(NEURONS).locator(".legendtoggle").first.click()
    page.wait_for_function(f"() => ({both})(document.querySelector('.condensation-atlas'))[1] === 'legendonly'")
    assert atlas.evaluate(both) == ["legendonly", "legendonly"]
    drawn_after(atlas, "root.condensationAtlas.move({ gamma: 2 })")
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    page.wait_for_function("() => document.querySelector('.condensation-atlas').style.colorScheme === 'dark'")
    page.wait_for_timeout(200)
    assert atlas.evaluate("(root) => root.condensationAtlas.drawn(2)[0].visible") == "legendonly"
    assert atlas.evaluate("(root) => root.querySelectorAll('.plot')[2]._fullData[1].visible") is True


def test_what_is_drawn_can_be_chosen_by_keyboard(page, site):
    atlas = opened(page, f"{site}/phase/page.html")
    atlas.get_by_text("Choose what is drawn").press("Enter")
    box = atlas.get_by_role("checkbox", name="before")
    box.press("Space")
    page.wait_for_function(f"() => document.querySelectorAll('.plot')[{NEURONS}]._fullData[0].visible === 'legendonly'")
    assert not box.is_checked()
    box.press("Space")
    page.wait_for_function(f"() => document.querySelectorAll('.plot')[{NEURONS}]._fullData[0].visible === true")


def test_the_point_that_another_piece_names_is_shown(page, site):
    atlas = opened(page, f"{site}/phase/page.html")
    place = "(detail) => document.dispatchEvent(new CustomEvent('condensation-place', { detail }))"
    page.evaluate("window.scrollTo(0, 0)")
    page.evaluate(place, {"gamma": 0.52, "gamma_prime": 0.3, "width": 12000})
    assert atlas.locator("output").all_inner_texts() == ["0.5", "0.3", "10,000"]
    said = "γ = 0.52, m = 12,000: not on this grid; shown is the nearest point of it."
    assert atlas.locator(".note").first.inner_text() == said
    assert page.evaluate("scrollY") > 2000
    page.evaluate(place, {"gamma": 1.5, "gamma_prime": 0, "target": "playground"})
    assert atlas.locator("output").first.inner_text() == "0.5"
    page.evaluate(place, {"gamma": 1.5, "gamma_prime": 0})
    assert atlas.locator("output").first.inner_text() == "1.5"
    assert atlas.locator(".note").first.inner_text() == ""


def test_command_and_python_are_those_of_the_point(page, site):
    atlas = opened(page, f"{site}/gallery/page.html")
    page.evaluate("() => { window.kept = []; navigator.clipboard.writeText = async (text) => window.kept.push(text); }")
    drawn_after(atlas, MOVES["gallery"])
    atlas.get_by_role("button", name="Copy command").click()
    atlas.get_by_role("button", name="Copy Python").click()
    page.wait_for_function("() => window.kept.length === 2")
    command, code = page.evaluate("window.kept")
    assert command == "papermill notebooks/gallery.ipynb out.ipynb -p task 'add one' -p epoch 70"
    here = gallery_dataset()
    loaded = code.replace("import condensation_lab\n", "").replace('condensation_lab.load_atlas("gallery")', "stored")
    names = {"stored": here}
    exec(loaded, names)
    assert float(names["here"]["loss"][0]) == float(here["loss"].isel(rate=0, momentum=3)[0])
