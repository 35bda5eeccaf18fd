"""The atlas in a real browser, in a page without a kernel."""

import numpy as np
import pytest

from condensation_lab.publish.browser import served
from tests.browser import chromium, watched_page
from tests.interactive.example import decoded, example_atlas, example_dataset
from tests.interactive.static_page import drawn_after, ready, write_page

pytestmark = pytest.mark.browser
MAP, FIT, NEURONS, DISTANCE = range(4)


@pytest.fixture(scope="module")
def data():
    return decoded(example_dataset())


@pytest.fixture(scope="module")
def folder(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("site")
    write_page(folder, example_atlas(data))
    return folder


@pytest.fixture(scope="module")
def started():
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def page(started, folder):
    """The page opened from a file, as a reader without a server has it."""
    with watched_page(started) as page:
        page.goto((folder / "page.html").as_uri())
        yield page


@pytest.fixture
def atlas(page):
    page.set_viewport_size({"width": 1000, "height": 900})
    page.evaluate("document.documentElement.dataset.theme = 'light'")
    atlas = ready(page)
    atlas.evaluate("(root) => root.condensationAtlas.move({ gamma: 6, gamma_prime: 5, width: 2 })")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return atlas


def drawn(atlas, view, trace, name):
    values = f"root.condensationAtlas.drawn({view})[{trace}].{name}"
    plain = f"(root) => Array.from({values}, (value) => value.length ? [...value] : value)"
    return np.array(atlas.evaluate(plain), dtype=float)


def state(atlas):
    return atlas.evaluate("(root) => root.condensationAtlas.state()")


def assert_all_drawn(atlas, data):
    """Every view shows the dataset's slice at the controls."""
    position = state(atlas)
    at, along = data.isel(position), data.isel(gamma=position["gamma"], gamma_prime=position["gamma_prime"])
    close = {"rtol": 1e-5, "atol": 1e-6}
    np.testing.assert_allclose(drawn(atlas, MAP, 0, "z"), data["slope_w"].transpose("gamma_prime", "gamma"), **close)
    np.testing.assert_allclose(drawn(atlas, FIT, 0, "y"), at["fit"], **close)
    np.testing.assert_allclose(drawn(atlas, FIT, 1, "y"), data["sample_y"], **close)
    np.testing.assert_allclose(drawn(atlas, NEURONS, 0, "y"), at["initial_amplitude"], **close)
    np.testing.assert_allclose(drawn(atlas, NEURONS, 1, "x"), at["orientation"], **close)
    np.testing.assert_allclose(drawn(atlas, NEURONS, 1, "y"), at["amplitude"], **close)
    distance = along["relative_distance_w"]
    np.testing.assert_allclose(
        drawn(atlas, DISTANCE, 0, "y"), distance.transpose("seed", "width").values.ravel(), **close
    )
    logs = np.log(distance.transpose("width", "seed"))
    slope, constant = np.polyfit(np.log(data["width"]), logs.mean("seed"), 1)
    line = np.exp(constant) * data["width"][[0, -1]] ** slope
    np.testing.assert_allclose(drawn(atlas, DISTANCE, 1, "y"), line, rtol=1e-5)
    said = atlas.locator("figcaption .said").nth(DISTANCE).inner_text().strip()
    assert said.startswith("(slope of the trend of seeds: ")
    assert float(said.split(": ")[1].rstrip(")").replace("−", "-")) == pytest.approx(slope, abs=2e-3)
    cursor = atlas.evaluate("(root) => root.querySelectorAll('.plot')[0].layout.shapes[1]")
    assert (cursor["xanchor"], cursor["yanchor"]) == (
        data["gamma"][position["gamma"]],
        data["gamma_prime"][position["gamma_prime"]],
    )
    mark = atlas.evaluate(f"(root) => root.querySelectorAll('.plot')[{DISTANCE}].layout.shapes[0].x0")
    assert mark == data["width"][position["width"]]


@pytest.mark.parametrize("name", ["gamma", "gamma_prime", "width"])
def test_a_slider_moved_by_keyboard_draws_that_slice(atlas, data, name):
    before = state(atlas)
    line = "(root) => root.querySelectorAll('.plot')[1].querySelector('.lines path').getAttribute('d')"
    shown = atlas.evaluate(line)
    atlas.locator(f"input[name={name}]").press("ArrowRight")
    drawn_after(atlas, "root.condensationAtlas.move({ gamma: 3 })")
    assert state(atlas) == {**before, name: before[name] + 1, "gamma": 3}
    assert_all_drawn(atlas, data)
    assert atlas.evaluate(line) != shown


def test_a_fast_drag_ends_where_it_was_let_go(atlas, data):
    marks = """(root) => [...root.querySelectorAll('.plot')].map((plot) => [...plot.querySelectorAll('.trace path')]
        .map((path) => path.getAttribute('transform') ?? path.getAttribute('d')))"""
    calm = "root.condensationAtlas.move({ gamma: 12, gamma_prime: 2, width: 3 })"
    drawn_after(atlas, calm)
    at_rest = atlas.evaluate(marks)
    atlas.evaluate(
        """async (root) => {
            for (let step = 0; step < 40; step++) {
                root.condensationAtlas.move({ gamma: step % 15, gamma_prime: step % 11, width: step % 5 });
                if (step % 3) await new Promise(requestAnimationFrame);
            }
        }"""
    )
    assert atlas.evaluate(marks) != at_rest
    drawn_after(atlas, calm)
    atlas.page.wait_for_timeout(200)
    assert atlas.evaluate(marks) == at_rest
    assert_all_drawn(atlas, data)


def test_the_map_is_a_pad_for_click_drag_and_arrow_keys(atlas, page, data):
    area = atlas.locator(".plot .nsewdrag").first.bounding_box()

    def at(column, row):
        return area["x"] + area["width"] * (column + 0.5) / 15, area["y"] + area["height"] * (10.5 - row) / 11

    page.mouse.click(*at(2, 9))
    assert (state(atlas)["gamma"], state(atlas)["gamma_prime"]) == (2, 9)
    page.mouse.move(*at(4, 4))
    page.mouse.down()
    page.mouse.move(*at(13, 1), steps=5)
    page.mouse.up()
    assert (state(atlas)["gamma"], state(atlas)["gamma_prime"]) == (13, 1)
    page.mouse.move(*at(5, 5))
    for key in ("ArrowRight", "ArrowRight", "ArrowUp", "ArrowDown", "ArrowDown"):
        page.keyboard.press(key)
    assert (state(atlas)["gamma"], state(atlas)["gamma_prime"]) == (14, 0)  # and no further than the edge
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert atlas.locator("input[name=gamma]").input_value() == "14"
    assert_all_drawn(atlas, data)


def test_values_and_sentence_say_where_the_reader_is(atlas, data):
    drawn_after(atlas, "root.condensationAtlas.move({ gamma: 14, gamma_prime: 3, width: 4 })")
    assert atlas.locator("output").all_inner_texts() == ["1.8", "−0.2", "40,000"]
    assert atlas.locator("input[name=gamma_prime]").get_attribute("aria-valuetext") == "−0.2"
    told = atlas.locator("[aria-live=polite]")
    slope = float(data["slope_w"].isel(gamma=14, gamma_prime=3))
    assert f"to the power {slope:.3g}: it grows, the condensed regime." in told.inner_text()
    assert (
        atlas.locator(".source").inner_text() == "Stored run from the atlas: preset paper, commit abc1234, 2026-11-28."
    )
    for control in atlas.locator("input, [role=application]").all():
        assert control.evaluate("(one) => one.labels?.[0].textContent || one.getAttribute('aria-label')")


def test_numbers_behind_a_figure_can_be_read(atlas, data):
    atlas.locator("summary").nth(FIT).click()
    drawn_after(atlas, "root.condensationAtlas.move({ gamma: 1 })")
    cells = atlas.locator("figure").nth(FIT).locator("table").first.locator("td:last-child").all_inner_texts()
    shown = [float(cell.replace("−", "-")) for cell in cells]
    np.testing.assert_allclose(shown, data["fit"].isel(gamma=1, gamma_prime=5, width=2), rtol=1e-3, atol=1e-5)
    atlas.locator("summary").nth(FIT).click()


def test_a_hidden_series_stays_hidden_and_the_theme_is_followed(atlas, page):
    plot = atlas.locator(".plot").nth(NEURONS)
    plot.locator(".legendtoggle").first.click()
    page.wait_for_function(f"() => document.querySelectorAll('.plot')[{NEURONS}]._fullData[0].visible === 'legendonly'")
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    colour = "(plot) => [plot.layout.font.color, plot.data[1].marker.color, plot._fullData[0].visible]"
    page.wait_for_function("() => document.querySelector('.condensation-atlas').style.colorScheme === 'dark'")
    dark = plot.evaluate(colour)
    drawn_after(atlas, "root.condensationAtlas.move({ gamma: 2 })")
    assert plot.evaluate(colour) == dark
    page.evaluate("document.documentElement.dataset.theme = 'light'")
    page.wait_for_function("() => document.querySelector('.condensation-atlas').style.colorScheme === 'light'")
    light = plot.evaluate(colour)
    assert light[0] != dark[0]
    assert light[1] != dark[1]
    assert light[2] == dark[2] == "legendonly"
    plot.locator(".legendtoggle").first.click()


def test_on_a_phone_the_views_stack_and_nothing_is_cut_off(atlas, page):
    tops = (
        "(root) => [...root.querySelectorAll('figure')].map((figure) => Math.round(figure.getBoundingClientRect().top))"
    )
    wide = atlas.evaluate(tops)
    assert wide[0] == wide[1] < wide[2] == wide[3]
    page.set_viewport_size({"width": 390, "height": 800})
    assert atlas.evaluate(tops) == sorted(set(atlas.evaluate(tops)))
    fits = "[...document.querySelectorAll('.plot')].every((box) => box._fullLayout.width === box.offsetWidth)"
    page.wait_for_function(fits, timeout=10_000)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_figures_are_drawn_only_when_they_come_into_view(started, tmp_path, data):
    write_page(tmp_path, example_atlas(data), above=4000)
    with served(tmp_path) as site, watched_page(started) as page:
        page.goto(f"{site}/page.html")
        page.wait_for_timeout(500)
        assert page.evaluate("[window.Plotly, document.querySelector('.main-svg')]") == [None, None]
        page.mouse.wheel(0, 4000)
        page.locator(".condensation-atlas").wait_for()
        assert_all_drawn(ready(page), data)


def test_without_plotly_the_page_says_so(started, folder):
    page = started.new_page()
    page.route("**/plotly.min.js", lambda route: route.abort())
    page.goto((folder / "page.html").as_uri())
    alert = page.locator(".condensation-atlas [role=alert]")
    assert alert.inner_text() == "The figures cannot be drawn: the plotly file of this site did not load."
    assert page.locator("output").first.inner_text() == "1"
    page.close()
