"""Profiles in a list to choose from: where each leads, how dear mistakes are there."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from platui.core.text import clean
from platui.present.times import age

if TYPE_CHECKING:
    from platui.config.profile import Profile

_SCHEME: Final = "https://"


def profile_words(profile: Profile, used: float | None, now: datetime) -> str:
    """Return what is said of a profile beside its name.

    Args:
        profile: which one.
        used: the second of the epoch at which it was left last; None: never, or not known.
        now: the time.
    """
    when = "" if used is None else f"used {age(datetime.fromtimestamp(used, UTC), now)} ago"
    words = (
        "PRODUCTION" if profile.production else "",
        # Unencrypted is what stands out.
        clean(profile.url.removeprefix(_SCHEME)),
        "" if profile.writes == "locked" else f"writes {profile.writes}",
        when,
    )
    return " · ".join(filter(None, words))


def arrived(profile: Profile, before: Profile) -> str:
    """Return what is said where one profile has taken the place of another."""
    dear = "PRODUCTION. " if profile.production else ""
    name, last = clean(profile.name), clean(before.name)
    return f"{dear}This is {name}, {clean(profile.url)}. Back: :profile {last}"
