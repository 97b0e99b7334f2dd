"""Our `dataclass` makes the same classes as the standard one."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import re
from dataclasses import KW_ONLY, FrozenInstanceError, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import pytest

import platui
from platui.core import dataclass as ours

if TYPE_CHECKING:
    from collections.abc import Callable

OPTIONS: tuple[dict[str, bool], ...] = (
    {},
    {"frozen": True},
    {"slots": True},
    {"frozen": True, "slots": True},
    {"eq": False},
    {"slots": True, "eq": False},
    {"frozen": True, "slots": True, "eq": False, "weakref_slot": True},
)
DECORATORS: tuple[Callable[..., Any], ...] = (dataclasses.dataclass, ours.dataclass)


def make(decorator: Callable[..., Any], options: dict[str, bool]) -> type[Any]:
    """Return a class with each kind of field in use."""

    @decorator(**options)
    class Value:
        kinds: ClassVar[int] = 2
        name: str
        size: int = 3
        parts: list[int] = field(default_factory=list, compare=False)
        secret: str = field(default="s", repr=False)
        kind: str = field(default="k", init=False)
        _: KW_ONLY
        last: float = 0.5

        def double(self) -> int:
            return self.size * 2

    Value.__qualname__ = "Value"
    return Value


def outcome(action: Callable[[], object]) -> object:
    """Return what an action gives, or its error as text."""
    try:
        return action()
    except (TypeError, AttributeError) as error:
        return type(error).__name__, re.sub(r"\S+__init__", "__init__", str(error))


def behaviour(value: type[Any]) -> list[object]:
    """Return what arguments, text, equality, hash, replacement and assignment come to."""
    one, same, other = value("a"), value("a", 3, [1]), value("b", size=4, last=1.0)
    return [
        *(f"{x!r} {x.double()} {x.parts} {x.secret} {x.kind}" for x in (one, same, other)),
        (one == same, one == other, one == 1, value.__match_args__),
        outcome(lambda: hash(same) == hash(one)),
        outcome(lambda: repr(replace(other, name="c"))),
        outcome(lambda: repr(value())),
        outcome(lambda: repr(value("a", 1, [], "s", 2.0))),
        outcome(lambda: repr(value("a", kind="x"))),
        outcome(lambda: setattr(one, "size", 9)),
        outcome(lambda: delattr(one, "size")),
        outcome(lambda: setattr(one, "unknown", "n")) if hasattr(one, "__dict__") else "slots",
        outcome(lambda: one.name),
        [(x.name, x.type, x.init, x.kw_only) for x in dataclasses.fields(value)],
        (dataclasses.is_dataclass(value), dataclasses.asdict(other), value.kinds),
        (same == copy.deepcopy(same), hasattr(value, "size"), hasattr(one, "__dict__")),
    ]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_each_option_behaves_as_in_the_standard_library(options: dict[str, bool]) -> None:
    """Each class does the same, also where the standard one raises."""
    standard, mine = (behaviour(make(one, options)) for one in DECORATORS)
    assert mine == standard


@ours.dataclass(frozen=True, slots=True)
class Base:
    """A value with a derived field."""

    width: int
    double: int = field(init=False)

    def __post_init__(self) -> None:
        """Compute the derived field."""
        object.__setattr__(self, "double", 2 * self.width)


@ours.dataclass(frozen=True, slots=True)
class Derived(Base):
    """A value with one field more."""

    height: int = 1


def test_a_subclass_has_the_fields_of_its_base() -> None:
    """The first call may be that of the subclass or of the base."""
    assert repr(Derived(2, 5)) == "Derived(width=2, double=4, height=5)"
    assert Base(3).double == 6
    assert Derived(2) == Derived(2, 1) != Base(2)
    assert Derived.__doc__ == "A value with one field more."


def test_a_subclass_can_repeat_a_field_of_its_base() -> None:
    """Without a default, although the base has a slot of that name, or with another one."""

    @ours.dataclass(frozen=True, slots=True)
    class Wide(Base):
        width: int
        height: int = 2

    @ours.dataclass(frozen=True, slots=True)
    class Square(Base):
        width: int = 4

    assert repr(Wide(3)).endswith("Wide(width=3, double=6, height=2)")
    assert repr(Square()).endswith("Square(width=4, double=8)")
    assert vars(Wide)["__slots__"] == ("height",)
    with pytest.raises(TypeError, match="width"):
        Wide()  # type: ignore[call-arg]  # what is tested


def test_a_frozen_value_with_slots_can_be_pickled() -> None:
    """Values cross processes and are kept on disk."""
    assert pickle.loads(pickle.dumps(Derived(2, 5))) == Derived(2, 5)  # noqa: S301  (made here)


def test_a_frozen_value_takes_no_unknown_attribute() -> None:
    """As in the standard library, slots or not."""
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'depth'"):
        Derived(2).depth = 1  # type: ignore[attr-defined]  # what is tested


def test_own_methods_are_kept() -> None:
    """A class with its own `__init__`, `__eq__` or `__repr__` keeps it."""

    @ours.dataclass
    class Own:  # noqa: PLW1641  (what is tested)
        size: int

        def __init__(self) -> None:
            self.size = 7

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Own)

        def __repr__(self) -> str:
            return "own"

    assert (repr(Own()), Own().size, Own() == Own()) == ("own", 7, True)
    with pytest.raises(TypeError, match="unhashable"):
        hash(Own())


def test_every_class_uses_it() -> None:
    """The standard decorator costs up to a millisecond per class at start."""
    standard = re.compile(
        r"^from dataclasses import .*\bdataclass\b|dataclasses\.dataclass", re.MULTILINE
    )
    files = Path(platui.__file__).parent.rglob("*.py")
    assert [one for one in files if standard.search(one.read_text(encoding="utf-8"))] == []
