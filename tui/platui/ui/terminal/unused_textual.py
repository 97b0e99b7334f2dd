"""Keep the parts of Textual that no app of ours uses from being imported or compiled."""

from __future__ import annotations

import re
import sys
from functools import cached_property
from types import ModuleType, SimpleNamespace
from typing import Final

COMMAND_PALETTE: Final = "textual.command"


class _Unused(ModuleType):
    def __getattr__(self, name: str) -> type:
        """Return an empty class, also for what a later Textual imports."""
        if name.startswith("_"):
            raise AttributeError(name)
        found = type(name, (), {})
        setattr(self, name, found)
        return found


class LatePattern:
    """A regular expression that is compiled on first use."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile(self._text)

    def match(self, text: str, start: int) -> re.Match[str] | None:
        return self._pattern.match(text, start)

    def search(self, text: str, start: int) -> re.Match[str] | None:
        return self._pattern.search(text, start)


def skip_unused() -> None:
    """Prepare the import of Textual; no effect on what is imported already.

    The command palette brings trees, selects and option lists: 16 modules, 7 % of the start. All
    apps set `ENABLE_COMMAND_PALETTE = False`. Of the tokenizers for styles and markup, half have
    nothing to read: compiling their long patterns is 2 % of the start.
    """
    sys.modules.setdefault(COMMAND_PALETTE, _Unused(COMMAND_PALETTE))
    from textual.css import tokenizer  # noqa: PLC0415  (after the terminal is prepared)

    vars(tokenizer)["re"] = SimpleNamespace(compile=LatePattern)
