"""Every kind of view and control in a real browser, in a page without a kernel, against slices made in Python."""

import itertools
import json

import numpy as np
import pytest

from condensation_lab.publish.slices import atlases_of, differences, expected_traces
from tests.browser import chromium, watched_page
from tests.interactive.gallery import TASKS, gallery_atlas, gallery_dataset
from tests.interactive.static_page import drawn_after, ready, write_page

pytestmark = pytest.mark.browser
MATRIX, IMAGE, FIELD, CIRCLE, BARS, LOSS = range(6)


@pytest.fixture(scope="module")
def data():
    return gallery_dataset()


@pytest.fixture(scope="module")
def folder(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("site")
    write_page(folder, gallery_atlas(data))
    return folder


@pytest.fixture(scope="module")
def started():
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def page(started, folder):
    with watched_page(started) as page:
        page.goto((folder / "page.html").as_uri())
        yield page


@pytest.fixture
def atlas(page):
    atlas = ready(page)
    atlas.evaluate("(root) => root.condensationAtlas.move({ task: 0, epoch: 4, rate: 1, momentum: 1 })")
    settle(page)
    return atlas


def settle(page):
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def state(atlas):
    return atlas.evaluate("(root) => root.condensationAtlas.state()")


def drawn(atlas, view):
    return atlas.evaluate(
        """(root, view) => {
            const plain = (values) => values && Array.from(values, (one) => one?.length ? plain(one) : one);
            return root.condensationAtlas.drawn(view).map(({ x, y, z }) => ({ x: plain(x), y: plain(y), z: plain(z) }));
        }""",
        view,
    )


def faults(atlas, carried):
    return [
        f"view {view}: {said}"
        for view in range(6)
        for said in differences(drawn(atlas, view), expected_traces(carried, view, state(atlas)))
    ]


def test_every_view_draws_the_slice_at_every_position(atlas, folder, data):
    (carried,) = atlases_of((folder / "page.html").read_text("utf-8"))
    for task, epoch, rate in itertools.product((2, 0), (0, 10), (0, 2)):
        place = json.dumps({"task": task, "epoch": epoch, "rate": rate, "momentum": 3})
        drawn_after(atlas, f"root.condensationAtlas.move({place})")
        assert faults(atlas, carried) == []
    here = data.isel(state(atlas))
    np.testing.assert_allclose(drawn(atlas, MATRIX)[0]["z"], here["attention"], rtol=1e-3, atol=1e-7)  # float16
    np.testing.assert_allclose(drawn(atlas, BARS)[0]["y"], here["share"], rtol=1e-6)
    np.testing.assert_allclose(drawn(atlas, LOSS)[0]["y"], here["loss"], rtol=1e-6)


def test_the_circle_and_the_image_have_square_units(atlas):
    for view in (CIRCLE, IMAGE):
        units = atlas.evaluate(
            """(root, view) => {
                const { xaxis, yaxis } = root.querySelectorAll(".plot")[view]._fullLayout;
                return [xaxis, yaxis].map(({ _length, range }) => _length / (range[1] - range[0]));
            }""",
            view,
        )
        assert abs(units[0]) == pytest.approx(abs(units[1]), rel=1e-3)


def test_entries_of_a_matrix_are_written_and_its_sides_named(atlas, data):
    plot = atlas.locator(".plot").nth(MATRIX)
    assert plot.locator(".heatmap-label text").count() == 25
    assert plot.locator(".xtick text").all_text_contents() == [str(token) for token in data["key"].values]


def test_a_choice_is_native_and_leads(atlas):
    radios = atlas.get_by_role("group", name="task").get_by_role("radio")
    assert radios.count() == len(TASKS)
    atlas.get_by_role("radio", name="copy").press("ArrowRight")
    assert state(atlas)["task"] == 1
    assert atlas.get_by_role("radio", name="reverse").is_checked()


def test_a_scrubber_plays_to_its_end_and_stops(atlas, page):
    atlas.get_by_role("button", name="Play, training epoch").click()
    assert atlas.get_by_role("button", name="Pause, training epoch").count() == 1
    page.wait_for_function("() => document.querySelector('.condensation-atlas').condensationAtlas.state().epoch === 10")
    atlas.get_by_role("button", name="Play, training epoch").click()  # from the start again
    page.wait_for_function("() => document.querySelector('.condensation-atlas').condensationAtlas.state().epoch === 2")
    atlas.get_by_role("button", name="Pause, training epoch").click()
    here = state(atlas)["epoch"]
    page.wait_for_timeout(300)
    assert state(atlas)["epoch"] == here


def test_with_reduced_motion_a_scrubber_goes_one_point_at_a_time(atlas, page):
    page.emulate_media(reduced_motion="reduce")
    atlas.get_by_role("button", name="Next, training epoch").click()
    page.wait_for_timeout(300)
    assert state(atlas)["epoch"] == 5
    page.emulate_media(reduced_motion="no-preference")
    atlas.get_by_role("button", name="Play, training epoch").wait_for()


def test_a_pad_is_moved_by_pointer_and_arrow_keys(atlas, page):
    pad = atlas.get_by_role("application", name="learning rate and momentum; arrow keys move the point")
    box = pad.bounding_box()
    page.mouse.click(box["x"] + box["width"] - 4, box["y"] + 4)
    assert (state(atlas)["rate"], state(atlas)["momentum"]) == (2, 3)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowDown")
    assert (state(atlas)["rate"], state(atlas)["momentum"]) == (1, 2)
    assert atlas.locator("input[name=rate]").get_attribute("aria-valuetext") == "0.1"


def test_a_point_without_value_is_said_with_its_reason(atlas):
    notes = atlas.locator(".gap:visible")
    assert notes.count() == 0
    drawn_after(atlas, "root.condensationAtlas.move({ task: 2, epoch: 8 })")
    assert notes.all_inner_texts() == ["No value here (the run ended: diverged)."]
    assert "a share of no value (the run ended: diverged) is left" in atlas.locator(".told").inner_text()
    assert "The runs ended: diverged; seeds 11, 12." in atlas.locator(".source").inner_text()
    drawn_after(atlas, "root.condensationAtlas.move({ epoch: 6 })")
    assert "The runs ended: converged (1 of 2), diverged (1 of 2)" in atlas.locator(".source").inner_text()


def test_an_axis_that_follows_fits_what_is_drawn(atlas, data):
    def span():
        return atlas.evaluate("(root) => root.querySelectorAll('.plot')[5]._fullLayout.yaxis.range")

    before = span()
    drawn_after(atlas, "root.condensationAtlas.move({ rate: 0, momentum: 0 })")
    loss = np.log10(data["loss"].isel(rate=0, momentum=0))
    room = 0.05 * float(loss.max() - loss.min())
    assert span() == pytest.approx([float(loss.min()) - room, float(loss.max()) + room], rel=1e-4)
    assert span() != before
