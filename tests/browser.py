"""A page in the system's browser for tests, cut off from every host but this machine."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page

from condensation_lab.publish.browser import NoBrowserError, browser, find_browser


@contextmanager
def offline_page(width: int = 1000, height: int = 900, **options: object) -> Iterator[Page]:
    """A page; its errors, console errors and requests to other hosts fail the test at the end.

    Without a browser the test is skipped, and under CI=true it fails.
    """
    try:
        find_browser()
    except NoBrowserError as none:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(str(none))
    troubles: list[str] = []

    def note_request(url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme in ("http", "https", "ws", "wss") and parts.hostname != "127.0.0.1":
            troubles.append(f"asked another host: {url}")

    with browser() as started:
        page = started.new_page(viewport={"width": width, "height": height}, **options)
        page.on("pageerror", lambda error: troubles.append(f"error: {error}"))
        page.on("console", lambda message: troubles.append(message.text) if message.type == "error" else None)
        page.on("request", lambda request: note_request(request.url))
        page.on("websocket", lambda socket: note_request(socket.url))
        yield page
    assert not troubles
