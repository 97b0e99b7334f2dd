"""Start a pipeline, for `platui run` and `platui trigger`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.analysis.schedules.due_times import ref_problem
from platui.cli.confirmation import check_writes_allowed
from platui.cli.connection import Platform, WriteOptions, open_platform
from platui.cli.targets import project_at, project_of_job
from platui.cli.variables import parse_variables, read_secrets
from platui.cli.writing import refused, writable_project, write
from platui.core.errors import ConfigError, CredentialError
from platui.core.text import clean, with_full_stop
from platui.models.values.writes import NewPipeline

if TYPE_CHECKING:
    from platui.config.settings import Options


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
        variables, sources = parse_variables(pairs, secrets)
        check_writes_allowed(platform)
        if triggered and write_options.waits and not write_options.dry_run:
            _check_access(platform)
        where = writable_project(platform, where)
        variables += read_secrets(sources, platform.environ, dry=write_options.dry_run)
        tokens = platform.service.write_service.trigger_tokens
        if triggered and not tokens.source_of(where):
            error = CredentialError(
                f"No trigger token for {clean(str(where))}.",
                hint="Set PLATUI_TRIGGER_TOKEN, or trigger_token_command in the profile.",
            )
            if not write_options.dry_run:
                raise refused(error)
            platform.failures.append(error)
        return write(platform, NewPipeline(where, ref, file, tuple(variables), triggered=triggered))


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
