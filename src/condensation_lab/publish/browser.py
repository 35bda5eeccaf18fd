"""A real browser in front of the finished site, with every other host cut off."""

from __future__ import annotations

import functools
import http.server
import os
import shutil
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from condensation_lab.publish.project import PublishError

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

OVERRIDE = "CONDENSATION_LAB_BROWSER"
_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
_MAC = Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
_QUIET = (
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)


class NoBrowserError(PublishError):
    """No browser was found to look at the pages with."""


def find_browser() -> str:
    """Find a Chromium: the one that a variable names, one on the system, or the one that playwright installed.

    Raises:
        NoBrowserError: There is none; the message says how to get one.
    """
    if named := os.environ.get(OVERRIDE):
        if not Path(named).is_file():
            raise NoBrowserError(f"{OVERRIDE} names {named!r}, which is no file.")
        return named
    installed = [shutil.which(name) for name in _NAMES] + [str(_MAC), _of_playwright()]
    for path in installed:
        if path and Path(path).is_file():
            return path
    raise NoBrowserError(
        "No browser to check the pages with: install Chromium (Debian: `apt install chromium`; elsewhere: "
        f"`{Path(sys.executable).parent / 'playwright'} install chromium`), or name one in {OVERRIDE}."
    )


@contextmanager
def browser() -> Iterator[Browser]:
    """Start a headless browser that resolves no host name.

    Raises:
        NoBrowserError: There is none.
    """
    path = find_browser()
    from playwright.sync_api import sync_playwright

    # Chromium refuses its sandbox to root, which containers and CI run as; the pages under test are our own.
    root = ("--no-sandbox",) if hasattr(os, "geteuid") and os.geteuid() == 0 else ()
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=[*_QUIET, *root, "--disable-gpu"])
        try:
            yield started
        finally:
            started.close()


@contextmanager
def served(site: Path) -> Iterator[str]:
    """Serve a folder on a free port of this machine; yields its address, without a slash at the end."""
    handler = functools.partial(_Silent, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


@dataclass
class Visit:
    """One page in one setting, and what went on while it was open.

    Args:
        page: The page, loaded.
        other_hosts: Addresses elsewhere that it asked for; all were refused.
        errors: What its console reported as an error, and requests that failed.
        files: Files of the site that it loaded, relative to the site.
    """

    page: Page
    other_hosts: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    files: set[str] = field(default_factory=set)


@contextmanager
def visit(
    started: Browser, site: str, path: str, *, width: int = 1280, dark: bool = False, **options: Any
) -> Iterator[Visit]:
    """Open a page with the network cut off, and watch it.

    Args:
        started: The browser.
        site: Address of the site, `http://127.0.0.1:...` or `file://...`, without a slash at the end.
        path: Path of the page below it.
        width: Width of the window in pixels.
        dark: Whether the reader prefers dark pages.
        options: Further options of playwright's `new_context`, such as `java_script_enabled`.
    """
    scheme: Any = "dark" if dark else "light"
    context = started.new_context(color_scheme=scheme, viewport={"width": width, "height": 900}, **options)
    seen = Visit(context.new_page())

    def watch(route: Any) -> None:
        url = route.request.url
        if url.startswith(f"{site}/"):
            seen.files.add(unquote(urlsplit(url.removeprefix(f"{site}/")).path))
            route.continue_()
        elif url.startswith(("blob:", "data:")):
            route.continue_()
        else:
            seen.other_hosts.append(url)
            route.abort()

    context.route("**/*", watch)
    seen.page.on("console", lambda said: seen.errors.append(said.text) if said.type == "error" else None)
    seen.page.on("pageerror", lambda error: seen.errors.append(str(error)))
    seen.page.on("response", lambda got: seen.errors.append(f"{got.status} {got.url}") if got.status >= 400 else None)
    try:
        seen.page.goto(f"{site}/{path}")
        yield seen
    finally:
        context.close()


class _Silent(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: the check reports what matters."""


def _of_playwright() -> str | None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        return str(playwright.chromium.executable_path)
