"""A browser for a module's tests, and the page that its fixture `folder` holds."""

import pytest

from tests.browser import chromium, watched_page


@pytest.fixture(scope="module")
def started():
    with chromium() as started:
        yield started


@pytest.fixture
def page(started, folder):
    """The page opened from a file, with no state in its address."""
    with watched_page(started, height=1400) as page:
        page.goto((folder / "page.html").as_uri())
        yield page
