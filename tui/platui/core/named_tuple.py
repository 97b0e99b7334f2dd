"""The standard `NamedTuple`, with less of its own in each class: 3 KB instead of 9.

The standard one compiles annotations, a constructor and five methods for each class. Here classes
share methods and fields, and a constructor is compiled on its first call.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self

__all__ = ["NamedTuple"]

_MOST: Final = 64
_NAMES: Final = tuple(f"field_{number}" for number in range(_MOST))
_NUMBERED: Final = namedtuple("_NUMBERED", _NAMES)  # type: ignore[misc]  # noqa: PYI024  (of any names)
_ATTRIBUTES: Final = [vars(_NUMBERED)[name] for name in _NAMES]
"""Attributes that read a field by its number, faster than a property."""


class _Methods(tuple[Any, ...]):
    __slots__ = ()
    if TYPE_CHECKING:
        _fields: ClassVar[tuple[str, ...]]
        _field_defaults: ClassVar[dict[str, Any]]

    def __new__(cls, /, *arguments: Any, **named: Any) -> Self:
        kind: Any = next(one for one in cls.__mro__ if "_fields" in vars(one))
        kind.__new__ = _constructor(kind)
        made: Self = kind.__new__(cls, *arguments, **named)
        return made

    @classmethod
    def _make(cls, values: Iterable[Any]) -> Self:
        made = tuple.__new__(cls, values)
        if len(made) != len(cls._fields):
            raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(made)}")
        return made

    def _replace(self, /, **changes: Any) -> Self:
        made = self._make(map(changes.pop, self._fields, self))
        if changes:
            raise ValueError(f"Got unexpected field names: {list(changes)!r}")
        return made

    def _asdict(self) -> dict[str, Any]:
        return dict(zip(self._fields, self, strict=True))

    def __repr__(self) -> str:
        shown = (f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
        return f"{type(self).__name__}({', '.join(shown)})"

    def __getnewargs__(self) -> tuple[Any, ...]:
        return tuple(self)


def _constructor(kind: type[_Methods]) -> Any:
    names = ", ".join(kind._fields)
    source = f"lambda _cls, {names}: _new(_cls, ({names},))" if names else "lambda _cls: _new(_cls)"
    scope = {"_new": tuple.__new__, "__builtins__": {}}
    made = eval(source, scope)  # noqa: S307  (names of our own fields only, as in the standard library)
    made.__name__, made.__qualname__ = "__new__", f"{kind.__qualname__}.__new__"
    made.__defaults__ = tuple(kind._field_defaults.values())
    return made


class _Meta(type):
    def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> type:
        if not bases:  # `NamedTuple` itself
            return super().__new__(cls, name, bases, namespace)
        fields = tuple(namespace.get("__annotations__", {}))
        defaults = {one: namespace.pop(one) for one in fields if one in namespace}
        own = {
            "__doc__": f"{name}({', '.join(fields)})",
            "__slots__": (),
            "__match_args__": fields,
            "_fields": fields,
            "_field_defaults": defaults,
            **dict(zip(fields, _ATTRIBUTES[: len(fields)], strict=True)),
        }
        others = [one for one in bases if one is not NamedTuple]
        return type(name, (_Methods, *others), own | namespace)


if TYPE_CHECKING:
    from typing import NamedTuple
else:

    class NamedTuple(metaclass=_Meta):
        pass
