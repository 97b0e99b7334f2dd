"""Start a pipeline, for `platui run` and `platui trigger`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

from platui.analysis.schedules.dues import ref_problem
from platui.cli.confirmation import ask_secret, check_writes_allowed
from platui.cli.connection import open_platform
from platui.cli.targets import project_at, project_of_job
from platui.cli.writing import writable_project, write
from platui.core.errors import ConfigError, CredentialError, FileReadError
from platui.core.paths import user_path
from platui.core.secrets import Secret
from platui.core.text import clean, shorten, with_full_stop
from platui.models.values.drafts import key_problem
from platui.models.values.writes import PIPELINE_FILE_VARIABLE, NewPipeline, RunVariable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from platui.cli.command_options import WaitOptions, WriteOptions
    from platui.cli.connection import Platform
    from platui.config.settings import Options
    from platui.models.values.queries import ProjectRef


_LARGEST: Final = 64 * 1024
"""Bytes of a secret's file; what is longer is another file."""


def start(  # noqa: PLR0913  (one option each)
    options: Options,
    *,
    project: tuple[str, ...],
    ref: str,
    file: str,
    pairs: tuple[str, ...],
    secrets: tuple[str, ...],
    write_options: WriteOptions,
    after: WaitOptions,
    triggered: bool,
) -> int:
    hint = f"platui {'trigger' if triggered else 'run'} --help"
    reads = not triggered or after.waits
    with open_platform(options, project, write_options, needs_token=reads) as platform:
        own = project_of_job(platform.environ, platform.address)
        where = project_at(project or (own,), platform.address, hint)
        if problem := ref_problem(ref):
            raise ConfigError(f"--ref: {problem}")
        check_variables(pairs, secrets)
        check_writes_allowed(platform, write_options)
        if triggered and after.waits and not write_options.dry_run:
            _check_reading(platform)
        where = writable_project(platform, where, write_options)
        variables = read_variables(pairs, secrets, platform.environ, dry=write_options.dry_run)
        if triggered and not write_options.dry_run:
            _check_trigger_token(platform, where)
        new = NewPipeline(where, ref, file, variables, triggered=triggered)
        return write(platform, new, write_options, after)


def _check_trigger_token(platform: Platform, project: ProjectRef) -> None:
    if not platform.service.write_service.trigger_tokens.source_of(project):
        raise CredentialError(
            f"There is no trigger token for {clean(str(project))}: nothing was sent.",
            hint="Set PLATUI_TRIGGER_TOKEN, or name a trigger_token_command in the profile.",
        )


def _check_reading(platform: Platform) -> None:
    """Each try of a script would start another pipeline, if this was found out behind it only."""
    try:
        platform.run(platform.service.start())
    except CredentialError as error:
        raise CredentialError(
            "A trigger token starts the pipeline, and opens nothing: --wait and --follow take an "
            f"access token, too. {with_full_stop(error.sentence)} Nothing was sent.",
            hint=error.hint,
        ) from None
    if platform.service.uses_job_token:
        raise CredentialError(
            "A job's token starts the pipeline, and does not open it: --wait and --follow take an "
            "access token, too. Nothing was sent.",
            hint="Leave them out, or set PLATUI_TOKEN to a token with read_api.",
        )


def read_variables(
    pairs: Sequence[str], secrets: Sequence[str], environ: Mapping[str, str], *, dry: bool
) -> tuple[RunVariable, ...]:
    """Return the variables of a run, asking for secrets that are given by their name alone.

    `pairs` are `K=V`; `secrets` are `K`, `K=@FILE`, `K=@-` or `K=env:NAME`. With `dry` no value has
    to be known.
    """
    plain, parted = check_variables(pairs, secrets)
    hidden = [
        RunVariable(key, _value(key, source, environ, dry=dry), source) for key, source in parted
    ]
    return (*plain, *hidden)


def check_variables(
    pairs: Sequence[str], secrets: Sequence[str]
) -> tuple[list[RunVariable], list[tuple[str, str]]]:
    """Return what is given, of secrets name and source; nothing is asked or read for it."""
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
    try:
        if name == "-":
            data = sys.stdin.buffer.read(_LARGEST + 1)
        else:
            with user_path(name).open("rb") as file:
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
