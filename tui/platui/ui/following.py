"""What follows a dashboard on the same terminal: another profile, or the same one set anew."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from platui.config.profile import Profile
    from platui.config.switchboard import Switchboard
    from platui.models.values.places import Place


class Following(NamedTuple):
    """How the next app begins."""

    switchboard: Switchboard
    profile: Profile
    said: str
    """What it says of itself at first."""
    place: Place | None = None
    """Where it begins; None: where it is usual for that profile."""
    words: str = ""
    """What that is filtered by."""
