"""Whether readers with a keyboard, a screen reader or weak eyes can use a page: axe-core's rules, run in the page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condensation_lab.publish.project import Project, PublishError

if TYPE_CHECKING:
    from playwright.sync_api import Page

# What is left of the theme's own faults, by axe's name of the rule, each with the reason why it stays.
THEME_FAULTS: dict[str, str] = {}

_THEME = (
    ".bd-header-article, .bd-sidebar-primary, .bd-sidebar-secondary, .prev-next-area, .bd-footer, .bd-footer-content, "
    "#pst-header, #pst-search-dialog, #pst-back-to-top, #pst-skip-link"
)

# Folded parts are opened: axe looks at what is shown.
_RUN = """async (theme) => {
  document.querySelectorAll("details").forEach((one) => { one.open = true; });
  await new Promise((done) => setTimeout(done, 300));
  const { violations } = await axe.run(document, { resultTypes: ["violations"], elementRef: true });
  const rows = violations.flatMap(({ id, impact, help, nodes }) => ["ours", "theme"].flatMap((whose) => {
    const its = nodes.filter(({ element }) => (element.closest(theme) ? "theme" : "ours") === whose);
    if (!its.length) return [];
    const why = its[0].failureSummary.split("\\n")[1]?.trim() ?? help;
    return [{ rule: id, impact, whose, count: its.length, example: its[0].target.flat().join(" "), why }];
  }));
  return rows;
}"""


def axe_source(project: Project) -> str:
    """Read axe-core, which `make_vendor` put beside what the pages serve and which no page serves.

    Raises:
        PublishError: It is not there.
    """
    file = project.root / "book" / "web" / "vendor" / "tools" / "axe.min.js"
    if not file.exists():
        raise PublishError(f"{file.name} is not in {file.parent}; `condensation-lab book` fetches it.")
    return file.read_text("utf-8")


def faults(page: Page, source: str) -> list[dict[str, Any]]:
    """Find what breaks a rule on a page, everything on it unfolded.

    Args:
        page: The page, drawn.
        source: axe-core's script.

    Returns:
        A row for each broken rule: its name, impact, `whose` part breaks it (`ours` or `theme`), on how many elements,
        an example's selector and what is wrong with it.
    """
    page.evaluate(source)
    return list(page.evaluate(_RUN, _THEME))


def said(rows: list[dict[str, Any]]) -> list[str]:
    """Word the rows that are problems: all of ours, and the theme's that are not known."""
    return [
        f"{row['rule']} ({row['impact']}) on {row['count']} elements such as {row['example']}: {row['why']}"
        for row in rows
        if row["whose"] == "ours" or row["rule"] not in THEME_FAULTS
    ]
