"""Every key of config.toml, declared once: for checking, showing, editors and telling.

`[profiles.NAME]` is a table of the user's own names, each with the keys of PROFILE;
`[[errors]]` can be there many times, each with the keys of ERROR;
`[keys]` one of action ids, which the keymap knows.
"""

from __future__ import annotations

from platui.config.error_patterns import Pattern
from platui.config.kinds import (
    Address,
    Choice,
    ClearSecret,
    Colour,
    Command,
    FilePath,
    Flag,
    Kind,
    Number,
    Text,
)
from platui.config.profile import NEIGHBOURS, WRITES
from platui.config.settings import DESKTOP_NOTICES, KEYMAPS, NOTIFIED_BRANCHES, STARTS


class Key:
    """One key: what it takes, what it is for, and what a mistake in it does to a start."""

    def __init__(
        self,
        kind: Kind,
        help: str,  # noqa: A002  (its name)
        *,
        required: bool = False,
        harmless: bool = False,
        protects: bool = False,
    ) -> None:
        """Declare it.

        Args:
            kind: what it takes.
            help: a sentence, for people.
            required: whether its table is worth nothing without.
            harmless: whether a start goes on without a value that is wrong.
            protects: whether something is less safe without: then a misspelling is no trifle.
        """
        self.kind = kind
        self.help = help
        self.required = required
        self.harmless = harmless
        self.protects = protects


Table = dict[str, Key]

_THEME = Text("the name of a theme", "auto")

TOP: Table = {
    "default_profile": Key(
        Text("the name of a profile", "prod"),
        "Profile to open where neither --profile nor the environment names one; else the first.",
        protects=True,
    ),
    "theme": Key(
        _THEME,
        "Colours: auto (dark or light as the terminal is), or one that `platui themes` lists.",
        harmless=True,
    ),
    "ascii": Key(Flag(), "Draw with ASCII only; else as the terminal is able.", harmless=True),
    "utc": Key(Flag(), "Show times in UTC rather than in this machine's zone.", harmless=True),
    "start": Key(
        Choice(STARTS),
        "Where to open: the triage board, or where platui was left.",
        harmless=True,
    ),
    "keymap": Key(Choice(KEYMAPS), "Preset of keys; [keys] goes over it.", harmless=True),
    "mouse": Key(Flag(), "Click and wheel; without, the terminal's own selection.", harmless=True),
    "reduced_motion": Key(
        Flag(),
        "Numbers that run move every 15 s, logs that are followed every 3 s.",
        harmless=True,
    ),
    "read_only": Key(Flag(), "No write at all, whatever a profile allows.", protects=True),
    "debug_file": Key(
        FilePath(), "Where to write a log of platui itself; never holds a secret.", harmless=True
    ),
}

SECTIONS: dict[str, Table] = {
    "cache": {
        "disk": Key(Flag(), "Keep the platform's answers on disk between two runs.", protects=True),
        "max_mb": Key(
            Number(1, 100_000, usual=200), "Megabytes that the disk cache may take.", harmless=True
        ),
    },
    "reports": {
        "keep": Key(
            Number(1, 1000, usual=24),
            "Access reports kept of each platform: the newest.",
            protects=True,
        ),
        "keep_monthly": Key(
            Number(0, 1000, usual=12),
            "Months whose last access report stays as well.",
            protects=True,
        ),
    },
    "notify": {
        "bell": Key(
            Flag(),
            "Ring when something breaks, recovers or ends that you asked for.",
            harmless=True,
        ),
        "desktop": Key(
            Choice(DESKTOP_NOTICES),
            "How the terminal is asked to notify: auto goes by its name.",
            harmless=True,
        ),
        "title": Key(Flag(), "Say in the window's title how much is broken.", harmless=True),
        "branches": Key(
            Choice(NOTIFIED_BRANCHES),
            "Of what is told: default branches and versions (main), or all.",
            harmless=True,
        ),
    },
    "poll": {
        "running": Key(
            Number(1, 3600, fractional=True, usual=3),
            "Seconds between two looks at what runs.",
            harmless=True,
        ),
        "idle": Key(
            Number(5, 86_400, fractional=True, usual=30),
            "Seconds between two looks at what rests.",
            harmless=True,
        ),
    },
}

ERROR: Table = {
    "name": Key(Text("a name", "quota"), "What the error is called.", required=True),
    "pattern": Key(Pattern(needs_word=True), "Found in a line that begins one.", required=True),
    "not": Key(Pattern(needs_word=False), "Not found in such a line."),
    "rank": Key(
        Number(0, 100, usual=85), "How near to the cause: a failed log opens at the highest."
    ),
}

PROFILE: Table = {
    "url": Key(Address(), "Root of the platform, with or without /api/v4.", required=True),
    "admin_url": Key(Address(), "Root of the organization's API, for the access report."),
    "production": Key(
        Flag(), "Mistakes are dear here: a red badge in the header, red questions.", protects=True
    ),
    "writes": Key(
        Choice(WRITES),
        "Whether platui may change anything there: never, once it is unlocked, or after a question"
        " (locked and confirm ask, each time).",
        protects=True,
    ),
    "insecure": Key(Flag(), "Accept plain http: the token goes over the line for all to read."),
    "ca_bundle": Key(FilePath(), "Certificates (PEM) trusted besides those of the system."),
    "rate_limit": Key(
        Number(1, 1_000_000, usual=600),
        "Requests a minute that the platform grants.",
        protects=True,
    ),
    "timeout": Key(
        Number(0.1, 3600, fractional=True, usual=30),
        "Seconds to wait for an answer.",
        harmless=True,
    ),
    "neighbours": Key(
        Choice(NEIGHBOURS),
        "Operations that the specification does not promise: auto tries them where a view needs"
        " them, off asks for none.",
        protects=True,
    ),
    "poll_running": Key(
        Number(1, 3600, fractional=True, usual=3), "poll.running, for this profile.", harmless=True
    ),
    "poll_idle": Key(
        Number(5, 86_400, fractional=True, usual=30), "poll.idle, for this profile.", harmless=True
    ),
    "theme": Key(_THEME, "Colours, for this profile.", harmless=True),
    "accent": Key(
        Colour(),
        "The colour of the profile's name, of keys and of focus, made readable on the theme.",
        harmless=True,
    ),
    "token_command": Key(
        Command(), "Program that prints the token; run without a shell, 10 seconds at most."
    ),
    "token_keyring": Key(Flag(), "The token lies in the system's keyring (needs platui[keyring])."),
    "token_file": Key(FilePath(), "File of mode 0600 that holds the token."),
    "trigger_token_command": Key(
        Command(), "Program that prints the trigger token of `{project}`."
    ),
    "admin_key_command": Key(Command(), "Program that prints the organization's key."),
    "admin_key_file": Key(FilePath(), "File of mode 0600 that holds the organization's key."),
    "token": Key(ClearSecret("token_command"), "The token itself; only in a file of mode 0600."),
    "admin_key": Key(ClearSecret("admin_key_command"), "The organization's key itself; the same."),
}
