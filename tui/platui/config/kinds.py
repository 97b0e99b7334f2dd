"""The kinds of values that config.toml has: each checks one value and gives it its type.

Plain classes: a dataclass takes half a millisecond to make, and there are ten of them on
the way to the first frame.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Protocol

from platui.config.address import BadAddressError, normalize_root
from platui.config.problems import nearest
from platui.core.text import shorten

_SHOWN = 40
"""Characters of a wrong value that a message repeats."""

_HUGE = 10**18

_PROFILE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}")


class WrongValueError(ValueError):
    """A value that its key cannot take; the text goes on after the key's name."""


class Surroundings:
    """What a value may lean on besides itself."""

    def __init__(self, folder: Path, *, home: str = "", private: bool = False) -> None:
        """Take them.

        Args:
            folder: where relative paths begin: where the file lies.
            home: what `~` stands for.
            private: whether the file is its owner's alone, so that it may hold a secret.
        """
        self.folder = folder
        self.home = home
        self.private = private


class Kind(Protocol):
    """One kind of value."""

    @property
    def words(self) -> str:
        """Say what is allowed, for messages and for `config show`."""
        ...

    def read(self, value: Any, around: Surroundings) -> Any:
        """Return the value as its type.

        Raises:
            WrongValueError: it is not of this kind.
        """
        ...


class Flag:
    """true or false."""

    words = "true or false"

    def read(self, value: Any, around: Surroundings) -> bool:  # noqa: ARG002  (Kind's signature)
        """Accept a TOML boolean only: "yes" and 1 are guesses."""
        if not isinstance(value, bool):
            raise WrongValueError(f"must be true or false, not {_shown(value)}")
        return value


class Number:
    """A number between two bounds, whole unless `fractional`."""

    def __init__(self, low: float, high: float, *, fractional: bool = False) -> None:
        self._low = low
        self._high = high
        self._fractional = fractional
        self.words = f"a {'' if fractional else 'whole '}number from {low:g} to {high:g}"

    def read(self, value: Any, around: Surroundings) -> float | int:  # noqa: ARG002  (see Flag)
        """Check type and bounds; nan fails both comparisons."""
        types = (int, float) if self._fractional else (int,)
        fits = isinstance(value, types) and not isinstance(value, bool)
        if not fits or not self._low <= value <= self._high:
            raise WrongValueError(f"must be {self.words}, not {_shown(value)}")
        return float(value) if self._fractional else int(value)


class Text:
    """Some text, on one line."""

    def __init__(self, words: str = "text") -> None:
        self.words = words

    def read(self, value: Any, around: Surroundings) -> str:  # noqa: ARG002  (see Flag)
        """Refuse what is empty or could not be shown."""
        if not isinstance(value, str) or not value.strip() or not value.isprintable():
            raise WrongValueError(f"must be {self.words} on one line, not {_shown(value)}")
        return value.strip()


class Choice:
    """One of a few words."""

    def __init__(self, choices: tuple[str, ...]) -> None:
        self._choices = choices
        *others, last = choices
        self.words = f"{', '.join(others)} or {last}" if others else last

    def read(self, value: Any, around: Surroundings) -> str:  # noqa: ARG002  (see Flag)
        """Accept exactly one of the words."""
        if value in self._choices and isinstance(value, str):
            return value
        hint = nearest(value, self._choices) if isinstance(value, str) else ""
        raise WrongValueError(f"must be {self.words}, not {_shown(value)}{hint}")


class Address:
    """The root of a platform."""

    words = "an address, as https://platform.example.com"

    def read(self, value: Any, around: Surroundings) -> str:  # noqa: ARG002  (see Flag)
        """Bring the address into its one spelling."""
        if not isinstance(value, str):
            raise WrongValueError(f"must be {self.words}, not {_shown(value)}")
        try:
            return normalize_root(value)
        except BadAddressError as error:
            # The value is not repeated: it may hold a password.
            raise WrongValueError(str(error)) from error


class FilePath:
    """A path; `~` is the home folder, a relative one begins beside config.toml."""

    words = "a path"

    def read(self, value: Any, around: Surroundings) -> Path:
        """Return an absolute path; the file need not exist yet."""
        if not isinstance(value, str) or not value.strip() or "\0" in value:
            raise WrongValueError(f"must be a path, not {_shown(value)}")
        path = Path(value)
        if path.parts[:1] == ("~",) and around.home:
            path = Path(around.home, *path.parts[1:])
        try:
            return around.folder / path.expanduser()
        except RuntimeError as error:
            raise WrongValueError(f"begins with an unknown home folder: {_shown(value)}") from error


class Command:
    """A program and its arguments, run without a shell."""

    words = 'a list of words, as ["pass", "show", "platui"]'

    def read(self, value: Any, around: Surroundings) -> tuple[str, ...]:  # noqa: ARG002  (see Flag)
        """Accept a list of words; a wrong one is not repeated, it may hold a secret."""
        fits = isinstance(value, list) and all(
            isinstance(word, str) and "\0" not in word for word in value
        )
        if not fits or not value or not value[0].strip():
            raise WrongValueError(f"must be {self.words}; there is no shell to split a line")
        return tuple(value)


class ClearSecret:
    """A secret written into the file itself: only where nobody else can read the file."""

    words = "a secret in clear; the file's mode must then be 0600"

    def __init__(self, instead: str) -> None:
        self._instead = instead

    def read(self, value: Any, around: Surroundings) -> Any:
        """Wrap the secret at once; no message ever repeats it."""
        from platui.core.secrets import Secret  # noqa: PLC0415  (brings hashlib; rarely needed)

        if not around.private:
            raise WrongValueError(
                "is a secret in clear in a file that others may read; make the file's mode 0600,"
                f" or better, use {self._instead}",
            )
        if not isinstance(value, str) or not value.strip():
            raise WrongValueError("must be text that is not empty")
        return Secret(value.strip())


def check_profile_name(name: str) -> None:
    """Refuse a profile's name that could not stand in a file name or a command.

    Raises:
        WrongValueError: it has other characters than letters, digits, `.`, `_` and `-`.
    """
    if not _PROFILE_NAME.fullmatch(name):
        raise WrongValueError(
            "is not a name for a profile: at most 64 letters, digits, `.`, `_` and `-`",
        )


def _shown(value: Any) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return f'"{shorten(value, _SHOWN)}"'
        case int() if abs(value) >= _HUGE:  # Python refuses to spell the longest ones
            return "a huge number"
        case int() | float():
            return shorten(str(value), _SHOWN)
        case list():
            return "a list"
        case dict():
            return "a table"
    return "a date or time"
