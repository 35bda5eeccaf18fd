"""Typed, bounded, documented settings of a study.

A study subclasses `StudySettings`; the field defaults are the preset `quick`, and `PRESETS` lists what other
presets change. Values may come from Python, from papermill or from a command line: text converts or is refused,
and a refusal is one sentence that names the setting, the value and what is allowed.
"""

from __future__ import annotations

import ast
import difflib
import json
import types
import typing
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Self

import pydantic

YOUR_SETTINGS = "your settings"
"""Name of a choice of values that equals no preset."""

_NOTEBOOK_OWN = frozenset({"In", "Out"})  # IPython's history; its functions are skipped because they are callable
_PLAIN = (bool, int, float, complex, str, bytes, list, tuple, dict, set, types.NoneType)  # what papermill can inject


class SettingsError(ValueError):
    """A setting has a wrong name, type or value; the message is one sentence for the user."""

    def _render_traceback_(self) -> list[str]:
        """In a notebook (and so under papermill) the sentence stands alone, without library frames."""
        return [f"{type(self).__name__}: {self}"]


class StudySettings(pydantic.BaseModel):
    """Base of every study's settings: frozen, hashable, strict about names, types and ranges.

    Declare fields with their bounds, unit and meaning. Sequences are tuples, so that settings stay hashable.

    Raises:
        SettingsError: a name is unknown, or a value has the wrong type or lies outside its bounds.

    Example:
        >>> class Settings(StudySettings):
        ...     PRESETS = {"quick": {}, "paper": {"width": 1000}}
        ...     width: int = pydantic.Field(100, ge=1, le=40000, description="hidden neurons")
        ...     rate: float = pydantic.Field(0.1, gt=0, le=1, description="learning rate")
        >>> Settings.parse({"width": 1e3, "rate": "1e-1"}).preset_name
        'paper'
        >>> Settings(widht=10)
        Traceback (most recent call last):
        condensation_lab.settings.SettingsError: There is no setting 'widht'; did you mean 'width'?
        >>> Settings(width=0)
        Traceback (most recent call last):
        condensation_lab.settings.SettingsError: width = 0 is not allowed: it must be a whole number from 1 to 40000.
    """

    model_config = pydantic.ConfigDict(
        frozen=True, extra="forbid", strict=True, allow_inf_nan=False, validate_default=True
    )

    PRESETS: ClassVar[dict[str, dict[str, Any]]] = {"quick": {}}

    def __init__(self, **values: Any) -> None:
        """Convert and check `values`; see the class for what is refused."""
        fields = type(self).model_fields
        for name in values:
            if name not in fields:
                raise SettingsError(f"There is no setting {name!r}; {nearest(name, fields)}")
        try:
            super().__init__(**{name: _convert(value, fields[name].annotation) for name, value in values.items()})
        except pydantic.ValidationError as error:
            raise SettingsError(_sentence(type(self), error.errors()[0], values)) from None

    @classmethod
    def parse(cls, values: Mapping[str, Any]) -> Self:
        """Settings from a mapping of names to values, text included (`"1e-3"`, `"[1, 2]"`, `"false"`)."""
        return cls(**values)

    @classmethod
    def preset(cls, name: str) -> Self:
        """The settings of one preset, `quick` or `paper`."""
        if name not in cls.PRESETS:
            raise SettingsError(f"There is no preset {name!r}; {nearest(name, cls.PRESETS)}")
        return cls(**cls.PRESETS[name])

    @classmethod
    def from_notebook(cls, namespace: Mapping[str, Any]) -> Self:
        """Settings from the variables of a notebook's parameters cell and of the cell papermill injects.

        Papermill only warns about a name it does not know. Here every variable that holds a plain value (number,
        text, list, ...) must be a setting. When the cell is run again in the same session, variables that a reader
        has made since are left alone, unless their name looks like a misspelt setting.

        Args:
            namespace: `globals()` of the notebook.

        Returns:
            The settings, ready for the study's `run`.

        Raises:
            SettingsError: a variable is no setting, or its value is not allowed.
        """
        seen = {
            name: value
            for name, value in namespace.items()
            if not name.startswith("_") and name not in _NOTEBOOK_OWN and isinstance(value, _PLAIN)
        }
        if any(isinstance(value, StudySettings) for value in namespace.values()):
            seen = {n: v for n, v in seen.items() if n in cls.model_fields or _close(n, cls.model_fields, 0.75)}
        return cls(**seen)

    @property
    def preset_name(self) -> str:
        """Name of the preset that these values equal, else `"your settings"`."""
        return next((name for name in self.PRESETS if self == self.preset(name)), YOUR_SETTINGS)

    def to_json(self) -> str:
        """All values as JSON text that `parse(json.loads(text))` turns back into equal settings."""
        return self.model_dump_json()

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy with some values changed, checked like any other (pydantic's own copy checks nothing)."""
        return type(self)(**{**self.model_dump(), **(update or {})})


def _close(name: str, known: Iterable[str], cutoff: float) -> list[str]:
    return difflib.get_close_matches(name, list(known), n=1, cutoff=cutoff)


def nearest(name: str, known: Iterable[str]) -> str:
    """The end of a sentence about an unknown name: the nearest known one, or all of them."""
    if close := _close(name, known, 0.5):
        return f"did you mean {close[0]!r}?"
    return f"known are {', '.join(known)}."


def _kinds(annotation: Any) -> set[type]:
    """The types at the leaves of an annotation: `tuple[int, ...] | None` gives int, tuple, NoneType."""
    origin = typing.get_origin(annotation)
    if origin is typing.Literal:
        return {type(value) for value in typing.get_args(annotation)}
    if origin is typing.Annotated:
        return _kinds(typing.get_args(annotation)[0])
    kinds: set[type] = {tuple} if origin is tuple else set()
    if origin is None and isinstance(annotation, type):
        kinds.add(annotation)
    return kinds.union(*(_kinds(part) for part in typing.get_args(annotation)))


def _convert(value: Any, annotation: Any) -> Any:
    """Bring a value to the field's type where nothing is lost; leave it alone, to be refused, where not."""
    return _convert_to(value, _kinds(annotation))


def _convert_to(value: Any, kinds: set[type]) -> Any:
    if hasattr(value, "tolist"):  # numpy scalars and arrays
        value = value.tolist()
    if isinstance(value, str):
        value = _from_text(value, kinds)
    if isinstance(value, list | tuple) and tuple in kinds:
        return tuple(_convert_to(item, kinds) for item in value)
    if isinstance(value, float) and int in kinds and float not in kinds and value.is_integer():
        return int(value)
    return value


def _from_text(text: str, kinds: set[type]) -> Any:
    if tuple in kinds and text.strip()[:1] in {"[", "("}:
        for read in (json.loads, ast.literal_eval):
            try:
                return read(text)
            except (ValueError, SyntaxError):
                continue
    if str in kinds:
        return text
    if bool in kinds and text.lower() in {"true", "false"}:
        return text.lower() == "true"
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            continue
    return text


def _sentence(cls: type[StudySettings], error: Any, values: Mapping[str, Any]) -> str:
    if not error["loc"]:  # a study's own rule over several fields
        return str(error["msg"]).removeprefix("Value error, ")
    name = str(error["loc"][0])
    shown = repr(values.get(name, error["input"]))
    shown = shown if len(shown) <= 60 else shown[:57] + "..."
    if error["type"] == "value_error":  # a study's own rule on one field
        return f"{name} = {shown} is not allowed: {str(error['msg']).removeprefix('Value error, ')}"
    return f"{name} = {shown} is not allowed: it must be {allowed_values(cls, name)}."


def allowed_values(settings: type[StudySettings], name: str) -> str:
    """What a setting allows, in words: `a finite number from 0 to 100 (unit: s)`."""
    schema = settings.model_json_schema()["properties"][name]
    unit = schema.get("unit") or schema.get("items", {}).get("unit", "1")
    return _allowed(schema) + (f" (unit: {unit})" if unit != "1" else "")


def _allowed(schema: Mapping[str, Any]) -> str:
    """What a JSON schema allows, in words."""
    if "anyOf" in schema:
        return " or ".join(_allowed(part) for part in schema["anyOf"])
    if "enum" in schema:
        return "one of " + ", ".join(map(repr, schema["enum"]))
    kind = schema.get("type", "")
    if kind == "array":
        fixed = schema.get("prefixItems")
        span = _span(schema.get("minItems"), schema.get("maxItems"))
        return f"a list of {span or 'values'}, each {_allowed(fixed[0] if fixed else schema['items'])}"
    words = {"integer": "a whole number", "number": "a finite number", "boolean": "true or false", "null": "nothing"}
    bounds = [
        f"{word} {schema[key]:g}"
        for key, word in (
            ("minimum", "at least"),
            ("exclusiveMinimum", "above"),
            ("maximum", "at most"),
            ("exclusiveMaximum", "below"),
        )
        if key in schema
    ]
    if "minimum" in schema and "maximum" in schema:
        bounds = [f"from {schema['minimum']:g} to {schema['maximum']:g}"]
    noun = words.get(kind) or ("text" if "const" not in schema else repr(schema["const"]))
    return f"{noun} {' and '.join(bounds)}".strip()


def _span(low: int | None, high: int | None) -> str:
    if low == high and low is not None:
        return f"{low} values"
    if high is None:
        return f"at least {low} value{'s' if low != 1 else ''}" if low else ""
    return f"{low or 0} to {high} values"
