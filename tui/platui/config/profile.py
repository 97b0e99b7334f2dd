"""A profile: a platform, its sign-in and its safety settings, declared with Key."""

# No postponed annotations: the schema reads the keys from them.

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal, Optional, get_args

from platui.config.settings import IDLE, RUNNING, THEME
from platui.config.value_kinds import HARMLESS, PROTECTS, Address, ClearSecret, Colour, Key, Number
from platui.core.dataclass import dataclass

if TYPE_CHECKING:
    from platui.core.secrets import Secret

Writes = Literal["off", "locked", "confirm"]
WRITES: Final[tuple[str, ...]] = get_args(Writes)

NeighbourUse = Literal["auto", "off"]


@dataclass(frozen=True, slots=True)
class Profile:
    """A configured platform, with the sources of its secrets, not their values."""

    name: str
    url: Annotated[str, Key("Root of the platform, with or without /api/v4.", kind=Address())]
    """Without `/api/v4` and trailing slash."""
    admin_url: Annotated[
        str | None,
        Key("Root of the administration API, for access reports.", kind=Address()),
    ] = None
    """Spec §4.3."""
    production: Annotated[
        bool, Key("Mark as production: red badge in the header, red confirmations.", PROTECTS)
    ] = False
    writes: Annotated[
        Writes,
        Key(
            "Whether writes are allowed: off (never), locked (after unlocking and confirmation)"
            " or confirm (after confirmation).",
            PROTECTS,
        ),
    ] = "locked"
    insecure: Annotated[bool, Key("Allow plain http, which sends the token unencrypted.")] = False
    ca_bundle: Annotated[Path | None, Key("File of additional trusted certificates (PEM).")] = None
    rate_limit: Annotated[
        int,
        Key("Requests per minute that the platform allows.", PROTECTS, Number(1, 1_000_000)),
    ] = 600
    """Per user (spec §8)."""
    timeout: Annotated[
        float,
        Key("Seconds to wait for a response.", HARMLESS, Number(0.1, 3600, fractional=True)),
    ] = 30.0
    neighbours: Annotated[
        NeighbourUse,
        Key(
            "Endpoints beyond the specification: auto tries them when a view needs them,"
            " off never requests them.",
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
            "Colour of the profile's name, keys and focus, adjusted for contrast.",
            HARMLESS,
            Colour(),
        ),
    ] = ""
    """`#rrggbb`; empty: the theme's accent."""
    token_command: Annotated[
        tuple[str, ...],
        Key("Program that prints the token; run without a shell, for at most 10 seconds."),
    ] = ()
    token_keyring: Annotated[
        bool, Key("Read the token from the system's keyring (needs platui[keyring]).")
    ] = False
    token_file: Annotated[Path | None, Key("File of mode 0600 with the token.")] = None
    """None: the default path of this profile."""
    trigger_token_command: Annotated[
        tuple[str, ...], Key("Program that prints the trigger token of `{project}`.")
    ] = ()
    admin_key_command: Annotated[
        tuple[str, ...], Key("Program that prints the key of the administration API.")
    ] = ()
    admin_key_file: Annotated[
        Path | None, Key("File of mode 0600 with the key of the administration API.")
    ] = None
    token: Annotated[
        Optional["Secret"],
        Key("The token as plain text; requires file mode 0600.", kind=ClearSecret("token_command")),
    ] = None
    admin_key: Annotated[
        Optional["Secret"],
        Key(
            "The key of the administration API as plain text; requires file mode 0600.",
            kind=ClearSecret("admin_key_command"),
        ),
    ] = None
    ephemeral: bool = False  # Created from an address: no entry in config.toml, no credential file
    admin_url_problem: str = ""  # Why the URL of the environment is unusable; `admin_url` is None
    other_reports: str = (
        ""  # Name of its reports, if the URL of the environment is another platform
    )
    is_in_memory: bool = False  # The demo: local state and cache are not saved to disk
    config_file: Path | None = None  # That of --config; None: the default one

    @property
    def options(self) -> tuple[str, ...]:
        """Return the options of a command line that select this profile."""
        file = () if self.config_file is None else ("--config", str(self.config_file))
        # An ephemeral profile has no name.
        return (*file, *(("--url", self.url) if self.ephemeral else ("--profile", self.name)))
