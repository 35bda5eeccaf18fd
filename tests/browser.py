"""A page in the system's browser for tests, cut off from every host but this machine."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page

from condensation_lab.publish.browser import NoBrowserError, browser, find_browser


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start the browser; without one the test is skipped, and under CI=true it fails. One at a time."""
    try:
        find_browser()
    except NoBrowserError as none:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(str(none))
    with browser() as started:
        yield started


@contextmanager
def watched_page(started: Browser, width: int = 1000, height: int = 900) -> Iterator[Page]:
    """A page; its errors, console errors and requests to other hosts fail the test at the end."""
    troubles: list[str] = []

    def note(url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme in ("http", "https", "ws", "wss") and parts.hostname != "127.0.0.1":
            troubles.append(f"asked another host: {url}")

    page = started.new_page(viewport={"width": width, "height": height})
    page.on("pageerror", lambda error: troubles.append(f"error: {error}"))
    page.on("console", lambda message: troubles.append(message.text) if message.type == "error" else None)
    page.on("request", lambda request: note(request.url))
    page.on("websocket", lambda socket: note(socket.url))
    yield page
    page.close()
    assert not troubles


@contextmanager
def offline_page(width: int = 1000, height: int = 900) -> Iterator[Page]:
    """A watched page in a browser of its own."""
    with chromium() as started, watched_page(started, width, height) as page:
        yield page
