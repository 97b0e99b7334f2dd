"""Every key of config.toml, declared once: for checking, showing and telling.

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
    Command,
    FilePath,
    Flag,
    Kind,
    Number,
    Text,
)
from platui.config.profile import WRITES
from platui.config.settings import DESKTOP_NOTICES, KEYMAPS, NOTIFIED_BRANCHES, STARTS


class Key:
    """One key: what it takes and what it is for."""

    def __init__(self, kind: Kind, help: str, *, required: bool = False) -> None:  # noqa: A002  (its name)
        self.kind = kind
        self.help = help
        self.required = required


Table = dict[str, Key]

TOP: Table = {
    "default_profile": Key(Text("the name of a profile"), "Profile to open; else the first one."),
    "theme": Key(Text("the name of a theme"), "Colours: platui-dark, platui-light, ansi, or own."),
    "ascii": Key(Flag(), "Draw with ASCII only; else as the terminal is able."),
    "utc": Key(Flag(), "Show times in UTC."),
    "start": Key(Choice(STARTS), "Where to open: the triage board, or where platui was left."),
    "keymap": Key(Choice(KEYMAPS), "Preset of keys."),
    "mouse": Key(Flag(), "Click and wheel."),
    "read_only": Key(Flag(), "No write at all, whatever a profile allows."),
    "debug_file": Key(FilePath(), "Where to write a log of platui itself; never holds a secret."),
}

SECTIONS: dict[str, Table] = {
    "cache": {
        "disk": Key(Flag(), "Keep the platform's answers on disk between two runs."),
        "max_mb": Key(Number(1, 100_000), "Megabytes that the disk cache may take."),
    },
    "reports": {
        "keep": Key(Number(1, 1000), "Access reports kept of each platform: the newest."),
        "keep_monthly": Key(Number(0, 1000), "Months whose last access report stays as well."),
    },
    "notify": {
        "bell": Key(Flag(), "Ring when something breaks, recovers or ends that you asked for."),
        "desktop": Key(Choice(DESKTOP_NOTICES), "How the terminal is asked to notify; else off."),
        "title": Key(Flag(), "Say in the window's title how much is broken."),
        "branches": Key(Choice(NOTIFIED_BRANCHES), "Tell of default branches only, or of all."),
    },
    "poll": {
        "running": Key(Number(1, 3600, fractional=True), "Seconds between looks at what runs."),
        "idle": Key(Number(5, 86_400, fractional=True), "Seconds between looks at what rests."),
    },
}

ERROR: Table = {
    "name": Key(Text("a name"), "What the error is called.", required=True),
    "pattern": Key(Pattern(needs_word=True), "Found in a line that begins one.", required=True),
    "not": Key(Pattern(needs_word=False), "Not found in such a line."),
    "rank": Key(Number(0, 100), "How near to the cause: a failed log opens at the highest."),
}

PROFILE: Table = {
    "url": Key(Address(), "Root of the platform.", required=True),
    "admin_url": Key(Address(), "Root of the organization's API."),
    "production": Key(Flag(), "Say in red that this is production."),
    "writes": Key(Choice(WRITES), "Whether platui may change anything there."),
    "insecure": Key(Flag(), "Accept plain http."),
    "ca_bundle": Key(FilePath(), "Certificates trusted besides those of the system."),
    "rate_limit": Key(Number(1, 1_000_000), "Requests a minute that the platform grants."),
    "timeout": Key(Number(0.1, 3600, fractional=True), "Seconds to wait for an answer."),
    "token_command": Key(Command(), "Program that prints the token."),
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
