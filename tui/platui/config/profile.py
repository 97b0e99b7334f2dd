"""A profile: one platform, how to sign in to it, and how careful to be there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

if TYPE_CHECKING:
    from pathlib import Path

    from platui.core.secrets import Secret

Writes = Literal["off", "locked", "confirm"]
"""Whether writes are impossible, locked until unlocked for a while, or asked for each time."""

WRITES: tuple[str, ...] = get_args(Writes)

NeighbourUse = Literal["auto", "off"]
"""Whether operations beyond the specification are tried, or never asked for."""

NEIGHBOURS: tuple[str, ...] = get_args(NeighbourUse)


@dataclass(frozen=True, slots=True)
class Profile:
    """One platform as the user configured it. Where secrets come from, not what they are."""

    name: str
    url: str
    """Root of the platform, without `/api/v4` and without a slash at the end."""
    admin_url: str | None = None
    """Root of the organization's API (spec §4.3), where there is one."""
    production: bool = False
    writes: Writes = "locked"
    insecure: bool = False
    """Whether plain http to a host that is not loopback is accepted."""
    ca_bundle: Path | None = None
    """Certificates trusted besides those of the system."""
    rate_limit: int = 600
    """Requests a minute that the platform grants one user (spec §8)."""
    timeout: float = 30.0
    """Seconds to wait for an answer."""
    neighbours: NeighbourUse = "auto"
    poll_running: float | None = None
    """Instead of that of the settings; None: as they say."""
    poll_idle: float | None = None
    theme: str = ""
    """Instead of that of the settings; empty: as they say."""
    accent: str = ""
    """`#rrggbb`; empty: that of the theme."""
    token_command: tuple[str, ...] = ()
    """A program and its arguments that prints the token; no shell."""
    token_keyring: bool = False
    """Whether the token lies in the system's keyring."""
    token_file: Path | None = None
    """A 0600 file with the token; None: the usual place of this profile."""
    trigger_token_command: tuple[str, ...] = ()
    """The same for the trigger token of a project, which stands for `{project}` in its words."""
    admin_key_command: tuple[str, ...] = ()
    admin_key_file: Path | None = None
    token: Secret | None = None
    """The token in clear from config.toml, accepted only from a 0600 file."""
    admin_key: Secret | None = None
    """The same for the organization's key."""
    ephemeral: bool = False
    """Made of an address alone: no file of credentials belongs to it."""
    keeps_nothing: bool = False
    """The demo: neither last place nor watch list outlive it, and nothing is cached on disk."""
