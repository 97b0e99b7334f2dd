"""An error of the user's own, known by a pattern that may be anything."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from platui.config.error_patterns import needed_words

if TYPE_CHECKING:
    from platui.config.settings import ErrorPattern

PATIENCE: Final = 0.01
"""Seconds that a pattern may take for a line. One that takes longer is not tried again."""


class OwnError:
    """One rule of config.toml. It has one line, and is compiled when a line first calls for it."""

    def __init__(self, setting: ErrorPattern) -> None:
        self.name = setting.name
        self.rank = setting.rank
        self.hints = needed_words(setting.pattern)
        self.gave_up = False
        """Whether it took too long: no line is known by it any more."""
        self._setting = setting

    def knows(self, line: str) -> bool:
        """Return whether a line is such an error; its words were looked for already."""
        if self.gave_up:
            return False
        try:
            # Other threads run meanwhile: Python's own engine would hold all of them up.
            if self._pattern.search(line, timeout=PATIENCE, concurrent=True) is None:
                return False
            unless = self._unless
            return unless is None or (
                unless.search(line, timeout=PATIENCE, concurrent=True) is None
            )
        except TimeoutError:
            self.gave_up = True
            return False

    @cached_property
    def _pattern(self) -> Any:
        import regex  # noqa: PLC0415  (only for who has own errors)

        return regex.compile(self._setting.pattern)

    @cached_property
    def _unless(self) -> Any:
        import regex  # noqa: PLC0415  (the same)

        return regex.compile(self._setting.unless) if self._setting.unless else None
