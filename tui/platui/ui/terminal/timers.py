"""Timers of Textual that are due already, such as that of a toast whose time has just passed.

Textual's timer of a negative delay loops for ever, and the app answers nothing any more; one of 0
seconds divides by zero, and one of microseconds may never fire.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from textual.timer import Timer

if TYPE_CHECKING:
    from textual._types import MessageTarget

_begin: Final = Timer.__init__


def _begin_at_once(
    self: Timer,
    event_target: MessageTarget,
    interval: float,
    *,
    repeat: int | None = None,
    skip: bool = True,
    **options: Any,
) -> None:
    if repeat == 0:  # A timer that fires once has nothing to skip
        interval, skip = max(0.0, interval), False
    _begin(self, event_target, interval, repeat=repeat, skip=skip, **options)


def mend_timers() -> None:
    """Change Textual's class, since Textual itself makes such timers."""
    Timer.__init__ = _begin_at_once  # type: ignore[method-assign]
