"""One fault as it was asked for: which requests it strikes, how often, and how hard."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from platui.emulator.faults.kinds import KINDS, REFUSE, Setting

if TYPE_CHECKING:
    from collections.abc import Mapping

EVERY_API: Final = r"^/(api/v4|admin/api/v1)(/|\?|$)"
"""Path and query of the requests that a fault strikes where none are named."""

_METHODS: Final = ("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH")
_OF_REQUESTS: Final = ("path", "method", "times", "after")


class FaultError(ValueError):
    """A fault that cannot be set; the text is one sentence for whoever asked for it."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault that can be set."""

    kind: str
    path: re.Pattern[str]
    method: str | None
    times: int | None
    """How often it strikes; None for ever."""
    after: int
    """How many of its requests pass unharmed before the first strike."""
    settings: Mapping[str, float | str]

    def number(self, name: str) -> float:
        """Return a setting that is a number."""
        return float(self.settings[name])

    def whole(self, name: str) -> int:
        """Return a setting that is a whole number."""
        return int(self.settings[name])

    def meets(self, method: str, target: str) -> bool:
        """Tell whether a request (path and query) is one of its own."""
        return self.method in {None, method} and self.path.search(target) is not None

    def as_json(self) -> dict[str, Any]:
        """Return what was asked for, defaults filled in."""
        of_requests = {
            "path": self.path.pattern,
            "method": self.method,
            "times": self.times,
            "after": self.after,
        }
        return (
            {"kind": self.kind} | ({} if self.kind == REFUSE else of_requests) | {**self.settings}
        )


def read_fault(wish: Mapping[str, Any]) -> Fault:
    """Read what was asked for.

    Raises:
        FaultError: it is no fault; the sentence says why.
    """
    name = wish.get("kind")
    if not isinstance(name, str) or name not in KINDS:
        said = "is missing" if name is None else f"{name!r} is not known"
        raise FaultError(f"kind {said}; there is: {', '.join(KINDS)}.")
    kind = KINDS[name]
    known = [*(() if name == REFUSE else _OF_REQUESTS), *kind.settings]
    for given in wish:
        if given not in {"kind", *known}:
            raise FaultError(f"{name} has no {given!r}; it takes: {', '.join(known)}.")
    times = wish.get("times")
    return Fault(
        name,
        _path(wish.get("path", EVERY_API)),
        _method(wish.get("method")),
        None if times is None else _count("times", times, 1),
        _count("after", wish.get("after", 0), 0),
        {key: _setting(key, wish, setting) for key, setting in kind.settings.items()},
    )


def _path(value: object) -> re.Pattern[str]:
    if not isinstance(value, str):
        raise FaultError("path is a regular expression.")
    try:
        return re.compile(value)
    except re.error as error:
        raise FaultError(f"path is not a regular expression: {error}.") from error


def _method(value: object) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str) or value.upper() not in _METHODS:
        raise FaultError(f"method is one of {', '.join(_METHODS)}.")
    return value.upper()


def _count(name: str, value: object, least: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise FaultError(f"{name} is a whole number from {least} up.")
    return value


def _setting(name: str, wish: Mapping[str, Any], setting: Setting) -> float | str:
    value = wish.get(name, setting.default)
    if setting.among:
        if isinstance(value, bool) or value not in setting.among:
            raise FaultError(f"{name} is one of {', '.join(map(str, setting.among))}.")
        return value  # type: ignore[no-any-return]  # one of ours
    numbers = int if setting.whole else int | float
    # False for what is not a number, too.
    if isinstance(value, bool) or not isinstance(value, numbers):
        raise FaultError(f"{name} is a {'whole number' if setting.whole else 'number'}.")
    if not setting.least <= value <= setting.most:
        raise FaultError(f"{name} is a number from {setting.least:g} to {setting.most:,.0f}.")
    return value
