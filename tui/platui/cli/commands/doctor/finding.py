"""Findings of `platui doctor`: status, text and fix."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from platui.cli.error_output import exit_code_of, hint_of
from platui.cli.exit_codes import Exit
from platui.core.dataclass import dataclass
from platui.core.text import clean
from platui.present.counts import counted

if TYPE_CHECKING:
    from platui.config.profile import Profile
    from platui.core.errors import PlatuiError

SCHEMA: Final = "platui.doctor/1"


class Level(StrEnum):
    OK = "ok"
    WARNING = "warning"
    FAILED = "failed"
    SKIPPED = "skipped"


# The glyph of each level, in Unicode and in ASCII, and its colour
_SIGNS: Final[Mapping[Level, tuple[str, str, str]]] = {
    Level.OK: ("✔", "+", "32"),
    Level.WARNING: ("▲", "!", "33"),
    Level.FAILED: ("✖", "x", "31"),
    Level.SKIPPED: ("»", ">", "2"),
}
_LEVEL_WIDTH: Final = max(map(len, Level))
_NAME_WIDTH: Final = 11
_MARGIN: Final = 2 + _LEVEL_WIDTH + 1 + _NAME_WIDTH + 1
_MIN_WIDTH: Final = 50


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check."""

    name: str  # One word; several findings may share it
    level: Level
    what: str  # One clean line, without secrets; with SKIPPED, the reason
    remedy: str = ""
    # JSON values for scripts; their names are stable
    facts: Mapping[str, Any] = field(default_factory=dict)
    code: Exit = Exit.DONE  # Exit code if it failed


def works(name: str, what: str, remedy: str = "", /, **facts: Any) -> Finding:
    """Return a passed finding; a warning if it has a remedy."""
    level = Level.WARNING if remedy else Level.OK
    return Finding(name, level, clean(what), clean(remedy), facts)


def failed(name: str, what: str, remedy: str, code: Exit = Exit.USAGE, /, **facts: Any) -> Finding:
    return Finding(name, Level.FAILED, clean(what), clean(remedy), facts, code)


def skipped(name: str, why: str, /, **facts: Any) -> Finding:
    return Finding(name, Level.SKIPPED, clean(why), facts=facts)


def failure(name: str, error: PlatuiError, remedy: str = "", /, **facts: Any) -> Finding:
    return failed(name, error.sentence, remedy or hint_of(error), exit_code_of(error), **facts)


def init_command(profile: Profile) -> str:
    """Return the command that replaces the token of a profile, or creates the profile."""
    return "platui init" if profile.ephemeral else f"platui init {clean(profile.name)}"


def exit_code(findings: Iterable[Finding]) -> Exit:
    # The first failure counts: later ones may be its consequences.
    codes = (one.code for one in findings if one.level is Level.FAILED)
    return next(codes, Exit.DONE)


def finding_lines(
    finding: Finding, width: int, *, ascii_only: bool, coloured: bool
) -> Iterator[str]:
    """Yield the lines of a finding, remedy last. `width` is in cells; 0: unlimited."""
    *glyphs, colour = _SIGNS[finding.level]
    sign = f"{glyphs[ascii_only]} {finding.level.value:<{_LEVEL_WIDTH}}"
    if coloured:
        sign = f"\x1b[{colour}m{sign}\x1b[0m"
    head = f"{sign} {finding.name:<{_NAME_WIDTH}} "
    for line in _wrapped(finding.what, width):
        yield (head + line).rstrip()
        head = " " * _MARGIN
    arrow = "-> " if ascii_only else "→ "
    for line in _wrapped(finding.remedy, width - len(arrow) if width else 0):
        yield f"{' ' * _MARGIN}{arrow}{line}"
        arrow = " " * len(arrow)


def summary(findings: Iterable[Finding]) -> str:
    levels = [one.level for one in findings]
    count, warned = levels.count(Level.FAILED), levels.count(Level.WARNING)
    parts = [f"{count} failed"] * bool(count)
    parts += [counted(warned, "warning")] * bool(warned)
    return f"{', '.join(parts)}." if parts else "No problems found."


def _wrapped(text: str, width: int) -> list[str]:
    if not text or not width:
        return [text] if text else []
    room = max(_MIN_WIDTH, width) - _MARGIN
    return textwrap.wrap(text, room, break_on_hyphens=False)
