"""The kinds of values that config.toml has: each checks one value and gives it its type.

Plain classes: a dataclass takes half a millisecond to make, and there are ten of them on
the way to the first frame.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Protocol

from platui.config.address import BadAddressError, normalize_root
from platui.config.problems import meant, nearest
from platui.core.text import shorten

_SHOWN = 40
"""Characters of a wrong value that a message repeats."""

_HUGE = 10**18

Mapped = dict[str, Any]

PROFILE_NAME = "[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}"
"""What a profile may be called, as a pattern."""

_COLOUR = "#[0-9a-fA-F]{6}"


class WrongValueError(ValueError):
    """A value that its key cannot take; the text goes on after the key's name.

    Attributes:
        remedy: a sentence; empty where it is enough to say how the key is written.
    """

    def __init__(self, what: str, remedy: str = "") -> None:
        super().__init__(what)
        self.remedy = remedy


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

    @property
    def examples(self) -> tuple[str, ...]:
        """Return one value or more as TOML has them."""
        ...

    @property
    def schema(self) -> dict[str, Any]:
        """Return what is allowed as JSON Schema, as far as that can say it."""
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
    examples = ("true", "false")
    schema: Mapped = {"type": "boolean"}

    def read(self, value: Any, around: Surroundings) -> bool:  # noqa: ARG002  (Kind's signature)
        """Accept a TOML boolean only: "yes" and 1 are guesses."""
        if not isinstance(value, bool):
            raise WrongValueError(f"must be true or false, not {_shown(value)}")
        return value


class Number:
    """A number between two bounds, whole unless `fractional`."""

    def __init__(
        self, low: float, high: float, *, fractional: bool = False, usual: float | None = None
    ) -> None:
        """Set the bounds, both of which are allowed, and what an example has."""
        self._low = low
        self._high = high
        self._fractional = fractional
        self.words = f"a {'' if fractional else 'whole '}number from {_told(low)} to {_told(high)}"
        self.examples = (_told(low if usual is None else usual),)

    @property
    def schema(self) -> Mapped:
        """Return type and bounds."""
        kind = "number" if self._fractional else "integer"
        return {"type": kind, "minimum": self._low, "maximum": self._high}

    def read(self, value: Any, around: Surroundings) -> float | int:  # noqa: ARG002  (see Flag)
        """Check type and bounds; nan fails both comparisons."""
        types = (int, float) if self._fractional else (int,)
        fits = isinstance(value, types) and not isinstance(value, bool)
        if not fits or not self._low <= value <= self._high:
            raise WrongValueError(f"must be {self.words}, not {_shown(value)}")
        return float(value) if self._fractional else int(value)


class Text:
    """Some text, on one line."""

    schema: Mapped = {"type": "string", "pattern": r"\S"}

    def __init__(self, words: str = "text", example: str = "…") -> None:
        self.words = words
        self.examples = (f'"{example}"',)

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
        self.examples = (f'"{choices[0]}"',)

    @property
    def schema(self) -> Mapped:
        """Return the words."""
        return {"enum": list(self._choices)}

    def read(self, value: Any, around: Surroundings) -> str:  # noqa: ARG002  (see Flag)
        """Accept exactly one of the words."""
        if value in self._choices and isinstance(value, str):
            return value
        near = nearest(value, self._choices) if isinstance(value, str) else ""
        raise WrongValueError(f"must be {self.words}, not {_shown(value)}", meant(near))


class Colour:
    """A colour, as style sheets spell it."""

    words = 'a colour, as "#7cc4ff"'
    examples = ('"#7cc4ff"',)
    schema: Mapped = {"type": "string", "pattern": f"^{_COLOUR}$"}

    def read(self, value: Any, around: Surroundings) -> str:  # noqa: ARG002  (see Flag)
        """Accept six digits: names differ from terminal to terminal."""
        if not isinstance(value, str) or not re.fullmatch(_COLOUR, value):
            raise WrongValueError(f"must be {self.words}, not {_shown(value)}")
        return value.lower()


class Address:
    """The root of a platform."""

    words = "an address, as https://platform.example.com"
    examples = ('"https://platform.example.com"',)
    schema: Mapped = {
        "type": "string",
        "pattern": r"^\s*[hH][tT][tT][pP][sS]?://[^\s/@?#]+(/[^\s?#]*)?\s*$",
    }

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
    examples = ('"~/…"',)
    schema: Mapped = {"type": "string", "pattern": r"\S"}

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
    examples = ('["pass", "show", "platui"]',)
    schema: Mapped = {"type": "array", "items": {"type": "string"}, "minItems": 1}

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
    examples = ('"…"',)
    schema: Mapped = {"type": "string", "pattern": r"\S"}

    def __init__(self, instead: str) -> None:
        self._instead = instead

    def read(self, value: Any, around: Surroundings) -> Any:
        """Wrap the secret at once; no message ever repeats it."""
        from platui.core.secrets import Secret  # noqa: PLC0415  (brings hashlib; rarely needed)

        if not around.private:
            raise WrongValueError(
                "is a secret in clear in a file that others may read",
                f"At least make the file's mode 0600; {self._instead} needs none in the file.",
            )
        if not isinstance(value, str) or not value.strip():
            raise WrongValueError("must be text that is not empty")
        return Secret(value.strip())


def check_profile_name(name: str) -> None:
    """Refuse a profile's name that could not stand in a file name or a command.

    Raises:
        WrongValueError: it has other characters than letters, digits, `.`, `_` and `-`.
    """
    if not re.fullmatch(PROFILE_NAME, name):
        raise WrongValueError(
            "is not a name for a profile",
            "A name has at most 64 letters, digits, `.`, `_` and `-`, and begins with one of"
            " the first two or `_`.",
        )


def _told(number: float) -> str:
    """Return a number without a needless fraction or power."""
    return str(int(number)) if number == int(number) else str(number)


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
