"""Check the finished site as its readers will meet it, and write down what was found.

Everything is looked at twice: as files (pages, weights, paths of the machine it was made on) and in a real browser with
the network cut off, over HTTP and from `file://`, light and dark, wide and 390 pixels narrow.
"""

from __future__ import annotations

import gzip
import json
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from condensation_lab import claims, results
from condensation_lab.publish import access, look, pace, sidecar
from condensation_lab.publish.browser import NoBrowserError, browser, served, visit
from condensation_lab.publish.project import Project, launch_url
from condensation_lab.publish.slices import atlases_of, unlike_stored

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PAGE_LIMIT = 300_000  # bytes gzip of a page's HTML with the data in it: what a reader waits for
FIRST_LOAD_LIMIT = 1_600_000  # bytes gzip of all that a first visit fetches, scripts and fonts included
NARROW = 390  # pixels: a phone

_TEXT = {".html", ".js", ".json", ".ipynb", ".md", ".txt", ".css", ".inv"}
_MACHINE = re.compile(r"/ipykernel_\d+/|\"papermill\"\s*:|\.failed\.ipynb")


def check(project: Project | None = None) -> dict[str, Any]:
    """Check `_build/site` and write `_build/site-report.json` and `_build/screenshots`.

    Args:
        project: The project; found from the working directory if None.

    Returns:
        The report. Its `problems` are sentences; a site without faults has none.
    """
    project = project or Project.find()
    problems: list[str] = []
    pages = [_page(project, name, problems) for name in _expected_pages(project)]
    problems += machine_traces(project)
    problems += _claims(project)
    report: dict[str, Any] = {"browser": None, "pages": pages, "problems": problems}
    there = [page for page in pages if page["raw"]]
    try:
        with browser() as started, served(project.site) as address:
            report["browser"] = f"Chromium {started.version}"
            for page in there:
                _visit_page(project, started, address, page, problems)
    except NoBrowserError as missing:
        report["browser_part"] = f"not run: {missing}"
        if os.environ.get("CI", "").lower() in {"1", "true"}:
            problems.append(str(missing))
    (project.build / "site-report.json").write_text(json.dumps(report, indent=1, ensure_ascii=False), "utf-8")
    return report


def machine_traces(project: Project) -> list[str]:
    """Find files of the site that tell of the machine it was made on: a path, or papermill's record of a run."""
    paths = [str(project.root)] + ([str(Path.home())] if len(Path.home().parts) > 2 else [])
    said = []
    for file in sorted(path for path in project.site.rglob("*") if path.suffix in _TEXT):
        text = file.read_text("utf-8", errors="replace")
        found = next((path for path in paths if path in text), None) or (_MACHINE.search(text) or [None])[0]
        if found:
            said.append(f"{file.relative_to(project.site)} tells of the machine that made it: {found!r}.")
    return said


def _expected_pages(project: Project) -> list[str]:
    """Names of the pages in the stage's table of contents, which `--only` may have shortened."""
    return Project(project.stage).documents()


def _page(project: Project, name: str, problems: list[str]) -> dict[str, Any]:
    """Weigh a page and look for its launch links."""
    file = project.site / f"{name}.html"
    if not file.exists():
        problems.append(f"{name}: _toc.yml names this page, but it was not built.")
        return {"page": name, "raw": 0, "gzip": 0}
    content = file.read_bytes()
    weight = len(gzip.compress(content))
    if weight > PAGE_LIMIT:
        problems.append(f"{name}: {weight} bytes gzip, more than the {PAGE_LIMIT} that a page may weigh.")
    html = content.decode("utf-8")
    if (project.root / f"{name}.ipynb").exists():
        stem = name.rsplit("/", 1)[-1]
        for service in ("binder", "colab"):
            if launch_url(project, stem, service) not in html.replace("&amp;", "&"):
                problems.append(f"{name}: the launch link to {service} is missing.")
    for link in re.findall(r'<a [^>]*class="launch-link"[^>]*>', html):
        if "href=" not in link:
            problems.append(f"{name}: a launch link leads nowhere: {link}.")
    page: dict[str, Any] = {"page": name, "raw": len(content), "gzip": weight}
    page["sidecars"] = sidecar.weight(html, project.site)
    if page["sidecars"] > sidecar.PAGE_LIMIT:
        limit = sidecar.PAGE_LIMIT
        problems.append(f"{name}: {page['sidecars']} bytes of numbers beside the page, more than the {limit} allowed.")
    if (project.root / f"{name}.ipynb").exists():
        damaged: list[str] = []
        _stored_numbers(page, sidecar.whole(html, project.site, damaged), problems)
        problems += [f"{name}: {fault}" for fault in damaged]
    return page


def _stored_numbers(page: dict[str, Any], html: str, problems: list[str]) -> None:
    """Compare the numbers that a page's atlases carry with the committed atlas of its study, where there is one."""
    study = page["page"].rsplit("/", 1)[-1]
    try:
        stored = results.load_atlas(study)
    except results.ResultsError as missing:
        page["committed_atlas"] = f"none: {missing}"
        return
    page["committed_atlas"] = []
    for atlas in atlases_of(html):
        shared, differing = unlike_stored(atlas["data"], stored)
        page["committed_atlas"] += shared
        problems += [f"{page['page']}: the page's {name} is not that of the committed atlas." for name in differing]


def _claims(project: Project) -> list[str]:
    """Compare the claims of this build with the committed expectation."""
    rows = json.loads(project.claims.read_text("utf-8"))["rows"]
    file = project.root / "tests" / "expected_claims.json"
    if not file.exists():
        return [f"{file.name} is missing; `condensation-lab accept-claims --reason ...` writes it."] if rows else []
    shown = {Path(name).name.replace("-", "_") for name in _expected_pages(project) if name.startswith("notebooks/")}
    return claims.compare(rows, json.loads(file.read_text("utf-8")), studies=shown)


def _visit_page(project: Project, started: Browser, address: str, page: dict[str, Any], problems: list[str]) -> None:
    """Open a page in every setting; add what was found to its entry and to the problems."""
    name, faults = page["page"], []
    path = f"{name}.html"
    html = sidecar.whole((project.site / path).read_text("utf-8"), project.site, [])
    page |= {"other_hosts": 0, "console_errors": [], "figures": {"found": 0, "drawn": 0}}
    page |= {"live_pieces": {"found": 0, "moved": 0}, "axe": {}}
    axe = access.axe_source(project)
    settings: dict[str, dict[str, Any]] = {
        "light": {},
        "dark": {"dark": True},
        str(NARROW): {"width": NARROW},
        "file": {"site": project.site.as_uri()},
    }
    for setting, options in settings.items():
        with visit(started, options.pop("site", address), path, **options) as seen:
            drawn = look.wait_until_drawn(seen.page)
            if setting != "file":
                shot = project.build / "screenshots" / f"{name.rsplit('/', 1)[-1]}-{setting}.png"
                seen.page.screenshot(path=shot, full_page=True)
            found = look.figures(seen.page)
            faults += [f"{setting}: the figure {one['name']!r} is empty" for one in found if not one["full"]]
            faults += [] if drawn else [f"{setting}: not everything was drawn in {look.PATIENCE / 1000:.0f} s"]
            if setting in ("light", "file"):
                moved, wrong = look.move_atlases(seen.page, html)
                faults += [f"{setting}: {fault}" for fault in wrong]
            if setting == "light":
                page["figures"] = {"found": len(found), "drawn": sum(one["full"] for one in found)}
                page["live_pieces"] = {"found": len(seen.page.query_selector_all(".live-piece")), "moved": moved}
                page |= _first_load(project, seen.files)
                page |= {"redrawn_ms": pace.redrawing(seen.page), "training": pace.training(seen.page)}
                still = [one for one in page["training"] if not one["steps_per_second"]]
                faults += [f"a playground does not train with {one['activation']}" for one in still]
                faults += [f"the link {link} leads nowhere" for link in look.broken_links(seen.page)]
                if not found and "application/vnd.jupyter.widget-view+json" in html:
                    faults.append("the page has a live piece, but no figure is drawn")
            if setting != "file":  # it unfolds everything, so that the width below is that of all
                page["axe"][setting] = access.faults(seen.page, axe)
                faults += [f"{setting}: {fault}" for fault in access.said(page["axe"][setting])]
            if look.too_wide(seen.page):
                faults.append(f"{setting}: the page must be scrolled sideways")
            page["other_hosts"] += len(seen.other_hosts)
            page["console_errors"] += [f"{setting}: {error}" for error in seen.errors]
            faults += [f"{setting}: asks another host for {url}" for url in seen.other_hosts]
            faults += [f"{setting}: console error: {error}" for error in seen.errors]
    if page["first_load_gzip"] > FIRST_LOAD_LIMIT:
        faults.append(f"a first visit fetches {page['first_load_gzip']} bytes gzip, more than {FIRST_LOAD_LIMIT}")
    problems += [f"{name}: {fault}." for fault in faults]


def _first_load(project: Project, files: set[str]) -> dict[str, Any]:
    """Weigh all files that a visit fetched, and name the heaviest."""
    weights = {}
    for file in sorted(files):
        content = (project.site / file).read_bytes()
        weights[file] = (len(content), len(gzip.compress(content)))
    heaviest = sorted(weights, key=lambda file: -weights[file][1])[:4]
    return {
        "first_load_raw": sum(raw for raw, _ in weights.values()),
        "first_load_gzip": sum(packed for _, packed in weights.values()),
        "heaviest": {file: weights[file][1] for file in heaviest},
    }
