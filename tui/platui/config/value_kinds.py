"""The kinds of values in config.toml: each checks and converts a value.

Plain classes, because creating ten dataclasses takes 5 ms before the first frame. Importing
msgspec takes 3.8 ms, all of these modules 2 ms.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final, Literal

from platui.config.address import BadAddressError, normalize_root
from platui.core.secrets import Secret
from platui.core.text import shorten

_SHOWN: Final = 40  # Characters of an invalid value in a message

_HUGE: Final = 10**18

PROFILE_NAME: Final = "[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}"

PLACEHOLDERS: Final = ("project", "pipeline", "job", "url", "error", "ref")
PLACEHOLDER: Final = re.compile(rf"\{{({'|'.join(PLACEHOLDERS)})\}}")
"""A value in the command of an own action."""
ACTION_NAME: Final = "[A-Za-z0-9_-]{1,40}"

_COLOUR: Final = "#[0-9a-fA-F]{6}"


class WrongValueError(ValueError):
    """An invalid value; the message follows the key's name."""

    def __init__(self, what: str, remedy: str = "") -> None:
        super().__init__(what)
        self.remedy = remedy  # Empty: the key's example is shown instead


class ReadContext:
    def __init__(self, folder: Path, *, home: str = "", private: bool = False) -> None:
        self.folder = folder
        self.home = home  # Replaces `~`
        self.private = private  # Whether only the owner can read the file


class Kind:
    words: str = ""  # Allowed values, for messages and `platui docs config`
    examples: tuple[str, ...] = ()  # Values as TOML writes them
    schema: dict[str, Any] = {}  # Allowed values as JSON Schema

    def read(self, value: Any, context: ReadContext) -> Any:
        """Return the converted value. Raises WrongValueError."""
        raise NotImplementedError

    def wrong(self, value: Any, remedy: str = "") -> WrongValueError:
        return WrongValueError(f"must be {self.words}, not {_shown(value)}", remedy)


MistakeEffect = Literal["", "harmless", "protects"]  # Effect of a mistake at start

HARMLESS: Final = "harmless"  # An invalid value is ignored
PROTECTS: Final = "protects"  # A misspelled name prevents the start


class Key:
    """The declaration of a key at its field: `Annotated[bool, Key("Its purpose.")]`."""

    def __init__(
        self,
        help: str,  # noqa: A002  (its name)
        on_mistake: MistakeEffect = "",
        kind: Kind | None = None,
        name: str = "",
    ) -> None:
        self.help = help
        self.on_mistake = on_mistake
        self.kind = kind  # None: implied by the type of the field
        self.name = name  # For names that no field can have


class Flag(Kind):
    words = "true or false"
    examples = ("true", "false")
    schema = {"type": "boolean"}

    def read(self, value: Any, context: ReadContext) -> bool:  # noqa: ARG002  (Kind's signature)
        if not isinstance(value, bool):
            raise self.wrong(value)
        return value


class Number(Kind):
    """A number between two inclusive bounds; whole unless `fractional`."""

    def __init__(
        self, low: float, high: float, *, fractional: bool = False, example: str = ""
    ) -> None:
        self._low, self._high, self._fractional = low, high, fractional
        self.examples = (example,) if example else ()
        self.words = f"a {'' if fractional else 'whole '}number from {low:.12g} to {high:.12g}"
        kind = "number" if fractional else "integer"
        self.schema = {"type": kind, "minimum": low, "maximum": high}

    def read(self, value: Any, context: ReadContext) -> float | int:  # noqa: ARG002  (see Flag)
        types = (int, float) if self._fractional else (int,)
        fits = isinstance(value, types) and not isinstance(value, bool)
        if not fits or not self._low <= value <= self._high:
            raise self.wrong(value)
        return float(value) if self._fractional else int(value)


class Text(Kind):
    """Text on one line."""

    schema = {"type": "string", "pattern": r"\S"}

    def __init__(self, words: str, example: str) -> None:
        self.words = words
        self.examples = (f'"{example}"',)

    def read(self, value: Any, context: ReadContext) -> str:  # noqa: ARG002  (see Flag)
        if not isinstance(value, str) or not value.strip() or not value.isprintable():
            raise WrongValueError(f"must be {self.words} on one line, not {_shown(value)}")
        return value.strip()


class Choice(Kind):
    def __init__(self, choices: tuple[str, ...]) -> None:
        self._choices = choices
        self.words = f"{', '.join(choices[:-1])} or {choices[-1]}"
        self.examples = (f'"{choices[0]}"',)
        self.schema = {"enum": list(choices)}

    def read(self, value: Any, context: ReadContext) -> str:  # noqa: ARG002  (see Flag)
        if not isinstance(value, str):
            raise self.wrong(value)
        if value in self._choices:
            return value
        from platui.core.suggestions import did_you_mean, nearest  # noqa: PLC0415  (on a mistake only)

        raise self.wrong(value, did_you_mean(nearest(value, self._choices)))


class Colour(Kind):
    words = 'a colour such as "#7cc4ff"'
    examples = ('"#7cc4ff"',)
    schema = {"type": "string", "pattern": f"^{_COLOUR}$"}

    def read(self, value: Any, context: ReadContext) -> str:  # noqa: ARG002  (see Flag)
        # Colour names differ from terminal to terminal.
        if not isinstance(value, str) or not re.fullmatch(_COLOUR, value):
            raise self.wrong(value)
        return value.lower()


class Address(Kind):
    words = "a URL such as https://platform.example.com"
    examples = ('"https://platform.example.com"',)
    schema = {
        "type": "string",
        "pattern": r"^\s*[hH][tT][tT][pP][sS]?://[^\s/@?#]+(/[^\s?#]*)?\s*$",
    }

    def read(self, value: Any, context: ReadContext) -> str:  # noqa: ARG002  (see Flag)
        if not isinstance(value, str):
            raise self.wrong(value)
        try:
            return normalize_root(value)
        except BadAddressError as error:
            # The value may contain a password: do not repeat it.
            raise WrongValueError(str(error)) from error


class FilePath(Kind):
    """A path; `~` is the home folder, relative paths start at the folder of config.toml."""

    words = "a path"
    examples = ('"~/…"',)
    schema = Text.schema

    def read(self, value: Any, context: ReadContext) -> Path:
        if not isinstance(value, str) or not value.strip() or "\0" in value:
            raise self.wrong(value)
        path = Path(value)
        if path.parts[:1] == ("~",) and context.home:
            path = Path(context.home, *path.parts[1:])
        try:
            return context.folder / path.expanduser()
        except RuntimeError as error:
            raise WrongValueError(f"has an unknown home folder: {_shown(value)}") from error


class Command(Kind):
    """A program and its arguments, run without a shell."""

    schema = {"type": "array", "items": {"type": "string"}, "minItems": 1}

    def __init__(self, *example: str) -> None:
        self.examples = (_written(example or ("pass", "show", "platui")),)
        self.words = f"a list of words such as {self.examples[0]}"

    def read(self, value: Any, context: ReadContext) -> tuple[str, ...]:  # noqa: ARG002  (see Flag)
        # The value may contain a secret: do not repeat it.
        fits = isinstance(value, list) and all(
            isinstance(word, str) and "\0" not in word for word in value
        )
        if not fits or not value or not value[0].strip():
            raise WrongValueError(f"must be {self.words}; no shell splits the line")
        return tuple(value)


class Names(Kind):
    """A list of names."""

    schema = {"type": "array", "items": {"type": "string"}}

    def __init__(self, words: str, example: tuple[str, ...]) -> None:
        self.words = f"a list of {words}"
        self.examples = (_written(example),)

    def read(self, value: Any, context: ReadContext) -> tuple[str, ...]:  # noqa: ARG002  (see Flag)
        if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
            raise self.wrong(value)
        return tuple(value)


class ClearSecret(Kind):
    """A plain-text secret, allowed only if no other user can read the file."""

    words = "a plain-text secret; requires file mode 0600"
    examples = ('"…"',)
    schema = Text.schema

    def __init__(self, instead: str) -> None:
        self._instead = instead

    def read(self, value: Any, context: ReadContext) -> Secret:
        if not context.private:
            raise WrongValueError(
                "is a plain-text secret in a file that other users may read",
                f"Set the file's mode to 0600, or use {self._instead} instead.",
            )
        if not isinstance(value, str) or not value.strip():
            raise WrongValueError("must be non-empty text")
        return Secret(value.strip())


def check_profile_name(name: str) -> None:
    """Raise WrongValueError unless the name is safe in file names and commands."""
    if not re.fullmatch(PROFILE_NAME, name):
        raise WrongValueError(
            "is not a valid profile name",
            "Use at most 64 letters, digits, `.`, `_` and `-`; begin with a letter, digit or `_`.",
        )


def _written(words: tuple[str, ...]) -> str:
    return f"[{', '.join(map(json.dumps, words))}]"


def _shown(value: Any) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return f'"{shorten(value, _SHOWN)}"'
        case int() if abs(value) >= _HUGE:  # Python does not format the longest ones
            return "a huge number"
        case int() | float():
            return shorten(str(value), _SHOWN)
        case list():
            return "a list"
        case dict():
            return "a table"
    return "a date or time"
