"""The user's settings, from config.toml and the command line, declared with Key."""

# No postponed annotations: the schema reads the keys from them.

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Final, Literal, get_args

from platui.config.error_patterns import Pattern
from platui.config.value_kinds import HARMLESS, PROTECTS, Command, Key, Names, Number, Text
from platui.core.dataclass import dataclass
from platui.core.errors import ConfigError
from platui.core.named_tuple import NamedTuple

if TYPE_CHECKING:
    from platui.config.profile import Profile

Keymap = Literal["k9s", "vim", "lazygit"]
KEYMAPS: Final[tuple[str, ...]] = get_args(Keymap)

Start = Literal["triage", "last"]
DesktopNotice = Literal["auto", "osc9", "osc777", "osc99", "off"]
NotifiedBranches = Literal["main", "all"]
Output = Literal["pane", "terminal"]

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
    disk: Annotated[bool, Key("Cache the platform's responses on disk.", PROTECTS)] = True
    max_mb: Annotated[
        int, Key("Maximum size of the disk cache in megabytes.", HARMLESS, Number(1, 100_000))
    ] = 200


class ReportSettings(NamedTuple):
    keep: Annotated[
        int, Key("Number of newest access reports kept per platform.", PROTECTS, Number(1, 1000))
    ] = 24
    keep_monthly: Annotated[
        int,
        Key(
            "Number of months whose last access report is kept as well.", PROTECTS, Number(0, 1000)
        ),
    ] = 12


class NotifySettings(NamedTuple):
    bell: Annotated[
        bool,
        Key("Ring the bell for notifications: failures, recoveries, awaited pipelines.", HARMLESS),
    ] = False
    desktop: Annotated[
        DesktopNotice,
        Key("Escape sequence for desktop notifications; auto: by the terminal's name.", HARMLESS),
    ] = "auto"
    title: Annotated[bool, Key("Show the number of incidents in the window title.", HARMLESS)] = (
        True
    )
    branches: Annotated[
        NotifiedBranches,
        Key("Notify of default branches and versions (main), or all branches.", HARMLESS),
    ] = "main"


class PollSettings(NamedTuple):
    """The keys of [poll]; the request budget may extend both."""

    running: Annotated[
        float, Key("Seconds between refreshes of running pipelines and jobs.", HARMLESS, RUNNING)
    ] = 3.0
    idle: Annotated[float, Key("Seconds between refreshes of everything else.", HARMLESS, IDLE)] = (
        30.0
    )


class ErrorPattern(NamedTuple):
    name: Annotated[str, Key("Name of the error.", kind=Text("a name", "quota"))]
    pattern: Annotated[
        str,
        Key(
            "Regular expression that matches the error's first line.", kind=Pattern(needs_word=True)
        ),
    ]
    unless: Annotated[
        str,
        Key(
            "Regular expression that must not match that line.",
            kind=Pattern(needs_word=False),
            name="not",
        ),
    ] = ""
    rank: Annotated[
        int,
        Key(
            "Priority: a failed log opens at the error with the highest rank.", kind=Number(0, 100)
        ),
    ] = 85


class OwnAction(NamedTuple):
    """A command of the user, on a key."""

    key: Annotated[
        str, Key("Keys of the action, separated by commas.", kind=Text("a key", "ctrl+t"))
    ]
    title: Annotated[
        str, Key("Name in footer, help and palette.", kind=Text("a title", "Open a ticket"))
    ]
    command: Annotated[
        tuple[str, ...],
        Key(
            "Program and arguments, in which {project} {pipeline} {job} {url} {error} {ref} are"
            " replaced.",
            kind=Command("ticket", "new", "--link={url}"),
        ),
    ]
    views: Annotated[
        tuple[str, ...],
        Key(
            "Views in which it applies; default: all.",
            kind=Names("names of views", ("triage", "log")),
        ),
    ] = ()
    output: Annotated[
        Output, Key("Where its output goes: pane is a view of platui, terminal the whole terminal.")
    ] = "pane"
    shell: Annotated[
        bool,
        Key("Run the first word of command as a shell script; the others are $1, $2 and so on."),
    ] = False
    writes: Annotated[bool, Key("Lock and confirm it like writes to the platform.", PROTECTS)] = (
        False
    )
    token: Annotated[bool, Key("Pass the access token to it, as PLATUI_TOKEN.", PROTECTS)] = False


@dataclass(frozen=True, slots=True)
class Settings:
    """The values of config.toml, overridden by command-line options."""

    default_profile: Annotated[
        str,
        Key(
            "Profile to open unless --profile or the environment selects one; default: the first.",
            PROTECTS,
            Text("the name of a profile", "prod"),
        ),
    ] = ""
    theme: Annotated[
        str,
        Key(
            "Colours: auto (dark or light, like the terminal), or a name from `platui themes`.",
            HARMLESS,
            THEME,
        ),
    ] = "auto"
    ascii: Annotated[
        bool | None,
        Key("Draw with ASCII characters only; default: if the terminal needs it.", HARMLESS),
    ] = None
    utc: Annotated[bool, Key("Show times in UTC instead of local time.", HARMLESS)] = False
    start: Annotated[Start, Key("First view: the triage board, or the last view.", HARMLESS)] = (
        "triage"
    )
    keymap: Annotated[Keymap, Key("Preset of key bindings; [keys] overrides it.", HARMLESS)] = "k9s"
    mouse: Annotated[bool, Key("Use the mouse; if false, the terminal selects text.", HARMLESS)] = (
        True
    )
    reduced_motion: Annotated[
        bool | None,
        Key("Update running times every 15 s and followed logs every 3 s.", HARMLESS),
    ] = None
    read_only: Annotated[bool, Key("Forbid all writes, whatever the profile allows.", PROTECTS)] = (
        False
    )
    debug_file: Annotated[
        Path | None,
        Key("File for the log of all requests, without secrets.", HARMLESS),
    ] = None
    cache: CacheSettings = field(default_factory=CacheSettings)
    reports: ReportSettings = field(default_factory=ReportSettings)
    notify: NotifySettings = field(default_factory=NotifySettings)
    poll: PollSettings = field(default_factory=PollSettings)
    errors: tuple[ErrorPattern, ...] = ()
    keys: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Action id -> its keys, separated by commas; overrides the preset."""
    actions: Mapping[str, OwnAction] = field(default_factory=lambda: MappingProxyType({}))
    profiles: Mapping[str, "Profile"] = field(default_factory=lambda: MappingProxyType({}))
    file: Path | None = None  # The config.toml that was read, if any
    problem: ConfigError | None = None  # The ignored keys, to be reported once
