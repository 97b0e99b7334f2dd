"""The standard `dataclass`, but quick: `__init__` is compiled on its first call, all else is not.

The standard one compiles six functions per class, a fifth of the time until the first frame, and
takes twice as long to collect the fields.
"""

from __future__ import annotations

import dataclasses
from dataclasses import KW_ONLY, MISSING, Field, FrozenInstanceError, field, fields
from functools import partial
from operator import attrgetter
from reprlib import recursive_repr
from types import MemberDescriptorType
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeVar, get_origin

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

__all__ = ["dataclass"]

C = TypeVar("C", bound=type[Any])

_ABSENT: Final = object()
"""The default of a parameter whose field has a factory."""
_FIELD: Final = dataclasses._FIELD  # type: ignore[attr-defined]  # noqa: SLF001  (marks a field for `fields`; pinned by a test)


def _process(cls: C, *, eq: bool, frozen: bool, slots: bool, weakref_slot: bool) -> C:
    found = {name: one for base in reversed(cls.__mro__[1:]) for name, one in _known(base)}
    found |= {one.name: one for one in _own_fields(cls)}
    cls.__dataclass_fields__ = found
    if slots:
        cls = _with_slots(cls, found, weakref_slot=weakref_slot)
    own = dict(vars(cls))
    first_init = _make_first_init(cls, frozen=frozen, slots=slots)
    names = tuple(one.name for one in found.values() if one.init and not one.kw_only)
    methods: dict[str, Any] = {
        "__init__": first_init, "__repr__": _repr, "__match_args__": names,
    }  # fmt: skip
    if eq:
        methods["__eq__"] = _make_eq([one for one in found.values() if one.compare])
        if own.get("__hash__") is None and "__eq__" in own:
            del own["__hash__"]  # set by Python, because the class has `__eq__`
        methods["__hash__"] = _make_hash(tuple(found.values())) if frozen else None
    if frozen:
        methods |= _make_frozen(cls, frozenset(found))
        if slots:
            methods |= {"__getstate__": _get_state, "__setstate__": _set_state}
    for name, method in methods.items():
        if name not in own:
            setattr(cls, name, method)
    return cls


def _known(base: type[Any]) -> Iterator[tuple[str, Field[Any]]]:
    yield from vars(base).get("__dataclass_fields__", {}).items()


def _own_fields(cls: type[Any]) -> Iterator[Field[Any]]:
    """Yield the fields of a class without those of its bases, and leave their defaults in it."""
    is_keyword = False
    for name, kind in vars(cls).get("__annotations__", {}).items():
        if _names(kind, "KW_ONLY", KW_ONLY):
            is_keyword = True
        elif not _names(kind, "ClassVar", ClassVar):
            one = _field_of(cls, name)
            one.name, one.type = name, kind
            one._field_type = _FIELD  # type: ignore[attr-defined]  # noqa: SLF001  (as above)
            if one.kw_only is MISSING:
                one.kw_only = is_keyword
            yield one


def _field_of(cls: type[Any], name: str) -> Field[Any]:
    default: Any = getattr(cls, name, MISSING)
    if not isinstance(default, Field):
        is_slot = isinstance(default, MemberDescriptorType)  # of a base
        made: Field[Any] = field() if is_slot else field(default=default)
        return made
    given: Field[Any] = default
    if given.default is MISSING:
        delattr(cls, name)
    else:
        setattr(cls, name, given.default)
    return given


def _names(kind: object, name: str, meant: object) -> bool:
    """Return whether an annotation, as text or not, is that of `typing` or `dataclasses`."""
    if isinstance(kind, str):
        return kind.startswith(name)
    return kind is meant or get_origin(kind) is meant


def _with_slots(cls: C, names: Iterable[str], *, weakref_slot: bool) -> C:
    """Return the class again, with slots instead of a dictionary."""
    known = {name for base in cls.__mro__[1:] for name in vars(base).get("__slots__", ())}
    wanted = (*names, "__weakref__") if weakref_slot else names
    namespace = dict(vars(cls))
    for name in (*names, "__dict__", "__weakref__"):
        namespace.pop(name, None)
    namespace["__slots__"] = tuple(name for name in wanted if name not in known)
    metaclass: Any = type(cls)
    again: C = metaclass(cls.__name__, cls.__bases__, namespace)
    again.__qualname__ = cls.__qualname__
    return again


if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls: C | None = None, /, **options: bool) -> C | Callable[[C], C]:
        used = {"eq": True, "frozen": False, "slots": False, "weakref_slot": False} | options
        return partial(_process, **used) if cls is None else _process(cls, **used)


@recursive_repr()
def _repr(self: Any) -> str:
    shown = (f"{one.name}={getattr(self, one.name)!r}" for one in fields(self) if one.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _make_reader(read: Sequence[Field[Any]]) -> Callable[[Any], tuple[Any, ...]]:
    names = [one.name for one in read]
    if len(names) > 1:
        return attrgetter(*names)
    return lambda self: tuple(getattr(self, name) for name in names)


def _make_eq(compared: Sequence[Field[Any]]) -> Callable[[Any, object], bool]:
    values = _make_reader(compared)

    def __eq__(self: Any, other: object) -> bool:  # noqa: N807  (becomes the method)
        if other.__class__ is self.__class__:
            return values(self) == values(other)
        return NotImplemented

    return __eq__


def _make_hash(all_fields: Sequence[Field[Any]]) -> Callable[[Any], int]:
    values = _make_reader([x for x in all_fields if (x.compare if x.hash is None else x.hash)])

    def __hash__(self: Any) -> int:  # noqa: N807  (becomes the method)
        return hash(values(self))

    return __hash__


def _make_frozen(cls: type[Any], names: frozenset[str]) -> dict[str, Any]:
    def __setattr__(self: Any, name: str, value: object) -> None:  # noqa: N807  (becomes the method)
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    def __delattr__(self: Any, name: str) -> None:  # noqa: N807  (becomes the method)
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    return {"__setattr__": __setattr__, "__delattr__": __delattr__}


def _get_state(self: Any) -> list[Any]:
    return [getattr(self, one.name) for one in fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:
    for one, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, one.name, value)


def _make_first_init(cls: type[Any], *, frozen: bool, slots: bool) -> Callable[..., None]:
    def __init__(self: Any, /, *arguments: Any, **named: Any) -> None:  # noqa: N807  (becomes the method)
        cls.__init__ = _compile_init(cls, frozen=frozen, slots=slots)
        cls.__init__(self, *arguments, **named)

    return __init__


def _compile_init(cls: type[Any], *, frozen: bool, slots: bool) -> Callable[..., None]:
    scope: dict[str, Any] = {"_ABSENT": _ABSENT, "_set": object.__setattr__}
    positional, named, body = ["self"], list[str](), list[str]()
    for one in fields(cls):
        name, default = one.name, f"_default_{one.name}"
        value, parameter = name, name
        if one.default_factory is not MISSING:
            scope[default] = one.default_factory
            parameter = f"{name}=_ABSENT"
            value = f"{default}() if {name} is _ABSENT else {name}" if one.init else f"{default}()"
        elif one.default is not MISSING:
            scope[default] = one.default
            parameter = f"{name}={default}"
            value = name if one.init else default
        if one.init:
            (named if one.kw_only else positional).append(parameter)
        elif one.default_factory is MISSING and (one.default is MISSING or not slots):
            continue  # `__post_init__` sets it, or the class has its value
        body.append(f"_set(self, {name!r}, {value})" if frozen else f"self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    parameters = ", ".join([*positional, "*", *named] if named else positional)
    source = f"def __init__({parameters}):\n " + "\n ".join(body or ["pass"])
    exec(source, scope)  # noqa: S102  (names of our own fields only, as in the standard library)
    init: Callable[..., None] = scope["__init__"]
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    return init
