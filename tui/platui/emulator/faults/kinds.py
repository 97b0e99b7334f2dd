"""Which kinds of fault there are, what can be set of each, and what is said of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

REFUSE: Final = "refuse"
"""The one kind that strikes the door instead of a request."""

_A_DAY: Final = 86_400.0
_LONGEST: Final = 1 << 26
_STATUS: Final = (500, 502, 503, 504)


@dataclass(frozen=True, slots=True)
class Setting:
    """One thing that can be set: a number within bounds, or one of several values."""

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
    "latency": Kind("the answer comes later", {"seconds": Setting(1.0), "jitter": Setting(0.0)}),
    "bandwidth": Kind(
        "bodies come at so many bytes a second",
        {
            "rate": Setting(10_000, 1, _LONGEST),
            "direction": Setting("down", among=("down", "both")),
        },
    ),
    "quota": Kind(
        "429 with every header of the quota",
        {"seconds": Setting(30, 1, whole=True), "limit": Setting(600, 1, _LONGEST, whole=True)},
    ),
    "limiter": Kind("429 in JSON, without a header that says more"),
    "server_error": Kind("5xx in JSON", {"status": Setting(500, among=_STATUS)}),
    "html": Kind(
        "a proxy's web page in place of the answer", {"status": Setting(502, among=(502, 200))}
    ),
    "reset_before": Kind("the connection is reset before the answer"),
    "reset_during": Kind("the connection is reset in the middle of the body", {"bytes": _BYTES}),
    "reset_after": Kind("the whole answer, then a reset"),
    "truncated": Kind("the body ends too early", {"bytes": _BYTES}),
    "hang": Kind("no answer, and after a time the end", {"seconds": Setting(60.0)}),
    "expired": Kind("401: the token has expired"),
    "revoked": Kind("401: the token was revoked"),
    "clock_skew": Kind(
        "the platform's clock is wrong by so many seconds",
        {"seconds": Setting(3600, -365 * _A_DAY, 365 * _A_DAY, whole=True)},
    ),
    "endless": Kind(
        "after so many pages a list begins again, and never ends",
        {"pages": Setting(1, 1, _LONGEST, whole=True)},
    ),
    "shifting": Kind(
        "so many new rows come on top while a list is read page by page",
        {"rows": Setting(1, 1, 99, whole=True)},
    ),
    "garbage": Kind(
        "200, and a body that is none",
        {"what": Setting("json", among=("json", "encoding", "type"))},
    ),
    "slow_body": Kind("the body comes byte by byte", {"seconds": Setting(0.05)}),
    "wrong_length": Kind(
        "Content-Length says so many bytes too many, or too few",
        {"by": Setting(10, -_LONGEST, _LONGEST, whole=True), "seconds": Setting(60.0)},
    ),
    REFUSE: Kind("nobody answers the door", {"seconds": Setting(10.0)}),
}  # fmt: skip
