"""A profile: one platform, how to sign in to it, and how careful to be there.

A field with a Key is a key of [profiles.NAME], as in `platui.config.settings`.
"""

# Annotations are evaluated here: the keys are read off them.

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal, Optional, get_args

from platui.config.settings import IDLE, RUNNING, THEME
from platui.config.value_kinds import HARMLESS, PROTECTS, Address, ClearSecret, Colour, Key, Number

if TYPE_CHECKING:
    from platui.core.secrets import Secret

Writes = Literal["off", "locked", "confirm"]
WRITES: Final[tuple[str, ...]] = get_args(Writes)

NeighbourUse = Literal["auto", "off"]


@dataclass(frozen=True, slots=True)
class Profile:
    """One configured platform, with the sources of its secrets, not their values."""

    name: str
    url: Annotated[str, Key("Root of the platform, with or without /api/v4.", kind=Address())]
    """Without `/api/v4` and without a slash at the end."""
    admin_url: Annotated[
        str | None,
        Key("Root of the organization's API, for the access report.", kind=Address()),
    ] = None
    """Of spec §4.3, where there is one."""
    production: Annotated[
        bool, Key("Mistakes are dear here: a red badge in the header, red questions.", PROTECTS)
    ] = False
    writes: Annotated[
        Writes,
        Key(
            "Whether platui may change anything there: never, once it is unlocked, or after a"
            " question (locked and confirm ask, each time).",
            PROTECTS,
        ),
    ] = "locked"
    insecure: Annotated[
        bool, Key("Accept plain http: the token goes over the line for all to read.")
    ] = False
    """To a host that is not loopback."""
    ca_bundle: Annotated[
        Path | None, Key("Certificates (PEM) trusted besides those of the system.")
    ] = None
    rate_limit: Annotated[
        int,
        Key("Requests a minute that the platform grants.", PROTECTS, Number(1, 1_000_000)),
    ] = 600
    """To one user (spec §8)."""
    timeout: Annotated[
        float,
        Key("Seconds to wait for an answer.", HARMLESS, Number(0.1, 3600, fractional=True)),
    ] = 30.0
    neighbours: Annotated[
        NeighbourUse,
        Key(
            "Operations that the specification does not promise: auto tries them where a view"
            " needs them, off asks for none.",
            PROTECTS,
        ),
    ] = "auto"
    poll_running: Annotated[
        float | None, Key("poll.running, for this profile.", HARMLESS, RUNNING)
    ] = None
    poll_idle: Annotated[float | None, Key("poll.idle, for this profile.", HARMLESS, IDLE)] = None
    theme: Annotated[str, Key("Colours, for this profile.", HARMLESS, THEME)] = ""
    accent: Annotated[
        str,
        Key(
            "The colour of the profile's name, of keys and of focus, made readable on the theme.",
            HARMLESS,
            Colour(),
        ),
    ] = ""
    """`#rrggbb`; empty: that of the theme."""
    token_command: Annotated[
        tuple[str, ...],
        Key("Program that prints the token; run without a shell, 10 seconds at most."),
    ] = ()
    token_keyring: Annotated[
        bool, Key("The token lies in the system's keyring (needs platui[keyring]).")
    ] = False
    token_file: Annotated[Path | None, Key("File of mode 0600 that holds the token.")] = None
    """None: the usual place of this profile."""
    trigger_token_command: Annotated[
        tuple[str, ...], Key("Program that prints the trigger token of `{project}`.")
    ] = ()
    admin_key_command: Annotated[
        tuple[str, ...], Key("Program that prints the organization's key.")
    ] = ()
    admin_key_file: Annotated[
        Path | None, Key("File of mode 0600 that holds the organization's key.")
    ] = None
    token: Annotated[
        Optional["Secret"],
        Key("The token itself; only in a file of mode 0600.", kind=ClearSecret("token_command")),
    ] = None
    admin_key: Annotated[
        Optional["Secret"],
        Key("The organization's key itself; the same.", kind=ClearSecret("admin_key_command")),
    ] = None
    ephemeral: bool = False
    """Made from an address alone: it has no credential file."""
    is_in_memory: bool = False
    """The demo: last view, watch list and cache are not kept on disk."""
