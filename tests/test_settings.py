"""Settings convert what loses nothing, refuse the rest in one sentence, and know their preset."""

import json
import math
import pickle
from typing import Annotated, ClassVar, Literal

import numpy as np
import pydantic
import pytest
from hypothesis import given
from hypothesis import strategies as st

from condensation_lab import studies
from condensation_lab.settings import SettingsError, StudySettings

Width = Annotated[int, pydantic.Field(ge=1, le=100_000)]


class Settings(StudySettings):
    PRESETS: ClassVar = {"quick": {}, "paper": {"widths": [1000, 40000], "rate": 1e-4}}

    gamma: float = pydantic.Field(1.0, ge=0, le=4, description="x", json_schema_extra={"unit": "1"})
    rate: float = pydantic.Field(1e-3, gt=0, le=1, description="x", json_schema_extra={"unit": "1/step"})
    widths: tuple[Width, ...] = pydantic.Field((64, 128), min_length=1, max_length=9, description="x")
    seed: int = pydantic.Field(0, ge=0, description="x")
    clip: float | None = pydantic.Field(None, description="x")
    exact: bool = pydantic.Field(False, description="x")
    activation: Literal["relu", "tanh"] = pydantic.Field("relu", description="x")
    targets: tuple[Literal["sine", "step"], ...] = pydantic.Field(("sine",), min_length=1, description="x")


@pytest.mark.parametrize(
    ("given", "value"),
    [
        ({"gamma": "1e-3"}, 0.001),
        ({"gamma": 2}, 2.0),
        ({"gamma": np.float32(0.5)}, 0.5),
        ({"seed": "1e3"}, 1000),
        ({"seed": 1e3}, 1000),
        ({"seed": np.int64(7)}, 7),
        ({"widths": "[1, 2e2]"}, (1, 200)),
        ({"widths": "(1, 2)"}, (1, 2)),
        ({"widths": [1e3]}, (1000,)),
        ({"widths": ["1e3", 2]}, (1000, 2)),
        ({"widths": np.array([1, 2])}, (1, 2)),
        ({"exact": "false"}, False),
        ({"exact": "True"}, True),
        ({"clip": "0.5"}, 0.5),
        ({"clip": None}, None),
        ({"targets": '["step", "sine"]'}, ("step", "sine")),
        ({"targets": "['step']"}, ("step",)),
    ],
    ids=str,
)
def test_values_that_lose_nothing_convert_to_the_type_of_the_field(given, value):
    (name,) = given
    found = getattr(Settings.parse(given), name)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"gama": 1}, "There is no setting 'gama'; did you mean 'gamma'?"),
        ({"quux": 1}, "There is no setting 'quux'; known are gamma, rate, widths"),
        ({"gamma": 9}, "gamma = 9 is not allowed: it must be a finite number from 0 to 4."),
        ({"gamma": "fast"}, "gamma = 'fast' is not allowed: it must be a finite number"),
        ({"gamma": ""}, "gamma = '' is not allowed"),
        ({"gamma": math.nan}, "gamma = nan is not allowed: it must be a finite number"),
        ({"gamma": "nan"}, "gamma = 'nan' is not allowed: it must be a finite number"),
        ({"gamma": "inf"}, "gamma = 'inf' is not allowed: it must be a finite number"),
        ({"gamma": True}, "gamma = True is not allowed"),
        ({"gamma": None}, "gamma = None is not allowed"),
        ({"gamma": [1.0]}, "gamma = [1.0] is not allowed"),
        ({"rate": 0}, "rate = 0 is not allowed: it must be a finite number above 0 and at most 1 (unit: 1/step)."),
        ({"seed": -1}, "seed = -1 is not allowed: it must be a whole number at least 0."),
        ({"seed": 1.5}, "seed = 1.5 is not allowed: it must be a whole number"),
        ({"seed": True}, "seed = True is not allowed"),
        ({"seed": "nan"}, "seed = 'nan' is not allowed"),
        ({"widths": []}, "widths = [] is not allowed: it must be a list of 1 to 9 values, each a whole number from 1"),
        ({"widths": "[]"}, "widths = '[]' is not allowed"),
        ({"widths": 0}, "widths = 0 is not allowed: it must be a list"),
        ({"widths": "relu"}, "widths = 'relu' is not allowed: it must be a list"),
        ({"widths": "[1, 2"}, "widths = '[1, 2' is not allowed: it must be a list"),
        ({"widths": [1, 0]}, "widths = [1, 0] is not allowed: it must be a list of 1 to 9 values, each a whole number"),
        ({"widths": [1, math.nan]}, "widths = [1, nan] is not allowed"),
        ({"widths": [[1]]}, "widths = [[1]] is not allowed"),
        ({"widths": {"a": 1}}, "widths = {'a': 1} is not allowed"),
        ({"widths": list(range(1, 99))}, "... is not allowed: it must be a list of 1 to 9 values"),
        ({"exact": "maybe"}, "exact = 'maybe' is not allowed: it must be true or false."),
        ({"exact": 1}, "exact = 1 is not allowed: it must be true or false."),
        ({"clip": math.nan}, "clip = nan is not allowed: it must be a finite number or nothing."),
        ({"clip": math.inf}, "clip = inf is not allowed"),
        ({"clip": "no"}, "clip = 'no' is not allowed: it must be a finite number or nothing."),
        ({"activation": "rely"}, "activation = 'rely' is not allowed: it must be one of 'relu', 'tanh'."),
        ({"targets": "sine"}, "targets = 'sine' is not allowed: it must be a list of at least 1 value, each one of"),
    ],
    ids=str,
)
def test_a_bad_value_is_refused_in_one_sentence_that_names_it(given, sentence):
    with pytest.raises(SettingsError) as caught:
        Settings.parse(given)
    message = str(caught.value)
    assert sentence in message
    assert "\n" not in message
    assert len(message) < 250


def test_a_rule_of_the_study_keeps_its_own_words():
    class Ordered(StudySettings):
        low: float = 0.0
        high: float = 1.0

        @pydantic.model_validator(mode="after")
        def _ordered(self):
            if self.low >= self.high:
                raise ValueError(f"low = {self.low} must be below high = {self.high}.")
            return self

    with pytest.raises(SettingsError, match=r"^low = 3.0 must be below high = 1.0.$"):
        Ordered(low=3)


def test_presets_are_known_by_their_values():
    assert Settings().preset_name == "quick"
    assert Settings(rate="1e-4", widths="[1000, 4e4]").preset_name == "paper"
    assert Settings(seed=1).preset_name == "your settings"
    with pytest.raises(SettingsError, match=r"There is no preset 'papr'; did you mean 'paper'\?"):
        Settings.preset("papr")


def test_settings_are_frozen_hashable_and_survive_json_and_pickle():
    settings = Settings(gamma=0.1, clip=1 / 3, targets=["step"])
    assert Settings.parse(json.loads(settings.to_json())) == settings
    assert pickle.loads(pickle.dumps(settings)) == settings
    assert hash(Settings()) == hash(Settings(seed="0"))
    with pytest.raises(pydantic.ValidationError, match="frozen"):
        settings.gamma = 2.0


def test_a_changed_copy_is_checked_too():
    assert Settings().model_copy(update={"seed": "3"}).seed == 3
    with pytest.raises(SettingsError, match="seed = -3 is not allowed"):
        Settings().model_copy(update={"seed": -3})


def test_a_notebook_gives_its_parameters_and_nothing_else():
    namespace = {
        "__name__": "__main__", "_": 1, "_i1": "gamma = 2", "In": ["", "gamma = 2"], "Out": {}, "exit": print,
        "json": json, "Settings": Settings, "gamma": 2, "widths": [8, 16],
    }  # fmt: skip
    assert Settings.from_notebook(namespace) == Settings(gamma=2.0, widths=(8, 16))


@pytest.mark.parametrize("extra", [{"gama": 1}, {"note": "hello"}, {"grid": [1]}, {"nothing": None}], ids=str)
def test_a_notebook_variable_that_is_no_setting_is_refused(extra):
    with pytest.raises(SettingsError, match=f"There is no setting '{next(iter(extra))}'"):
        Settings.from_notebook({"gamma": 2, **extra})


def test_running_the_notebook_again_minds_misspelt_settings_but_not_the_readers_own_variables():
    session = {"gamma": 2, "settings": Settings(), "total": 3.5}
    assert Settings.from_notebook(session) == Settings(gamma=2)
    with pytest.raises(SettingsError, match="'gama'"):
        Settings.from_notebook({**session, "gama": 1})


def test_in_a_notebook_the_sentence_stands_without_library_frames():
    assert SettingsError("One sentence.")._render_traceback_() == ["SettingsError: One sentence."]


numbers = st.integers(-(10**30), 10**30) | st.floats() | st.booleans() | st.none() | st.text(max_size=9)
values = st.recursive(
    numbers, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=2)
)


@given(name=st.sampled_from(sorted(Settings.model_fields)), value=values)
def test_any_value_is_either_accepted_within_its_bounds_or_refused_in_one_sentence(name, value):
    settings, refusal = Settings(), f"{name} ="
    try:
        settings = Settings.parse({name: value})
    except SettingsError as error:
        refusal = str(error)
    assert refusal.startswith(f"{name} =")
    assert "\n" not in refusal
    assert 0 <= settings.gamma <= 4
    assert 0 < settings.rate <= 1
    assert settings.seed >= 0
    assert all(1 <= width <= 100_000 for width in settings.widths)
    assert Settings.parse(json.loads(settings.to_json())) == settings


@pytest.mark.parametrize("study", studies.names())
def test_every_setting_of_a_study_has_meaning_unit_and_bounds(study):
    module = studies.find(study)
    assert module.Settings.preset("quick") == module.Settings()
    assert module.Settings.preset("paper").preset_name == "paper"
    for name, schema in module.Settings.model_json_schema()["properties"].items():
        assert schema.get("description"), name
        for part in [schema, *schema.get("anyOf", []), schema.get("items", {})]:
            if part.get("type") in {"integer", "number"}:
                assert {**part, **schema}.get("unit"), name
                assert part.keys() & {"minimum", "exclusiveMinimum"}, name
                assert part.keys() & {"maximum", "exclusiveMaximum"}, name
