"""Variables on the command line: `--var KEY=VALUE` and `--secret KEY[=SOURCE]`."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from platui.cli.confirmation import ask_secret
from platui.core.errors import ConfigError, FileReadError
from platui.core.paths import user_path
from platui.core.secrets import Secret
from platui.core.text import clean, shorten
from platui.models.values.drafts import key_problem
from platui.models.values.writes import PIPELINE_FILE_VARIABLE, RunVariable

_MAX_SECRET_BYTES: Final = 64 * 1024


def parse_variables(
    pairs: Sequence[str], secrets: Sequence[str], *, takes_file: bool = False
) -> tuple[list[RunVariable], list[tuple[str, str]]]:
    """Return the variables, and name and source of secrets, without reading or prompting.

    `takes_file`: whether the variable of the pipeline file is one of them.
    """
    plain = []
    for word in pairs:
        key, equals, value = word.partition("=")
        if not (key.strip() and equals):
            raise ConfigError(f"--var {shorten(word, 60)}: expected KEY=VALUE.")
        plain.append(RunVariable(key, value))
    sources = []
    for word in secrets:
        key, equals, source = word.partition("=")
        if not key.strip():
            raise ConfigError("--secret needs a variable name.")
        if equals and not source.startswith(("@", "env:")):
            raise ConfigError(
                f"--secret {shorten(key, 60)}: a value on the command line is visible to other "
                "users and in the shell history.",
                hint=f"Use --secret {shorten(key, 60)} for a prompt, KEY=@FILE or KEY=env:NAME.",
            )
        sources.append((key, source))
    _check_keys([item.key for item in plain] + [key for key, _ in sources], takes_file=takes_file)
    return plain, sources


def _check_keys(keys: Iterable[str], *, takes_file: bool = False) -> None:
    seen: set[str] = set()
    for key in keys:
        if key in seen:
            raise ConfigError(f"Variable {shorten(key, 60)} is given twice.")
        is_file = key == PIPELINE_FILE_VARIABLE
        if is_file and not takes_file:
            raise ConfigError(f"{key} is set by --file.", hint="Use --file PATH")
        if not is_file and (problem := key_problem(key)):
            raise ConfigError(f"Variable {shorten(key, 60)}: {problem}")
        seen.add(key)


def read_secrets(
    sources: Iterable[tuple[str, str]], environ: Mapping[str, str], *, dry: bool
) -> list[RunVariable]:
    """Return secrets: prompted for without a source, or of `@FILE`, `@-` or `env:NAME`."""
    return [
        RunVariable(key, _value(key, source, environ, dry=dry), source) for key, source in sources
    ]


def _value(key: str, source: str, environ: Mapping[str, str], *, dry: bool) -> Secret:
    if not source:
        secret = Secret("") if dry else ask_secret(key)
    elif source.startswith("@"):
        secret = Secret(_read(key, source.removeprefix("@")))
    else:
        secret = Secret(environ.get(source.removeprefix("env:"), ""))
        try:
            secret.reveal().encode()
        except UnicodeEncodeError:  # keep the secret out of the traceback
            raise ConfigError(f"Secret {shorten(key, 60)} is not UTF-8 text.") from None
    if not secret and not (dry and not source):
        raise ConfigError(f"Secret {shorten(key, 60)} is empty or not set.")
    return secret


def _read(key: str, name: str) -> str:
    try:
        if name == "-":
            data = sys.stdin.buffer.read(_MAX_SECRET_BYTES + 1)
        else:
            with user_path(name).open("rb") as file:
                data = file.read(_MAX_SECRET_BYTES + 1)
        text = data.decode()
    except OSError as error:
        raise FileReadError(
            clean(f"The file of the secret {key} cannot be read: {error.strerror}.")
        ) from None
    except ValueError:  # keep the secret out of the traceback
        raise FileReadError(clean(f"The file of the secret {key} is not UTF-8 text.")) from None
    if len(data) > _MAX_SECRET_BYTES:
        limit = _MAX_SECRET_BYTES // 1024
        raise FileReadError(clean(f"The file of the secret {key} is over {limit} KiB."))
    return text.removesuffix("\n").removesuffix("\r")
