"""Start a pipeline, for `platui run` and `platui trigger`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

from platui.analysis.schedules.due_times import ref_problem
from platui.cli.confirmation import ask_secret, check_writes_allowed
from platui.cli.connection import open_platform
from platui.cli.output.progress import print_notice
from platui.cli.targets import project_at, project_of_job
from platui.cli.writing import writable_project, write
from platui.core.errors import ConfigError, CredentialError, FileReadError, PlatuiError
from platui.core.paths import user_path
from platui.core.secrets import Secret
from platui.core.text import clean, shorten, with_full_stop
from platui.models.values.drafts import key_problem
from platui.models.values.writes import PIPELINE_FILE_VARIABLE, NewPipeline, RunVariable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from platui.cli.connection import Platform, WriteOptions
    from platui.config.settings import Options
    from platui.models.values.queries import ProjectRef
    from platui.service import PlatformService


_MAX_SECRET_BYTES: Final = 64 * 1024


def start(
    options: Options,
    *,
    project: tuple[str, ...],
    ref: str,
    file: str,
    pairs: tuple[str, ...],
    secrets: tuple[str, ...],
    write_options: WriteOptions,
    triggered: bool,
) -> int:
    hint = f"platui {'trigger' if triggered else 'run'} --help"
    reads = not triggered or write_options.waits
    with open_platform(options, project, write_options, needs_token=reads) as platform:
        own = project_of_job(platform.environ, platform.address)
        where = project_at(project or (own,), platform.address, hint)
        if problem := ref_problem(ref):
            raise ConfigError(f"--ref: {problem}")
        variables, sources = _parse_variables(pairs, secrets)
        check_writes_allowed(platform)
        if triggered and write_options.waits and not write_options.dry_run:
            _check_access(platform)
        where = writable_project(platform, where)
        for key, source in sources:
            value = _value(key, source, platform.environ, dry=write_options.dry_run)
            variables.append(RunVariable(key, value, source))
        tokens = platform.service.write_service.trigger_tokens
        if triggered and not write_options.dry_run and not tokens.source_of(where):
            raise CredentialError(
                f"No trigger token for {clean(str(where))}: nothing was sent.",
                hint="Set PLATUI_TRIGGER_TOKEN, or trigger_token_command in the profile.",
            )
        if write_options.dry_run:
            platform.run(_check_ref(platform.service, where, ref))
        new = NewPipeline(where, ref, file, tuple(variables), triggered=triggered)
        return write(platform, new)


async def _check_ref(service: PlatformService, project: ProjectRef, ref: str) -> None:
    """Print that a ref does not exist, or that this was not checked."""
    name = ref.removeprefix("refs/heads/").removeprefix("refs/tags/")
    shown, why = shorten(ref, 60), "no access token."  # a trigger token cannot read refs
    try:
        if service.is_authenticated:
            found = await (await service.repository()).find_refs(project, name)
            if found is None:
                why = "this platform does not list branches and tags."
            elif any(one.name == name for one in found.names):
                return
            elif found.is_whole:
                print_notice(f"Sending it would fail: the project has no branch or tag {shown}.")
                return
            else:
                why = "too many names contain it."
    except PlatuiError as error:
        why = error.sentence
    print_notice(f"Not checked whether {shown} exists: {why}")


def _check_access(platform: Platform) -> None:
    # Checked before the pipeline starts: a retrying script would start one each time.
    try:
        platform.run(platform.service.start())
    except CredentialError as error:
        raise CredentialError(
            "--wait and --follow need an access token besides the trigger token. "
            f"{with_full_stop(error.sentence)} Nothing was sent.",
            hint=error.hint,
        ) from None
    if platform.service.uses_job_token:
        raise CredentialError(
            "--wait and --follow need an access token; a job token is not enough. "
            "Nothing was sent.",
            hint="Omit them, or set PLATUI_TOKEN to a token with the scope read_api.",
        )


def _parse_variables(
    pairs: Sequence[str], secrets: Sequence[str]
) -> tuple[list[RunVariable], list[tuple[str, str]]]:
    """Return the variables, and name and source of secrets, without reading or prompting."""
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
    _check_keys([item.key for item in plain] + [key for key, _ in sources])
    return plain, sources


def _check_keys(keys: Iterable[str]) -> None:
    seen: set[str] = set()
    for key in keys:
        if key in seen:
            raise ConfigError(f"Variable {shorten(key, 60)} is given twice.")
        if key == PIPELINE_FILE_VARIABLE:
            raise ConfigError(f"{key} is set by --file.", hint="Use --file PATH")
        if problem := key_problem(key):
            raise ConfigError(f"Variable {shorten(key, 60)}: {problem}")
        seen.add(key)


def _value(key: str, source: str, environ: Mapping[str, str], *, dry: bool) -> Secret:
    """Return a secret: prompted for without `source`, or of `@FILE`, `@-` or `env:NAME`."""
    if not source:
        secret = Secret("") if dry else ask_secret(key)
    elif source.startswith("@"):
        secret = Secret(_read(key, source.removeprefix("@")))
    else:
        secret = Secret(environ.get(source.removeprefix("env:"), ""))
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
