"""What the user chose, from the file and the command line, as frozen values."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from platui.config.profile import Profile
    from platui.core.errors import ConfigError

Keymap = Literal["k9s", "vim", "lazygit"]
"""The presets of keys."""

KEYMAPS: tuple[str, ...] = get_args(Keymap)

Start = Literal["triage", "last"]
"""Where `platui` opens: on the triage board, or where it was left."""

STARTS: tuple[str, ...] = get_args(Start)


@dataclass(frozen=True, slots=True)
class Options:
    """The global options of the command line. None or False: not given."""

    profile: str | None = None
    url: str | None = None
    read_only: bool = False
    ascii: bool = False
    utc: bool = False
    config: Path | None = None
    debug: Path | None = None


class CacheSettings(NamedTuple):
    """What of the platform's answers is kept on disk."""

    disk: bool = True
    max_mb: int = 200


class ReportSettings(NamedTuple):
    """The access reports that are kept."""

    keep: int = 24
    """Of each platform, the newest. One of 100 MB takes some 35 MB."""
    keep_monthly: int = 12
    """Months, the latest that have reports, of which the last report stays as well; 0: of none."""


class PollSettings(NamedTuple):
    """Seconds between two looks at what is on screen, before the budget has its say."""

    running: float = 3.0
    """While something on screen is running."""
    idle: float = 30.0
    """While nothing is."""


DesktopNotice = Literal["auto", "osc9", "osc777", "osc99", "off"]
"""How a terminal is asked to notify; `auto`: by its name."""

DESKTOP_NOTICES: tuple[str, ...] = get_args(DesktopNotice)


NotifiedBranches = Literal["main", "all"]

NOTIFIED_BRANCHES: tuple[str, ...] = get_args(NotifiedBranches)


class NotifySettings(NamedTuple):
    """How somebody is told who looks elsewhere: of what broke, what is green again, what ended."""

    bell: bool = False
    desktop: DesktopNotice = "auto"
    title: bool = True
    """Whether the window's title says how much is broken."""
    branches: NotifiedBranches = "main"
    """Of which branches anybody is told: each project's default one and its versions, or all."""


class ErrorPattern(NamedTuple):
    """An error of the user's own."""

    name: str
    pattern: str
    unless: str = ""
    """Not found in such a line; empty: whatever else is in it."""
    rank: int = 85
    """How near to the cause, 0 to 100."""


def _no_profiles() -> Mapping[str, Profile]:
    return MappingProxyType({})


def _no_keys() -> Mapping[str, str]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything of config.toml, with the command line's word over it."""

    profiles: Mapping[str, Profile] = field(default_factory=_no_profiles)
    default_profile: str = ""
    """Name of the profile to open; empty: the first of the file."""
    theme: str = "auto"
    """Name of one; `auto`: the house's dark or light one, as the terminal is."""
    ascii: bool | None = None
    """Draw with ASCII only; None: as the terminal is able."""
    utc: bool = False
    """Show times in UTC rather than in local time."""
    start: Start = "triage"
    keymap: Keymap = "k9s"
    keys: Mapping[str, str] = field(default_factory=_no_keys)
    """Id of an action -> its keys, separated by commas, over the preset."""
    mouse: bool = True
    reduced_motion: bool | None = None
    """Whether what moves by itself moves seldom; None: as TEXTUAL_ANIMATIONS says."""
    cache: CacheSettings = field(default_factory=CacheSettings)
    reports: ReportSettings = field(default_factory=ReportSettings)
    poll: PollSettings = field(default_factory=PollSettings)
    notify: NotifySettings = field(default_factory=NotifySettings)
    errors: tuple[ErrorPattern, ...] = ()
    """Errors of the user's own, tried before all others."""
    debug_file: Path | None = None
    read_only: bool = False
    """No write at all, whatever the profile allows."""
    file: Path | None = None
    """The config.toml that was read; None: there is none."""
    problem: ConfigError | None = None
    """What of it was left out of account, to be said once; None: nothing."""
