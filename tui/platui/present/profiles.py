"""Texts about profiles: list entries and messages."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from shlex import join
from typing import TYPE_CHECKING, Final

from platui.core.text import clean
from platui.present.counts import some_of
from platui.present.times import age

if TYPE_CHECKING:
    from platui.config.profile import Profile

_SCHEME: Final = "https://"
_MOST: Final = 4


def profile_words(profile: Profile, used: float | None, now: datetime) -> str:
    """Return the description of a profile; `used`: last use in Unix seconds, None: unknown."""
    when = "" if used is None else f"used {age(datetime.fromtimestamp(used, UTC), now)} ago"
    words = (
        "PRODUCTION" if profile.production else "",
        # Only an unencrypted scheme is shown.
        clean(profile.url.removeprefix(_SCHEME)),
        "" if profile.writes == "locked" else f"writes {profile.writes}",
        when,
    )
    return " · ".join(filter(None, words))


def save_token_command(profile: Profile) -> str:
    which = ["--url", profile.url] if profile.ephemeral else [profile.name]
    return clean(join(["platui", "init", *which]))


def switched_message(profile: Profile, before: Profile) -> str:
    dear = "PRODUCTION. " if profile.production else ""
    name, last = clean(profile.name), clean(before.name)
    return f"{dear}Switched to {name}, {clean(profile.url)}. Switch back with :profile {last}"


def reload_message(taken: Sequence[str], at_start: Sequence[str]) -> str:
    sentences = []
    if taken:
        sentences.append(f"Reloaded from config.toml: {some_of([*map(clean, taken)], _MOST)}.")
    if at_start:
        sentences.append(f"After a restart of platui: {some_of([*map(clean, at_start)], _MOST)}.")
    return " ".join(sentences) or "config.toml is unchanged."
