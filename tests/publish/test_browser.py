"""Without a browser the message says how to get one."""

import pytest

from condensation_lab.publish import browser
from condensation_lab.publish.browser import NoBrowserError, find_browser


@pytest.fixture
def bare(monkeypatch, tmp_path):
    """A system without any browser."""
    monkeypatch.delenv(browser.OVERRIDE, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(browser, "_MAC", tmp_path / "none")
    monkeypatch.setattr(browser, "_of_playwright", lambda: str(tmp_path / "none"))
    return tmp_path


def test_no_browser_is_one_sentence_that_names_how_to_get_one(bare):
    with pytest.raises(NoBrowserError, match=r"apt install chromium.*playwright install chromium.*BROWSER") as caught:
        find_browser()
    assert "\n" not in str(caught.value)


def test_a_named_browser_comes_first(bare, monkeypatch):
    named = bare / "my-browser"
    named.write_text("")
    monkeypatch.setenv(browser.OVERRIDE, str(named))
    assert find_browser() == str(named)


def test_a_named_browser_that_is_not_there_is_refused(bare, monkeypatch):
    monkeypatch.setenv(browser.OVERRIDE, "/nowhere/chrome")
    with pytest.raises(NoBrowserError, match="CONDENSATION_LAB_BROWSER names '/nowhere/chrome', which is no file"):
        find_browser()


def test_a_browser_on_the_path_is_found(bare):
    (bare / "chromium").write_text("")
    (bare / "chromium").chmod(0o755)
    assert find_browser() == str(bare / "chromium")


def test_the_one_of_playwright_is_the_last_resort(bare, monkeypatch):
    mine = bare / "chrome-of-playwright"
    mine.write_text("")
    monkeypatch.setattr(browser, "_of_playwright", lambda: str(mine))
    assert find_browser() == str(mine)
