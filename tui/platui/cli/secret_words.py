"""Variables and secrets as they are given on a command line; a secret is never in clear there."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

from platui.cli.consent import ask_secret
from platui.core.errors import ConfigError, FileReadError
from platui.core.paths import typed_path
from platui.core.secrets import Secret
from platui.core.text import clean, shorten
from platui.models.values.run_form import key_problem
from platui.models.values.writes import PIPELINE_FILE_VARIABLE, RunVariable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_LARGEST: Final = 64 * 1024
"""Bytes of a secret's file; what is longer is another file."""


def read_variables(
    pairs: Sequence[str], secrets: Sequence[str], environ: Mapping[str, str], *, dry: bool
) -> tuple[RunVariable, ...]:
    """Return the variables of a run, asking for secrets that are given by their name alone.

    Args:
        pairs: `K=V`.
        secrets: `K`, `K=@FILE`, `K=@-` or `K=env:NAME`.
        environ: where the last one looks.
        dry: whether nothing is sent, so that no value has to be known.

    Raises:
        ConfigError: a word is none of these, or a name is there twice.
        FileReadError: a secret's file cannot be read.
    """
    plain, parted = check_variables(pairs, secrets)
    hidden = [
        RunVariable(key, _value(key, source, environ, dry=dry), source) for key, source in parted
    ]
    return (*plain, *hidden)


def check_variables(
    pairs: Sequence[str], secrets: Sequence[str]
) -> tuple[list[RunVariable], list[tuple[str, str]]]:
    """Return what is given, of secrets name and source; nothing is asked or read for it.

    Raises:
        ConfigError: a word is none of these, or a name is there twice, or none of a variable.
    """
    plain = [_pair(word) for word in pairs]
    parted = [_parted(word) for word in secrets]
    _check([item.key for item in plain] + [key for key, _ in parted])
    return plain, parted


def _pair(word: str) -> RunVariable:
    key, equals, value = word.partition("=")
    if not (key.strip() and equals):
        raise ConfigError(f"--var {shorten(word, 60)}: a variable is given as KEY=VALUE.")
    return RunVariable(key, value)


def _parted(word: str) -> tuple[str, str]:
    """Return name and source of a secret; a value in clear is refused, and not repeated."""
    key, equals, source = word.partition("=")
    if not key.strip():
        raise ConfigError("--secret needs the name of a variable.")
    if equals and not source.startswith(("@", "env:")):
        raise ConfigError(
            f"--secret {shorten(key, 60)}: a value on the command line is no secret any more: "
            "other users and the shell's history see it.",
            hint=f"--secret {shorten(key, 60)} asks for it; KEY=@FILE and KEY=env:NAME read it.",
        )
    return key, source


def _check(keys: Iterable[str]) -> None:
    seen: set[str] = set()
    for key in keys:
        if key in seen:
            raise ConfigError(f"The variable {shorten(key, 60)} is given twice.")
        if key == PIPELINE_FILE_VARIABLE:
            raise ConfigError(f"{key} is what --file sets.", hint="--file PATH")
        if problem := key_problem(key):
            raise ConfigError(f"The variable {shorten(key, 60)}: {problem}")
        seen.add(key)


def _value(key: str, source: str, environ: Mapping[str, str], *, dry: bool) -> Secret:
    if not source:
        secret = Secret("") if dry else ask_secret(key)
    elif source.startswith("@"):
        secret = Secret(_read(key, source.removeprefix("@")))
    else:
        secret = Secret(environ.get(source.removeprefix("env:"), ""))
    if not secret and not (dry and not source):
        raise ConfigError(f"The secret {shorten(key, 60)} has no value: it is empty, or not set.")
    return secret


def _read(key: str, name: str) -> str:
    """Return a file's text without the end of its last line; `-` is standard input."""
    try:
        if name == "-":
            data = sys.stdin.buffer.read(_LARGEST + 1)
        else:
            with typed_path(name).open("rb") as file:
                data = file.read(_LARGEST + 1)
        text = data.decode()
    except OSError as error:
        raise FileReadError(
            clean(f"The file of the secret {key} cannot be read: {error.strerror}.")
        ) from None
    except ValueError:  # its text is not repeated, not even in a traceback
        raise FileReadError(clean(f"The file of the secret {key} is no text in UTF-8.")) from None
    if len(data) > _LARGEST:
        raise FileReadError(clean(f"The file of the secret {key} is longer than a secret is."))
    return text.removesuffix("\n").removesuffix("\r")
