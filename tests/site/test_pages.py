"""How the miniature's pages behave in front of a reader: lazy figures, themes, paper, files, no scripts, phones."""

import json
import re

import pytest

from condensation_lab.plot import OKABE_ITO
from condensation_lab.publish import look
from condensation_lab.publish.browser import served, visit

pytestmark = [pytest.mark.slow, pytest.mark.browser]

STUDY = "notebooks/miniature.html"


@pytest.fixture(scope="module")
def address(project):
    with served(project.site) as running:
        yield running


@pytest.fixture
def study(chromium, address):
    with visit(chromium, address, STUDY) as seen:
        yield seen.page


def drawn_figures(page):
    return page.evaluate("[...document.querySelectorAll('.book-figure[data-drawn]')].map((box) => box.id)")


def line_colours(page):
    return page.evaluate("document.querySelector('#fig-1 .js-plotly-plot')._fullData.map(({ line }) => line.color)")


def text_colour(page):
    return page.evaluate("window.condensationLab.theme().text")


def test_a_figure_is_drawn_when_it_comes_near_and_not_before(study):
    study.wait_for_function("document.querySelector('.condensation-atlas .plot')?.data")
    assert "fig-2" not in drawn_figures(study)
    study.locator("#fig-2").scroll_into_view_if_needed()
    study.wait_for_selector("#fig-2[data-drawn]")


def test_all_figures_share_one_plotly(study):
    assert look.wait_until_drawn(study)
    assert study.locator("script[src*=plotly]").count() == 1


def test_no_figure_offers_to_send_itself_to_another_host(study):
    assert look.wait_until_drawn(study)
    names = study.locator("#fig-1 .modebar-btn").evaluate_all("(all) => all.map((one) => one.dataset.title)")
    assert names == ["Download plot as a PNG", "Zoom in", "Zoom out", "Reset axes"]
    assert study.evaluate("document.querySelector('#fig-1 .js-plotly-plot')._context.plotlyServerURL") == ""


def test_what_the_keyboard_reaches_shows_that_it_is_reached(study):
    assert look.wait_until_drawn(study)
    stops = set()
    for _ in range(200):
        study.keyboard.press("Tab")
        name, outline = study.evaluate(
            "() => [document.activeElement.outerHTML.slice(0, 150), getComputedStyle(document.activeElement).outline]"
        )
        if "<body" in name:
            break
        stops.add(name)
        assert not {"none", "0px"} & set(outline.split()), name
    assert len(stops) > 20


def test_figures_and_atlas_follow_the_theme(study):
    assert look.wait_until_drawn(study)
    light = line_colours(study)
    assert light == [text_colour(study), OKABE_ITO[1]]
    atlas = "document.querySelector('.condensation-atlas .plot').layout.font.color"
    light_atlas = study.evaluate(atlas)
    study.evaluate("document.documentElement.dataset.theme = 'dark'")
    study.wait_for_function(f"{atlas} !== '{light_atlas}'")
    study.wait_for_function(
        f"document.querySelector('#fig-1 .js-plotly-plot')._fullData[0].line.color !== '{light[0]}'"
    )
    dark = line_colours(study)
    assert dark == [text_colour(study), study.evaluate("window.condensationLab.theme().colorway[1]")]
    assert dark[0] == study.evaluate(atlas)
    assert dark[1] != light[1]


def test_a_reader_who_prefers_dark_gets_dark_with_readable_results(chromium, address):
    with visit(chromium, address, STUDY, dark=True) as seen:
        assert look.wait_until_drawn(seen.page)
        background = "getComputedStyle(document.querySelector('{}')).backgroundColor"
        assert seen.page.evaluate(background.format("body")) == "rgb(20, 24, 29)"
        # The theme would put results on a light panel.
        assert seen.page.evaluate(background.format(".cell_output .text_html")) == "rgba(0, 0, 0, 0)"


def test_printing_draws_and_unfolds_everything_in_the_light_theme_and_goes_back(chromium, address):
    with visit(chromium, address, STUDY, dark=True) as seen:
        seen.page.wait_for_function("document.querySelector('.condensation-atlas .plot').data")
        assert "fig-2" not in drawn_figures(seen.page)
        seen.page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
        seen.page.wait_for_selector("#fig-2[data-drawn]")
        assert seen.page.evaluate("document.documentElement.dataset.theme") == "light"
        assert seen.page.locator("details.sd-dropdown").get_by_text("It falls.").is_visible()
        seen.page.evaluate("window.dispatchEvent(new Event('afterprint'))")
        assert seen.page.evaluate("document.documentElement.dataset.theme") == "dark"
        assert not seen.page.get_by_text("It falls.").is_visible()


def test_files_opened_without_a_server_are_drawn_too(chromium, project):
    with visit(chromium, project.site.as_uri(), STUDY) as seen:
        assert look.wait_until_drawn(seen.page)
        assert all(figure["full"] for figure in look.figures(seen.page))
        assert (seen.errors, seen.other_hosts) == ([], [])


def test_the_front_door_leads_to_the_first_page(chromium, project):
    with visit(chromium, project.site.as_uri(), "index.html") as seen:
        seen.page.wait_for_url("**/book/intro.html")
        assert seen.page.locator("article h1").inner_text().startswith("Miniature")


def test_without_scripts_the_page_says_what_is_missing_and_shows_the_rest(chromium, address):
    with visit(chromium, address, STUDY, java_script_enabled=False) as seen:
        text = seen.page.locator("article").inner_text()
        assert "Figures and sliders need JavaScript" in text
        assert re.search(r"A line that falls\.\s+Drawing this figure needs JavaScript\.", text)
        assert "live figure, which needs JavaScript" in text
        assert "\\(" not in text
        formula = seen.page.locator("mjx-container").first  # x squared, with MathML for screen readers
        assert formula.bounding_box()["width"] > 10
        assert formula.locator("math msup mn").text_content() == "2"
        assert "✓ reproduced" in text


def test_icons_of_the_theme_are_there_without_the_two_thousand_others(study, project):
    assert (project.site / "_static" / "scripts" / "fontawesome.js").stat().st_size < 100
    fonts = list((project.site / "_static" / "vendor" / "fontawesome").rglob("*.*"))
    assert {font.suffix for font in fonts} == {".ttf"}
    assert sum(font.stat().st_size for font in fonts) < 40_000
    icons = study.evaluate("""() => document.fonts.ready.then(() => [...document.querySelectorAll("[class*='fa-']")]
      .filter((icon) => icon.offsetWidth)
      .map((icon) => [icon.className, getComputedStyle(icon, "::before").content]))""")
    assert len(icons) >= 8
    # An icon without a rule of its own has no content; one without a glyph would be drawn as wide as a missing sign.
    assert [icon for icon in icons if not re.fullmatch(r'"."', icon[1])] == []
    assert study.evaluate("document.fonts.check('900 16px \"Font Awesome 6 Free\"')")


def test_on_a_phone_each_claim_is_a_card_that_fits(chromium, address):
    with visit(chromium, address, STUDY, width=390) as seen:
        widths = seen.page.evaluate(
            "[...document.querySelectorAll('table.claims tbody td')].map((cell) => cell.clientWidth)"
        )
        assert len(widths) == 12
        assert max(widths) <= 390
        label = "getComputedStyle(document.querySelector('table.claims td:nth-child(3)'), '::before').content"
        assert json.loads(seen.page.evaluate(label)) == "Measured"


def test_a_figure_that_cannot_be_drawn_says_so(chromium, address):
    with visit(chromium, address, "book/intro.html") as seen:
        seen.page.evaluate("""async () => {
          const box = document.createElement("div");
          box.className = "book-figure";
          box.innerHTML = '<div class="book-figure-plot"></div><script type="application/json">{broken</' + 'script>';
          document.querySelector("article").prepend(box);
          document.documentElement.dataset.theme = "dark";
          box.dataset.drawn = "true";
          document.documentElement.dataset.theme = "light";
        }""")
        seen.page.wait_for_function("document.querySelector('.book-figure-plot').textContent !== ''")
        assert "This figure could not be drawn" in seen.page.locator(".book-figure-plot").inner_text()
        assert seen.errors
