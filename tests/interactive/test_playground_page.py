"""The playground in a real browser, in a page without a kernel and without a network."""

import csv
import json
import math

import pytest

from condensation_lab.interactive import Playground
from condensation_lab.publish.browser import served
from tests.browser import watched_page
from tests.interactive.static_page import write_page

pytestmark = pytest.mark.browser
COMMAND = "papermill in.ipynb out.ipynb -p gamma {gamma} -p gamma_prime {gamma_prime} -p width {width}"
NO_WORKER = "window.Worker = class { constructor() { throw new Error('not allowed'); } }"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    write_page(folder, Playground(command=COMMAND))
    return folder


@pytest.fixture
def piece(page):
    return found(page)


def found(page):
    piece = page.locator(".condensation-playground")
    piece.evaluate("(root) => root.condensationPlayground.ready")
    return piece


def call(piece, act):
    return piece.evaluate(f"(root) => root.condensationPlayground.{act}")


def move(piece, **wanted):
    return call(piece, f"move({json.dumps(wanted)})")


def trained(piece, seconds=0.6):
    """Play for a while, stop, and give what is shown."""
    call(piece, "play()")
    piece.page.wait_for_timeout(1000 * seconds)
    call(piece, "stop()")
    call(piece, "settle()")
    return state(piece)


def state(piece):
    return call(piece, "state()")


def drawn(piece):
    """Everything that the figures show: numbers, and the paths made of them."""
    paths = "[...root.querySelectorAll('.moving-panel path')].map((path) => path.getAttribute('d'))"
    shown = piece.evaluate(f"(root) => JSON.stringify([root.condensationPlayground.shown(), {paths}])")
    numbers, lines = json.loads(shown)
    return {**numbers, "run": 0}, lines


def test_it_trains_with_mouse_alone_and_says_what_came_out(piece):
    assert piece.locator(".told").inner_text().startswith("Not trained yet")
    piece.locator("select[name=speed]").select_option("as fast as it goes")
    piece.get_by_role("button", name="Play").click()
    piece.get_by_text("The target is fitted, and training has ended.").wait_for()
    assert state(piece)["stop"] == "reached"
    assert piece.get_by_role("button", name="Play").count()  # it pauses by itself
    neurons = call(piece, "shown()")["share"]
    assert neurons > 0.9  # condensed at gamma = 1.75
    piece.get_by_role("button", name="Reset").click()
    piece.get_by_text("Not trained yet").wait_for()
    piece.get_by_role("button", name="Step").click()
    piece.get_by_text("After 1 step the loss").wait_for()
    assert state(piece)["steps"] == 1


def test_a_link_opens_exactly_what_its_sender_saw(started, folder, piece):
    move(piece, activation="tanh", optimiser="adam", width=70, gamma=0.8, gamma_prime=-0.3, keep=0.9, seed=3)
    move(piece, target="three-waves", speed="most")
    steps = trained(piece)["steps"]
    assert steps > 100
    piece.page.wait_for_timeout(400)
    address = piece.page.url
    assert f"step:{steps}" in address
    with watched_page(started, height=1400) as other:
        other.goto(address)
        again = found(other)
        call(again, "settle()")
        assert state(again) == state(piece)
        assert drawn(again) == drawn(piece)


def test_an_unmoved_page_keeps_its_address(piece):
    piece.page.wait_for_timeout(500)
    assert "#" not in piece.page.url


@pytest.mark.parametrize(
    ("fragment", "said"),
    [
        ("playground=9;gamma:1", "a state of version 9"),
        ("playground=1;gamma:99", "γ = 99 is not allowed: it must be a number from 0 to 4."),
        ("playground=1;constructor:1", "There is no setting “constructor”."),
        ("playground=1;target:own", "no points for it"),
        ("playground=1;gamma", "is no field with a value"),
    ],
)
def test_a_broken_link_opens_the_usual_start_and_says_why(started, folder, fragment, said):
    with watched_page(started) as page:
        page.goto(f"{(folder / 'page.html').as_uri()}#{fragment}")
        piece = found(page)
        note = piece.locator(".note").first.inner_text()
        assert note.startswith("This link could not be opened as it was meant.")
        assert said in note
        assert state(piece)["gamma"] == 1.75


def corner(piece, across, up):
    """A point of the first figure's frame, in pixels of the page."""
    box = piece.locator("svg").first.bounding_box()
    return box["x"] + box["width"] * (52 + 292 * across) / 360, box["y"] + box["height"] * (208 - 182 * up) / 250


def test_the_network_fits_a_target_drawn_with_the_mouse(page, piece):
    piece.locator("select[name=target]").select_option("own")
    piece.get_by_text("Draw at least two points").wait_for()
    piece.get_by_role("button", name="Play").click()
    piece.get_by_text("Draw at least two points first.").wait_for()
    piece.locator("svg").first.scroll_into_view_if_needed()
    page.mouse.move(*corner(piece, 0.05, 0.5))
    page.mouse.down()
    for part in range(1, 31):
        page.mouse.move(*corner(piece, 0.05 + 0.9 * part / 30, 0.5 + 0.3 * math.sin(part / 4)))
    page.mouse.up()
    points = state(piece)["points"]
    assert 20 <= len(points) <= 25
    heights = [y for _, y in sorted(points)]
    assert max(heights) > 0.5
    assert min(heights) < -0.5
    move(piece, optimiser="adam", rate=0.01, gamma=1, speed="most")
    assert not piece.locator(".note").first.inner_text()
    trained(piece, 4)
    shown = call(piece, "shown()")
    assert shown["loss"] < 0.01 * shown["square"]


def test_a_target_is_drawn_with_the_keyboard_alone(page, piece):
    piece.locator("select[name=target]").select_option("own")
    sheet = piece.locator("svg").first
    sheet.focus()
    for key in ("ArrowUp", "ArrowUp", "ArrowRight", "ArrowRight", "ArrowDown", "ArrowDown", "ArrowLeft", "ArrowUp"):
        page.keyboard.press(key)
    assert sorted(state(piece)["points"]) == [[0, 0.05], [0.083, 0], [0.167, -0.05]]
    assert piece.locator(".own-target .note").inner_text() == "x = 0.083: y = 0."
    page.keyboard.press("Delete")
    assert len(state(piece)["points"]) == 2
    call(piece, "settle()")
    assert call(piece, "shown()")["step"] == 0


def test_an_emptied_sheet_settles_while_an_answer_is_out(piece):
    move(piece, target="own", points=[[0, 0], [1, 1]], speed="most")
    for _ in range(20):
        call(piece, "play()")
        move(piece, points=[])  # waits until it has settled
        assert call(piece, "shown()") is None
        move(piece, points=[[0, 0], [1, 1]])


def test_points_are_pasted_shown_as_text_and_refused_by_name(piece):
    piece.locator("select[name=target]").select_option("own")
    paste = piece.get_by_label("Points to paste")
    paste.fill("0, 1\n2, x")
    piece.get_by_role("button", name="Use these points").click()
    piece.get_by_text("“2, x” is no point").wait_for()
    assert state(piece)["points"] == []
    paste.fill("-3, 1\n2, 0.5\n4 -1e2")
    piece.get_by_role("button", name="Use these points").click()
    assert state(piece)["points"] == [[-3, 1], [2, 0.5], [4, -100]]
    piece.get_by_role("button", name="Show mine as text").click()
    assert paste.input_value() == "-3, 1\n2, 0.5\n4, -100"
    piece.get_by_role("button", name="Clear").click()
    assert state(piece)["points"] == []


def test_a_run_that_diverges_says_so_and_what_is_safe(piece):
    move(piece, gamma=0.5, rate=50, speed="most")
    trained(piece, 0.3)
    assert state(piece)["stop"] == "diverged"
    assert "The run diverged after" in piece.locator(".told").inner_text()
    assert "is safe at the start" in piece.locator(".told").inner_text()
    piece.locator("input[name=rate]").fill("")  # the safe one
    assert trained(piece, 0.3)["stop"] != "diverged"


def test_a_bad_value_is_refused_beside_its_field_and_the_last_run_stays(piece):
    before = state(piece)
    field = piece.locator("input[name=width]")
    field.fill("5000")
    fault = field.locator("xpath=../../*[@role='alert']")
    assert fault.inner_text() == "width m = 5000 is not allowed: it must be a whole number from 1 to 1,000."
    assert field.get_attribute("aria-invalid") is not None
    assert state(piece) == before
    field.fill("50")
    assert fault.inner_text() == ""
    assert state(piece)["width"] == 50


def test_another_piece_sends_a_point(page, piece):
    send = "(detail) => document.dispatchEvent(new CustomEvent('condensation-place', { detail }))"
    page.evaluate(send, {"gamma": 0.5, "gamma_prime": -0.25, "width": 200})  # meant for an atlas
    assert state(piece)["gamma"] == 1.75
    page.evaluate(send, {"gamma": 0.5, "gamma_prime": -0.25, "width": 200, "target": "playground"})
    assert {name: state(piece)[name] for name in ("gamma", "gamma_prime", "width", "playing")} == {
        "gamma": 0.5,
        "gamma_prime": -0.25,
        "width": 200,
        "playing": True,
    }
    page.evaluate(send, {"gamma": 7, "gamma_prime": 0, "width": 40000, "target": "playground"})
    assert (state(piece)["gamma"], state(piece)["width"]) == (4, 1000)
    assert "γ = 7, width m = 40,000: beyond what trains here" in piece.locator(".note").first.inner_text()


def test_without_a_worker_the_page_itself_trains_the_same(started, folder, piece):
    move(piece, seed=5)
    call(piece, "step()")
    call(piece, "settle()")
    with watched_page(started, height=1400) as page:
        page.add_init_script(NO_WORKER)
        page.goto((folder / "page.html").as_uri())
        other = found(page)
        move(other, seed=5, speed="most")
        call(other, "step()")
        call(other, "settle()")
        assert drawn(other) == drawn(piece)
        assert trained(other)["steps"] > 100


def test_link_code_command_and_numbers_can_be_taken_away(started, folder):
    with served(folder) as site, watched_page(started) as page:
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.goto(f"{site}/page.html")
        piece = found(page)
        copied = {}
        for name in ("link", "command", "Python"):
            piece.get_by_role("button", name=f"Copy {name}").click()
            piece.get_by_text(f"The {name} is copied.").wait_for()
            copied[name] = page.evaluate("navigator.clipboard.readText()")
        assert copied["link"] == (
            f"{site}/page.html#playground=1;gamma:1.75;gamma_prime:0;width:100;seed:0;target:parabola"
        )
        assert copied["command"].endswith("-p gamma 1.75 -p gamma_prime 0 -p width 100")
        assert 'PAPER_TARGETS["parabola"]' in copied["Python"]
        with page.expect_download() as download:
            piece.get_by_role("button", name="CSV").click()
        rows = list(csv.reader(download.value.path().read_text("utf-8").splitlines()))
        assert ["-0.5", "0.25"] in rows
        with page.expect_download() as download:
            piece.get_by_role("button", name="SVG").click()
        assert "kinks" in download.value.path().read_text("utf-8")


def test_on_a_phone_in_the_dark_all_of_it_is_there_and_named(page, piece):
    page.set_viewport_size({"width": 390, "height": 800})
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    page.wait_for_function("document.querySelector('.condensation-playground').style.colorScheme === 'dark'")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    for control in piece.locator("input, select, textarea").all():
        name = "(one) => one.labels[0]?.textContent || one.getAttribute('aria-label')"
        assert control.evaluate(name)
    for figure in piece.locator("svg").all():
        assert "Not trained yet" in figure.get_attribute("aria-label")


def test_reduced_motion_draws_once_a_second(started, folder):
    with watched_page(started, height=1400) as page:
        page.emulate_media(reduced_motion="reduce")
        page.goto((folder / "page.html").as_uri())
        piece = found(page)
        move(piece, gamma=0.7, target="three-waves", speed="most")
        call(piece, "play()")
        seen = set()
        for _ in range(20):
            seen.add(piece.locator(".counter").inner_text())
            page.wait_for_timeout(50)
        assert len(seen) <= 4
        assert state(piece)["steps"] > 100  # it trained meanwhile
        assert state(piece)["playing"]
