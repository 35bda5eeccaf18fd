"""Expected verdicts: every disagreement is named, and they change only with a reason."""

import json
import math
from pathlib import Path
from types import SimpleNamespace

import pytest

from condensation_lab.claims import Band, Claim, ClaimsTable
from condensation_lab.expected import ExpectationError, accept, binds, compare

FILE = Path(__file__).parent / "expected_claims.json"
BAND = Band(-0.55, -0.46, "the figure is read to 0.04")


def rows(measured=-0.49, preset="quick", published=-0.506, key="slope", study="two_layers", band=BAND):
    attrs = {"preset": preset, "source": "this build", "commit": "1a2b3c4", "date": "2026-11-30"}
    claim = Claim(key, "Fig. 3a", "S_w falls", published, measured, 0.01, 3, band)
    return ClaimsTable.of(SimpleNamespace(attrs=attrs), study=study, paper="p", claims=[claim]).rows


@pytest.fixture
def expected():
    return accept(rows(), {}, reason="first measurement", date="2026-11-30")


def test_what_was_accepted_agrees(expected):
    assert compare(rows(), expected) == []
    assert compare(rows(measured=-0.49 * 1.0005), expected) == []


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"measured": -0.4}, "verdict is 'not reproduced', expected 'reproduced'"),
        ({"measured": -0.5}, "measured -0.5, expected -0.49 within"),
        ({"measured": math.nan}, "measured None, expected -0.49"),
        ({"measured": None}, "verdict is 'not tested at this preset'"),
        ({"published": -0.507}, "published is -0.507, expected -0.506"),
        ({"published": None}, "published is None"),
        ({"band": Band(-9, 9, "anything goes")}, "band is [-9.0, 9.0], expected [-0.55, -0.46]"),
        ({"key": "slop"}, "two_layers slop quick: in the run, but not expected"),
        ({"key": "slop"}, "two_layers slope quick: expected, but not in the run"),
        ({"study": "three_layers"}, "three_layers slope quick: in the run, but not expected"),
        ({"preset": "paper"}, "two_layers slope paper: in the run, but not expected"),
    ],
    ids=str,
)
def test_every_disagreement_is_named(expected, changed, sentence):
    assert any(sentence in said for said in compare(rows(**changed), expected))


def test_a_missing_claim_is_named_unless_its_study_was_not_run(expected):
    assert compare([], expected) == ["two_layers slope quick: expected, but not in the run."]
    assert compare([], expected, studies={"three_layers"}) == []


def test_settings_of_the_readers_own_bind_nothing(expected):
    own = rows(preset="your settings", measured=9.0)
    assert not binds(own[0])
    assert compare([*rows(), *own], expected) == []


def test_accepting_keeps_other_studies_tolerances_and_the_history(expected):
    expected["studies"]["two_layers"]["slope"]["quick"]["tolerance"] = {"relative": 0.5, "absolute": 0.0}
    other = accept(rows(study="other"), expected, reason="a second study", date="2026-12-01")
    after = accept(rows(measured=-0.47), other, reason="  new integrator ", date="2026-12-02")
    assert after["studies"].keys() == {"two_layers", "other"}
    entry = after["studies"]["two_layers"]["slope"]["quick"]
    assert (entry["measured"], entry["tolerance"]["relative"]) == (-0.47, 0.5)
    assert [event["reason"] for event in after["history"]] == ["first measurement", "a second study", "new integrator"]
    assert compare([*rows(measured=-0.47), *rows(study="other")], json.loads(json.dumps(after))) == []


def test_a_claim_that_is_gone_leaves_the_expectation(expected):
    after = accept(rows(key="other"), expected, reason="renamed", date="2026-12-01")
    assert after["studies"]["two_layers"].keys() == {"other"}


@pytest.mark.parametrize(("measured", "reason"), [(rows(), " "), ([], "x"), (rows(preset="your settings"), "x")])
def test_nothing_is_accepted_without_a_reason_or_without_a_preset(measured, reason):
    with pytest.raises(ExpectationError):
        accept(measured, {}, reason=reason, date="2026-12-01")


def test_the_committed_file_is_whole_and_leaves_at_most_a_third_untested_at_quick():
    content = json.loads(FILE.read_text("utf-8"))
    assert content["studies"]
    assert all(event["reason"] and event["date"] for event in content["history"])
    for study, keys in content["studies"].items():
        quick = [presets["quick"]["verdict"] for presets in keys.values()]
        assert quick.count("not tested at this preset") <= len(quick) / 3, study
