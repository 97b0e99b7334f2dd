"""What `platui init` is told on its command line, and what it has found out by its end."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final

from platui.core.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from platui.config.profile import Profile
    from platui.core.secrets import Secret
    from platui.models.values.sign_in import Introduction

ALL: Final = "all"
ACTIVE: Final = "active"
NONE: Final = "none"
LATER: Final = "later"

_RANGE: Final = 2


class Keep(Enum):
    """Where the token lies from now on."""

    FILE = "file"
    """In the profile's 0600 file."""
    KEYRING = "keyring"
    SAME = "same"
    """Where the profile has it already."""
    NOWHERE = "nowhere"
    """A command prints it, or it lies in a file of the user's own."""


@dataclass(frozen=True, slots=True)
class Said:
    """What the command line says. Empty or None: it is asked, or as by default."""

    name: str = ""
    token_file: Path | None = None
    token_stdin: bool = False
    token_command: tuple[str, ...] = ()
    keyring: bool = False
    production: bool | None = None
    writes: str | None = None
    admin_url: str = ""
    ca_bundle: Path | None = None
    insecure: bool = False
    watch: tuple[str, ...] = ()
    default: bool = False
    tests: bool = True
    """Whether the platform is asked."""
    yes: bool = False


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A token, and what the platform said to it."""

    token: Secret
    keep: Keep
    command: tuple[str, ...] = ()
    file: Path | None = None
    said: Introduction | None = None
    """None: it was not asked."""


@dataclass(frozen=True, slots=True)
class Answers:
    """All that is to be written."""

    profile: Profile
    signed: SignedIn
    watch: tuple[int, ...] | None = None
    """Ids of projects; None: the dashboard asks when it is opened."""
    is_default: bool = False


def chosen_numbers(text: str, count: int) -> list[int]:
    """Return which of a numbered list are meant by `1 3-5,7`, from 0 and in their order.

    Raises:
        ConfigError: something in it is no number of the list.
    """
    found: set[int] = set()
    for word in text.replace(",", " ").split():
        ends = word.split("-")
        fits = len(ends) <= _RANGE and all(one.isascii() and one.isdecimal() for one in ends)
        first, last = (int(ends[0]), int(ends[-1])) if fits else (0, 0)
        if not 1 <= first <= last <= count:
            raise ConfigError(f"These are numbers from 1 to {count}, as 1 3-5; or all, or none.")
        found.update(range(first - 1, last))
    return sorted(found)


def named_projects(words: Sequence[str], said: Introduction) -> tuple[int, ...]:
    """Return the ids of projects that are named by their paths or ids.

    Raises:
        ConfigError: one of them is not among those one is a member of.
    """
    known = {one.path_with_namespace.casefold(): one.id for one in said.projects}
    known |= {str(one.id): one.id for one in said.projects}
    missing = [word for word in words if word.strip("/").casefold() not in known]
    if missing:
        raise ConfigError(
            f"--watch: you are a member of no project {missing[0][:80]}.",
            hint="It is a full path as group/project, or all, active, none or later.",
        )
    return tuple(dict.fromkeys(known[word.strip("/").casefold()] for word in words))
