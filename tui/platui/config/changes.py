"""What is different in a configuration that was read again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from platui.config.schema import PROFILE, SECTIONS, TOP

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from platui.config.profile import Profile
    from platui.config.schema import Table
    from platui.config.settings import Settings

_AT_START: Final = frozenset({"mouse", "debug_file"})
"""What a terminal is told, and a log is opened by, once."""


class Changes(NamedTuple):
    """Keys, dotted, in the order of the declarations."""

    taken: tuple[str, ...]
    """What counts as soon as a dashboard is opened anew."""
    at_start: tuple[str, ...]
    """What counts only when platui is started again."""


def changes_between(
    before: tuple[Settings, Iterable[Profile]], after: tuple[Settings, Iterable[Profile]]
) -> Changes:
    """Return which keys are different; each side is settings and the profiles as they are opened.

    What the command line says is in both, so that it is no difference.
    """
    (old, old_profiles), (new, new_profiles) = before, after
    keys = [*_of_settings(old, new), *_of_profiles(old_profiles, new_profiles)]
    return Changes(
        tuple(key for key in keys if key not in _AT_START),
        tuple(key for key in keys if key in _AT_START),
    )


def _of_settings(old: Settings, new: Settings) -> Iterator[str]:
    yield from _of_table(TOP, old, new, "")
    for name, table in SECTIONS.items():
        yield from _of_table(table, getattr(old, name), getattr(new, name), f"{name}.")
    for action in sorted({*old.keys, *new.keys}):
        if old.keys.get(action) != new.keys.get(action):
            yield f"keys.{action}"
    if old.errors != new.errors:
        yield "errors"


def _of_profiles(old: Iterable[Profile], new: Iterable[Profile]) -> Iterator[str]:
    was, now = ({one.name: one for one in some} for some in (old, new))
    for name in [*was, *(name for name in now if name not in was)]:
        if name in was and name in now:
            yield from _of_table(PROFILE, was[name], now[name], f"profiles.{name}.")
        else:
            yield f"profiles.{name}"


def _of_table(table: Table, old: object, new: object, prefix: str) -> Iterator[str]:
    for key in table:
        if getattr(old, key) != getattr(new, key):
            yield prefix + key
