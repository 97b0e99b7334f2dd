"""Our `NamedTuple` makes the same classes as the standard one."""

from __future__ import annotations

import pickle
import re
import typing
from pathlib import Path
from typing import Any, Generic, TypeVar

import pytest

import platui
from platui.core import named_tuple as ours

T = TypeVar("T")


class Standard(typing.NamedTuple):
    """A pair."""

    name: str
    sizes: tuple[int, ...] = ()
    """Of each part."""

    @property
    def total(self) -> int:
        return sum(self.sizes)


class Ours(ours.NamedTuple):
    """A pair."""

    name: str
    sizes: tuple[int, ...] = ()
    """Of each part."""

    @property
    def total(self) -> int:
        return sum(self.sizes)


class Pair(ours.NamedTuple, Generic[T]):
    first: T
    last: T


def behaviour(kind: type[Any]) -> list[object]:
    """Return what the class and its values do."""
    value = kind("a", (1, 2))
    match value:
        case kind(name, sizes):
            matched = name, sizes
    copied = pickle.loads(pickle.dumps(value))  # noqa: S301  (our own)
    return [
        kind.__doc__,
        kind.__module__,
        kind._fields,
        kind._field_defaults,
        typing.get_type_hints(kind),
        str(value).partition("(")[2],
        value == ("a", (1, 2)),
        hash(value),
        matched,
        value.total,
        kind("b"),
        value._replace(name="c"),
        type(value._replace(name="c")) is kind,
        value._asdict(),
        kind._make(("d", ())),
        hasattr(value, "__dict__"),
        copied == value,
        type(copied) is kind,
    ]


def test_values_behave_as_standard_ones() -> None:
    """The class, its fields, defaults, methods, patterns and pickles are the same."""
    assert behaviour(Ours) == behaviour(Standard)
    assert (Ours.__name__, Ours.__qualname__) == ("Ours", "Ours")


@pytest.mark.parametrize("arguments", [(), ("a", (), 3)])
def test_wrong_arguments_are_refused(arguments: tuple[Any, ...]) -> None:
    """A missing or superfluous argument raises a TypeError, as in the standard class."""
    for kind in (Standard, Ours):
        with pytest.raises(TypeError, match="argument"):
            kind(*arguments)


def test_a_field_cannot_be_set() -> None:
    """Neither a field nor another attribute."""
    for name in ("name", "other"):
        with pytest.raises(AttributeError):
            setattr(Ours("a"), name, "b")


def test_a_generic_one_takes_parameters() -> None:
    """`Pair[int]` works at run time."""
    made: Any = Pair[int](1, 2)
    assert made == (1, 2)
    assert type(made) is Pair


def test_every_class_uses_it() -> None:
    """The standard one costs a tenth of a millisecond per class at start."""
    standard = re.compile(r"from typing import .*\bNamedTuple\b|typing\.NamedTuple")
    files = Path(platui.__file__).parent.rglob("*.py")
    used = [str(one) for one in files if standard.search(one.read_text(encoding="utf-8"))]
    assert [Path(one).as_posix().rpartition("platui/")[2] for one in used] == [
        "core/named_tuple.py"
    ]
