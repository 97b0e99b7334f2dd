"""The user's settings, from the file and the command line, as frozen values.

A field with a Key is a key of config.toml: its type, its default, what it is for and what
a mistake does are declared here only (`platui.config.schema` reads them).
"""

# Annotations are evaluated here: the keys are read off them.

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Final, Literal, NamedTuple, get_args

from platui.config.error_patterns import Pattern
from platui.config.value_kinds import HARMLESS, PROTECTS, Key, Number, Text
from platui.core.errors import ConfigError

if TYPE_CHECKING:
    from platui.config.profile import Profile

Keymap = Literal["k9s", "vim", "lazygit"]
KEYMAPS: Final[tuple[str, ...]] = get_args(Keymap)

Start = Literal["triage", "last"]
DesktopNotice = Literal["auto", "osc9", "osc777", "osc99", "off"]
NotifiedBranches = Literal["main", "all"]

THEME: Final = Text("the name of a theme", "auto")
RUNNING: Final = Number(1, 3600, fractional=True, example="3")
IDLE: Final = Number(5, 86_400, fractional=True, example="30")


class Options(NamedTuple):
    """The global options of the command line. None or False: not given."""

    profile: str | None = None
    url: str | None = None
    read_only: bool = False
    ascii: bool = False
    utc: bool = False
    config: Path | None = None
    debug: Path | None = None


class CacheSettings(NamedTuple):
    """The keys of [cache]."""

    disk: Annotated[
        bool, Key("Keep the platform's answers on disk between two runs.", PROTECTS)
    ] = True
    max_mb: Annotated[
        int, Key("Megabytes that the disk cache may take.", HARMLESS, Number(1, 100_000))
    ] = 200


class ReportSettings(NamedTuple):
    """The keys of [reports]."""

    keep: Annotated[
        int, Key("Access reports kept of each platform: the newest.", PROTECTS, Number(1, 1000))
    ] = 24
    """One of 100 MB takes some 35 MB."""
    keep_monthly: Annotated[
        int,
        Key("Months whose last access report stays as well.", PROTECTS, Number(0, 1000)),
    ] = 12
    """The latest months that have reports."""


class NotifySettings(NamedTuple):
    """The keys of [notify]."""

    bell: Annotated[
        bool, Key("Ring when something breaks, recovers or ends that you asked for.", HARMLESS)
    ] = False
    desktop: Annotated[
        DesktopNotice,
        Key("How the terminal is asked to notify: auto goes by its name.", HARMLESS),
    ] = "auto"
    title: Annotated[bool, Key("Say in the window's title how much is broken.", HARMLESS)] = True
    branches: Annotated[
        NotifiedBranches,
        Key("Of what is told: default branches and versions (main), or all.", HARMLESS),
    ] = "main"


class PollSettings(NamedTuple):
    """The keys of [poll]; the request budget may slow both down."""

    running: Annotated[float, Key("Seconds between two looks at what runs.", HARMLESS, RUNNING)] = (
        3.0
    )
    idle: Annotated[float, Key("Seconds between two looks at what rests.", HARMLESS, IDLE)] = 30.0


class ErrorPattern(NamedTuple):
    """The keys of one of [[errors]]: an error of the user's own."""

    name: Annotated[str, Key("What the error is called.", kind=Text("a name", "quota"))]
    pattern: Annotated[str, Key("Found in a line that begins one.", kind=Pattern(needs_word=True))]
    unless: Annotated[
        str, Key("Not found in such a line.", kind=Pattern(needs_word=False), name="not")
    ] = ""
    rank: Annotated[
        int,
        Key("How near to the cause: a failed log opens at the highest.", kind=Number(0, 100)),
    ] = 85


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything in config.toml; options of the command line override it."""

    default_profile: Annotated[
        str,
        Key(
            "Profile to open where neither --profile nor the environment names one;"
            " else the first.",
            PROTECTS,
            Text("the name of a profile", "prod"),
        ),
    ] = ""
    theme: Annotated[
        str,
        Key(
            "Colours: auto (dark or light as the terminal is), or one that `platui themes` lists.",
            HARMLESS,
            THEME,
        ),
    ] = "auto"
    ascii: Annotated[
        bool | None, Key("Draw with ASCII only; else as the terminal is able.", HARMLESS)
    ] = None
    utc: Annotated[bool, Key("Show times in UTC rather than in this machine's zone.", HARMLESS)] = (
        False
    )
    start: Annotated[
        Start, Key("Where to open: the triage board, or where platui was left.", HARMLESS)
    ] = "triage"
    keymap: Annotated[Keymap, Key("Preset of keys; [keys] goes over it.", HARMLESS)] = "k9s"
    mouse: Annotated[
        bool, Key("Click and wheel; without, the terminal's own selection.", HARMLESS)
    ] = True
    reduced_motion: Annotated[
        bool | None,
        Key("Numbers that run move every 15 s, logs that are followed every 3 s.", HARMLESS),
    ] = None
    """None: TEXTUAL_ANIMATIONS decides."""
    read_only: Annotated[bool, Key("No write at all, whatever a profile allows.", PROTECTS)] = False
    debug_file: Annotated[
        Path | None,
        Key("Where to write a log of platui itself; never holds a secret.", HARMLESS),
    ] = None
    cache: CacheSettings = field(default_factory=CacheSettings)
    reports: ReportSettings = field(default_factory=ReportSettings)
    notify: NotifySettings = field(default_factory=NotifySettings)
    poll: PollSettings = field(default_factory=PollSettings)
    errors: tuple[ErrorPattern, ...] = ()  # Tried before all other errors
    keys: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Id of an action -> its keys, separated by commas, over the preset."""
    profiles: Mapping[str, "Profile"] = field(default_factory=lambda: MappingProxyType({}))
    file: Path | None = None  # The config.toml that was read; None: there is none
    problem: ConfigError | None = None
    """The keys that were ignored, to be reported once; None: none."""
