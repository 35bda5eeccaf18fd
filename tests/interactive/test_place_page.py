"""Place my initialisation in a real browser, in a page without a kernel."""

import csv
import json

import pytest

from condensation_lab.interactive import PlaceInitialisation
from condensation_lab.publish.browser import served
from tests.browser import watched_page
from tests.interactive.example import example_dataset
from tests.interactive.static_page import write_page

pytestmark = pytest.mark.browser
COMMAND = "papermill in.ipynb out.ipynb -p gamma {gamma} -p gamma_prime {gamma_prime} -p width {width}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    write_page(folder, PlaceInitialisation(stored=example_dataset(), command=COMMAND))
    return folder


@pytest.fixture
def piece(page):
    return found(page)


def found(page):
    piece = page.locator(".condensation-place")
    piece.evaluate("(root) => root.condensationPlace.ready")
    return piece


def state(piece):
    return piece.evaluate("(root) => root.condensationPlace.state()")


def marks(piece):
    """Pixels of the filled mark and the ring inside the figure."""
    return piece.evaluate(
        """(root) => Object.fromEntries([...root.querySelectorAll('.place-here, .place-limit')]
            .map((mark) => [mark.getAttribute('class'), ['cx', 'cy'].map((one) => Number(mark.getAttribute(one)))]))"""
    )


def test_by_keyboard_alone_a_scheme_and_a_width_are_entered(piece, page):
    assert state(piece) == {"scheme": "PyTorch default", "width": 1000, "inputs": 1}
    before = marks(piece)
    page.keyboard.press("Tab")
    page.keyboard.type("mean")
    assert state(piece)["scheme"] == "mean field"
    page.keyboard.press("Tab")
    page.keyboard.type("50")
    assert state(piece) == {"scheme": "mean field", "width": 50, "inputs": 1}
    page.keyboard.press("ArrowUp")
    assert state(piece)["width"] == 51
    told = piece.locator("[aria-live=polite]").inner_text()
    assert "mean field, m = 51: γ = 1, γ′ = 0, as at every width." in told
    assert "On the critical line" in told
    assert "Measured nearest, at γ = 1, γ′ = 0: slope" in told
    assert marks(piece)["place-here"] == pytest.approx(marks(piece)["place-limit"])
    assert marks(piece) != before


def test_constants_show_at_a_width_and_fade_in_the_limit(piece):
    piece.locator("select").select_option("He")
    near = marks(piece)
    assert near["place-here"][0] < near["place-limit"][0] - 10  # the 2 of He: gamma 0.4 at 1,000 neurons, then 0.5
    piece.locator("input[name=width]").fill("1000000000")
    far = marks(piece)
    assert far["place-limit"] == near["place-limit"]
    assert near["place-here"][0] + 5 < far["place-here"][0] < far["place-limit"][0]


def test_a_refused_value_is_named_beside_its_field_and_the_last_point_stays(piece):
    before = state(piece), marks(piece)
    width = piece.locator("input[name=width]")
    for value, said in (
        ("1", "= 1 is not"),
        ("2.5", "= 2.5 is not"),
        ("", "without a number is not"),
        ("1e30", "= 1e30 is"),
    ):
        width.fill(value)
        refusal = piece.locator("[role=alert]:visible")
        assert refusal.inner_text().startswith(f"width m {said}")
        assert "it must be a whole number from 2 to 1,000,000,000." in refusal.inner_text()
        assert width.get_attribute("aria-invalid") == "true"
        assert width.evaluate("(field) => document.getElementById(field.getAttribute('aria-describedby')).textContent")
        assert (state(piece), marks(piece)) == before
    width.fill("")
    width.press_sequentially("1e")  # no number yet, and the browser gives no text for it
    assert "width m = not a number is not allowed" in piece.locator("[role=alert]:visible").inner_text()
    width.press_sequentially("4")
    assert state(piece)["width"] == 10000
    assert not piece.locator("[role=alert]:visible").count()


def test_own_powers_and_numbers_have_fields_of_their_own(piece):
    piece.locator("select").select_option("own powers")
    visible = "(fields) => fields.filter((one) => one.offsetParent).map((one) => one.name)"
    assert piece.locator("input").evaluate_all(visible) == ["width", "p", "q", "r", "s_a", "s_w"]
    for name, value in (("q", "1"), ("s_a", "-1"), ("s_w", "1")):
        piece.locator(f"input[name={name}]").fill(value)
    assert "γ = 1, γ′ = 0, as at every width" in piece.locator(".told").inner_text()  # muP, spelled out
    piece.locator("input[name=p]").fill("3.5")  # the plane widens until the point is inside
    x, y = marks(piece)["place-here"]
    assert 40 < x < 352
    assert 8 < y < 262
    piece.locator("select").select_option("own numbers")
    assert piece.locator("input").evaluate_all(visible) == ["width", "alpha", "beta_1", "beta_2", "rate_a", "rate_w"]
    assert "place-limit" not in marks(piece)
    assert "One width gives no limit" in piece.locator(".told").inner_text()
    piece.locator("select").select_option("own powers")
    assert state(piece) == {"scheme": "own powers", "width": 1000, "p": 3.5, "q": 1, "r": 0, "s_a": -1, "s_w": 1}


def test_a_point_goes_to_the_map_and_to_the_playground(piece, page):
    page.evaluate("document.addEventListener('condensation-place', ({ detail }) => { window.asked = detail; })")
    page.evaluate(
        "for (const name of ['atlas', 'playground']) document.body.append(Object.assign("
        "document.createElement('section'), { className: `condensation-${name}` }))"
    )
    piece.get_by_role("button", name="Show it in the map").click()
    page.wait_for_function("window.asked")
    assert page.evaluate("window.asked") == {"gamma": 0.5, "gamma_prime": 0.5, "width": 1000}
    piece.get_by_role("button", name="Train it in the page").click()
    page.wait_for_function("window.asked.target")
    asked = page.evaluate("window.asked")
    assert asked["target"] == "playground"
    assert asked["gamma"] == pytest.approx(0.6590404182398876)
    page.evaluate("window.asked = null")
    piece.locator("select").select_option("own powers")
    piece.locator("input[name=p]").fill("4")
    piece.get_by_role("button", name="Show it in the map").click()
    assert piece.locator(".note").first.inner_text() == "γ = 4 is beyond the map, which runs from 0.4 to 1.8."
    assert page.evaluate("window.asked") is None


def test_a_page_without_a_map_says_so(piece):
    piece.get_by_role("button", name="Show it in the map").click()
    piece.get_by_text("There is no map in this page.").wait_for()


def test_a_link_opens_what_its_sender_saw(started, folder, piece, page):
    piece.locator("select").select_option("own powers")
    piece.locator("input[name=p]").fill("1.25")
    page.wait_for_url("**#place=1;scheme:own%20powers;width:1000;p:1.25;**")
    with watched_page(started) as other:
        other.goto(page.url)
        assert state(found(other)) == state(piece)
        assert marks(found(other)) == marks(piece)


@pytest.mark.parametrize(
    ("fragment", "said"),
    [
        ("place=1;scheme:Kaiming;width:9", "There is no scheme “Kaiming”."),
        ("place=1;scheme:He;width:1", "width m = 1 is not allowed"),
        ("place=1;scheme:He;depth:3", "There is no field “depth”."),
        ("place=1;scheme:He;width:NaN;inputs:5", "width m = NaN is not allowed"),
        ("place=7;scheme:He", "version 7"),
        ("place=1;scheme", "is no field with a value"),
        ("place=1;scheme:%E0%A4%A", "cannot be read"),
        ("place=1;toString:1", "There is no field “toString”."),
    ],
)
def test_a_broken_link_opens_the_usual_start_and_says_why(started, folder, fragment, said):
    with watched_page(started) as page:
        page.goto(f"{(folder / 'page.html').as_uri()}#{fragment}")
        piece = found(page)
        note = piece.locator(".note").first.inner_text()
        assert note.startswith("This link could not be opened as it was meant.")
        assert said in note
        assert state(piece) == {"scheme": "PyTorch default", "width": 1000, "inputs": 1}


def test_code_command_numbers_and_pictures_can_be_taken_away(started, folder):
    with served(folder) as site, watched_page(started) as page:
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.goto(f"{site}/page.html")
        piece = found(page)
        copied = {}
        for name in ("link", "command", "Python"):
            piece.get_by_role("button", name=f"Copy {name}").click()
            piece.get_by_text(f"The {name} is copied.").wait_for()
            copied[name] = page.evaluate("navigator.clipboard.readText()")
        assert copied["link"] == f"{site}/page.html#place=1;scheme:PyTorch%20default;width:1000;inputs:1"
        assert copied["command"].endswith("-p gamma 0.5 -p gamma_prime 0.5 -p width 1000")
        assert 'scheme = named_scheme("PyTorch default")' in copied["Python"]
        with page.expect_download() as download:
            piece.get_by_role("button", name="CSV").click()
        rows = {row[0]: row[1:] for row in csv.reader(download.value.path().read_text("utf-8").splitlines()) if row}
        assert float(rows["γ"][0]) == pytest.approx(0.6590404182398876)
        assert [float(value) for value in rows["γ′"]] == pytest.approx([0.5, 0.5])
        with page.expect_download() as download:
            piece.get_by_role("button", name="SVG").click()
        drawn = download.value.path().read_text("utf-8")
        assert "condensed" in drawn
        assert "url(#" in drawn


def test_on_a_phone_in_the_dark_all_of_it_is_there(page, piece):
    page.set_viewport_size({"width": 390, "height": 800})
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    page.wait_for_function("document.querySelector('.condensation-place').style.colorScheme === 'dark'")
    piece.locator("select").select_option("own powers")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    lefts = piece.locator("input:visible, select, svg").evaluate_all(
        "(all) => all.map((one) => one.getBoundingClientRect())"
    )
    assert all(one["left"] >= 0 and one["right"] <= 390 for one in lefts)
    colour = "(root) => getComputedStyle(root.querySelector('.place-hatch')).stroke"
    dark = piece.evaluate(colour)
    page.evaluate("document.documentElement.dataset.theme = 'light'")
    page.wait_for_function("document.querySelector('.condensation-place').style.colorScheme === 'light'")
    assert piece.evaluate(colour) != dark


def test_every_control_has_a_name_and_regions_differ_without_colour(piece):
    for control in piece.locator("input, select").all():
        assert control.evaluate("(one) => one.labels[0].textContent")
    fills = piece.locator("svg polygon").evaluate_all("(all) => all.map((one) => one.getAttribute('fill'))")
    assert len(set(fills)) == 2
    shapes = [piece.locator(f"svg pattern[id='{fill[5:-1]}'] > *").evaluate("(one) => one.tagName") for fill in fills]
    assert shapes == ["path", "circle"]
    assert json.dumps(piece.locator("svg").get_attribute("aria-label")).count("left of the boundary")
