"""Numbers too heavy for a page, put into files beside it that are loaded when their piece is first seen.

The files are classic scripts, because browsers refuse to fetch data from `file://`. Each is named by the hash of what
it holds, so that `widget-host.js` can tell a damaged one, and pages that show the same numbers share a file.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FOLDER = Path("_static") / "data"  # in the site
INLINE_LIMIT = 48_000  # characters of base64: less costs a page about 30 kB gzip, and a file a request
PAGE_LIMIT = 1_500_000  # bytes of all the files of a page

_STATE = re.compile(r'(<script type="application/vnd\.jupyter\.widget-state\+json">)(.*?)(</script>)', re.DOTALL)
_SCRIPT = re.compile(r'condensationLab\.sidecar\("([0-9a-f]+)", "([A-Za-z0-9+/=]*)"\);\n')


def set_aside(state: str, folder: Path) -> str:
    """Write the large buffers of a page's widgets into files, and name them in their place.

    Args:
        state: The widgets' saved state, JSON as it stands in the page.
        folder: Where the files go; it is made if need be.

    Returns:
        The state, in which a buffer that was set aside has a `sidecar` instead of its `data`.
    """
    saved = json.loads(state)
    for buffer in _buffers(saved):
        if len(buffer["data"]) <= INLINE_LIMIT:
            continue
        data = buffer.pop("data")
        buffer["sidecar"] = _name(data)
        folder.mkdir(parents=True, exist_ok=True)
        script = f'condensationLab.sidecar("{buffer["sidecar"]}", "{data}");\n'
        (folder / f"{buffer['sidecar']}.js").write_text(script, "utf-8")
    return json.dumps(saved).replace("</", "<\\/")


def whole(html: str, site: Path, problems: list[str]) -> str:
    """Give a page's HTML with everything that was set aside back in its place.

    Args:
        html: The page.
        site: Folder of the site.
        problems: Gets a sentence for each file that is missing or holds something else than its name says; the widget
            that it belongs to is then left out.
    """

    def filled(found: re.Match[str]) -> str:
        saved = json.loads(found[2])
        for key, model in list(saved["state"].items()):
            for buffer in model.get("buffers", []):
                if "sidecar" not in buffer:
                    continue
                try:
                    buffer["data"] = _data(site / FOLDER / f"{buffer.pop('sidecar')}.js")
                except ValueError as fault:
                    problems.append(str(fault))
                    del saved["state"][key]
                    break
        return found[1] + json.dumps(saved).replace("</", "<\\/") + found[3]

    return _STATE.sub(filled, html)


def weight(html: str, site: Path) -> int:
    """Weigh the files that a page's widgets have beside it, in bytes.

    Args:
        html: The page.
        site: Folder of the site.
    """
    names = {
        buffer["sidecar"]
        for found in _STATE.finditer(html)
        for buffer in _buffers(json.loads(found[2]))
        if "sidecar" in buffer
    }
    files = [site / FOLDER / f"{name}.js" for name in names]
    return sum(file.stat().st_size for file in files if file.exists())


def _buffers(saved: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for model in saved.get("state", {}).values():
        yield from model.get("buffers", [])


def _data(file: Path) -> str:
    if not file.exists():
        raise ValueError(f"The numbers {file.name} of a live piece are missing in {FOLDER}.")
    found = _SCRIPT.fullmatch(file.read_text("utf-8"))
    if not found or found[1] != file.stem or _name(found[2]) != file.stem:
        raise ValueError(f"The numbers {file.name} of a live piece are damaged.")
    return found[2]


def _name(data: str) -> str:
    return hashlib.sha256(base64.b64decode(data)).hexdigest()[:20]
