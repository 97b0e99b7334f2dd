"""The kinds of faults, and the faults that are set, with their counters."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Final

REFUSE: Final = "refuse"
"""The one kind that strikes the door instead of a request."""

_A_DAY: Final = 86_400.0
_LONGEST: Final = 1 << 26
_STATUS: Final = (500, 501, 502, 503, 504)


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting of a fault: a number within bounds, or one of several values."""

    default: float | str
    least: float = 0.0
    most: float = _A_DAY
    among: tuple[int | str, ...] = ()
    """The values that are allowed; empty for a number within bounds."""
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of fault."""

    about: str
    settings: Mapping[str, Setting] = field(default_factory=dict)


_BYTES: Final = Setting(64, 0, _LONGEST, whole=True)

KINDS: Final[Mapping[str, Kind]] = {
    "latency": Kind("the response is delayed", {"seconds": Setting(1.0), "jitter": Setting(0.0)}),
    "bandwidth": Kind(
        "limits the bytes per second of bodies",
        {
            "rate": Setting(10_000, 1, _LONGEST),
            "direction": Setting("down", among=("down", "both")),
        },
    ),
    "quota": Kind(
        "429 with all quota headers",
        {"seconds": Setting(30, 1, whole=True), "limit": Setting(600, 1, _LONGEST, whole=True)},
    ),
    "limiter": Kind("429 in JSON without quota headers"),
    "server_error": Kind("5xx in JSON", {"status": Setting(500, among=_STATUS)}),
    "html": Kind(
        "an HTML page instead of the response", {"status": Setting(502, among=(502, 200))}
    ),
    "reset_before": Kind("the connection is reset before the response"),
    "reset_during": Kind("the connection is reset in the middle of the body", {"bytes": _BYTES}),
    "reset_after": Kind("the connection is reset after the response"),
    "truncated": Kind("the body ends too early", {"bytes": _BYTES}),
    "hang": Kind("no response, until the connection is closed", {"seconds": Setting(60.0)}),
    "expired": Kind("401: the token has expired"),
    "revoked": Kind("401: the token was revoked"),
    "clock_skew": Kind(
        "the platform's clock is wrong, by default by an hour",
        {"seconds": Setting(3600, -365 * _A_DAY, 365 * _A_DAY, whole=True)},
    ),
    "endless": Kind(
        "a list begins again after its first pages and never ends",
        {"pages": Setting(1, 1, _LONGEST, whole=True)},
    ),
    "shifting": Kind(
        "new rows move a list while it is read page by page",
        {"rows": Setting(1, 1, 99, whole=True)},
    ),
    "garbage": Kind(
        "200 with an invalid body",
        {"what": Setting("json", among=("json", "encoding", "type"))},
    ),
    "slow_body": Kind("the body is sent byte by byte", {"seconds": Setting(0.05)}),
    "wrong_length": Kind(
        "Content-Length is too large or too small",
        {"by": Setting(10, -_LONGEST, _LONGEST, whole=True), "seconds": Setting(60.0)},
    ),
    REFUSE: Kind("connections are refused", {"seconds": Setting(10.0)}),
}  # fmt: skip


EVERY_API: Final = r"^/(api/v4|admin/api/v1)(/|\?|$)"
"""Path and query of the requests that a fault strikes where none are named."""

_METHODS: Final = ("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH")
_OF_REQUESTS: Final = ("path", "method", "times", "after")


class FaultError(ValueError):
    """Raised for an invalid fault, with a message for the caller."""


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
        return float(self.settings[name])

    def whole(self, name: str) -> int:
        """Return a setting that is a whole number."""
        return int(self.settings[name])

    def meets(self, method: str, target: str) -> bool:
        """Return whether a request (path and query) matches this fault."""
        return self.method in {None, method} and self.path.search(target) is not None

    def as_json(self) -> dict[str, Any]:
        """Return the settings, with defaults filled in."""
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
    """Parse the settings of a fault. Raises FaultError: the settings are invalid."""
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


@dataclass(slots=True)
class _Set:
    """A fault that is set."""

    fault: Fault
    met: int = 0
    struck: int = 0

    def strikes(self, method: str, target: str) -> bool:
        """Count a request, and return whether the fault applies."""
        fault = self.fault
        if not fault.meets(method, target):
            return False
        self.met += 1
        if self.met <= fault.after or (fault.times is not None and self.struck >= fault.times):
            return False
        self.struck += 1
        return True


class Faults:
    """Every fault that is set, by number; those set first stand nearest to the client."""

    def __init__(self) -> None:
        self._set: dict[int, _Set] = {}
        self._numbers = count(1)
        self._heed: Callable[[], None] = lambda: None

    def on_change(self, heed: Callable[[], None]) -> None:
        """Call this at every change from now on."""
        self._heed = heed

    def put(self, wish: Mapping[str, Any]) -> int:
        """Set a fault and return its number. Raises FaultError: there is no such fault."""
        fault = read_fault(wish)
        number = next(self._numbers)
        self._set[number] = _Set(fault, struck=int(fault.kind == REFUSE))
        self._heed()
        return number

    def clear(self) -> int:
        """Take all faults away and return how many there were."""
        gone = len(self._set)
        self._set.clear()
        self._heed()
        return gone

    def drop(self, number: int) -> bool:
        """Take one fault away; return whether it was there."""
        gone = self._set.pop(number, None) is not None
        self._heed()
        return gone

    def striking(self, method: str, target: str) -> list[Fault]:
        """Count a request, and return the faults that strike it."""
        return [one.fault for one in self._set.values() if one.strikes(method, target)]

    def refusal(self) -> tuple[int, float] | None:
        """Return number and seconds of the fault that keeps the door shut, if one does."""
        for number, one in self._set.items():
            if one.fault.kind == REFUSE:
                return number, one.fault.number("seconds")
        return None

    def as_json(self) -> list[dict[str, Any]]:
        """Return every fault with its number and how often it has struck."""
        return [
            {"id": number, **one.fault.as_json(), "struck": one.struck}
            for number, one in self._set.items()
        ]
