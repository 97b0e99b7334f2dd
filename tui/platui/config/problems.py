"""What is wrong with a configuration: every fault at once, each with its place."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from platui.core.errors import ConfigError
from platui.core.text import clean

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path


class Problem(NamedTuple):
    """One fault."""

    key: str
    """Dotted, as `profiles.prod.url`; empty where the whole file is meant."""
    what: str
    """The rest of a sentence that begins with the key."""

    def __str__(self) -> str:
        return f"{self.key} {self.what}".strip()


class InvalidConfigError(ConfigError):
    """A config.toml with faults.

    Attributes:
        file: which file.
        problems: each fault; the sentence holds them all.
    """

    default_hint = "platui config check looks at the file again."

    def __init__(self, file: Path, problems: Sequence[Problem]) -> None:
        self.file = file
        self.problems = tuple(problems)
        if len(self.problems) == 1:
            super().__init__(clean(f"{file}: {self.problems[0]}"))
        else:
            lines = [f"{file}: {len(self.problems)} problems", *map(str, self.problems)]
            super().__init__("\n".join(map(clean, lines)))


def nearest(name: str, known: Iterable[str]) -> str:
    """Return `; did you mean x?` for the known name that looks most like `name`, or nothing."""
    from difflib import get_close_matches  # noqa: PLC0415  (only a mistake pays for it)

    matches = get_close_matches(name.lower(), sorted(known), n=1)
    return f"; did you mean {matches[0]}?" if matches else ""
