"""Profiles in a list to choose from: where each leads, how dear mistakes are there."""

from __future__ import annotations

from datetime import UTC, datetime
from shlex import join
from typing import TYPE_CHECKING, Final

from platui.core.text import clean
from platui.present.times import age

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.config.profile import Profile

_SCHEME: Final = "https://"
_MOST: Final = 4


def profile_words(profile: Profile, used: float | None, now: datetime) -> str:
    """`used` is the second of the epoch at which it was left last; None: never, or not known."""
    when = "" if used is None else f"used {age(datetime.fromtimestamp(used, UTC), now)} ago"
    words = (
        "PRODUCTION" if profile.production else "",
        # Unencrypted is what stands out.
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
    return f"{dear}This is {name}, {clean(profile.url)}. Back: :profile {last}"


def reload_message(taken: Sequence[str], at_start: Sequence[str]) -> str:
    sentences = []
    if taken:
        sentences.append(f"From config.toml now: {_some(taken)}.")
    if at_start:
        sentences.append(f"Only from the next start of platui on: {_some(at_start)}.")
    return " ".join(sentences) or "config.toml says what it said before."


def _some(keys: Sequence[str]) -> str:
    shown = ", ".join(map(clean, keys[:_MOST]))
    return shown if len(keys) <= _MOST else f"{shown} and {len(keys) - _MOST} more"
