"""The kernel's half of `kernel.js`: a live piece asks whether a kernel is there, and Python answers."""

from typing import Any

import anywidget


def answer_pings(widget: anywidget.AnyWidget) -> None:
    """Answer each `{"type": "ping", "nonce": …}` of the widget's page with a pong of the same nonce."""
    widget.on_msg(_pong)


def _pong(widget: anywidget.AnyWidget, content: dict[str, Any], _: object) -> None:
    if content.get("type") == "ping":
        widget.send({"type": "pong", "nonce": content.get("nonce")})
