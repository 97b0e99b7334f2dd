"""What `platui run` and `platui trigger` share: from the words to a pipeline."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from platui.analysis.schedules.wishes import ref_problem
from platui.cli.connecting import platform_of
from platui.cli.consent import refuse_early
from platui.cli.job_around import project_around
from platui.cli.manner import waits, writes
from platui.cli.project_words import project_to_write
from platui.cli.secret_words import check_variables, read_variables
from platui.cli.targets import project_at
from platui.cli.writing import refused, write
from platui.core.errors import ConfigError, CredentialError, PlatuiError
from platui.core.text import as_sentence, clean
from platui.models.values.writes import NewPipeline

if TYPE_CHECKING:
    from collections.abc import Callable

    from platui.cli.connecting import Platform
    from platui.cli.manner import After, Manner
    from platui.config.settings import Options
    from platui.models.values.queries import ProjectRef

SECRETS = """\
A secret is never given in clear: --secret KEY asks for its value, --secret KEY=@FILE
reads a file (@- standard input), --secret KEY=env:NAME a variable of the environment.
"""


def start(  # noqa: PLR0913  (one option each)
    options: Options,
    *,
    project: tuple[str, ...],
    ref: str,
    file: str,
    pairs: tuple[str, ...],
    secrets: tuple[str, ...],
    manner: Manner,
    after: After,
    triggered: bool,
) -> int:
    """Start a pipeline, or trigger one; returns the exit code.

    Raises:
        PlatuiError: the words are not usable, or nothing was started.
    """
    hint = f"platui {'trigger' if triggered else 'run'} --help"
    reads = not triggered or after.waits
    with platform_of(options, project, manner, needs_token=reads) as platform:
        own = project_around(platform.environ, platform.address)
        where = project_at(project or (own,), platform.address, hint)
        if problem := ref_problem(ref):
            raise ConfigError(f"--ref: {problem}")
        check_variables(pairs, secrets)
        refuse_early(platform, manner)
        if triggered and after.waits and not manner.dry_run:
            _check_reading(platform)
        try:
            where = platform.read(project_to_write(platform, where, manner))
        except PlatuiError as error:
            return refused(error)
        variables = read_variables(pairs, secrets, platform.environ, dry=manner.dry_run)
        if triggered and not manner.dry_run:
            _check_trigger_token(platform, where)
        new = NewPipeline(where, ref, file, variables, triggered=triggered)
        return write(platform, new, manner, after)


def _check_trigger_token(platform: Platform, project: ProjectRef) -> None:
    """Make sure that there is one, before anything is asked or sent.

    Raises:
        CredentialError: there is none.
    """
    if not platform.service.write_desk.trigger_tokens.source_of(project):
        raise CredentialError(
            f"There is no trigger token for {clean(str(project))}: nothing was sent.",
            hint="Set PLATUI_TRIGGER_TOKEN, or name a trigger_token_command in the profile.",
        )


def _check_reading(platform: Platform) -> None:
    """Make sure that a pipeline can be watched which a trigger token is to start.

    Found out only behind it, each try of a script would start another one.

    Raises:
        CredentialError: there is no access token, or only that of the running job.
    """
    try:
        platform.run(platform.service.start())
    except CredentialError as error:
        raise CredentialError(
            "A trigger token starts the pipeline, and opens nothing: --wait and --follow take an "
            f"access token, too. {as_sentence(error.sentence)} Nothing was sent.",
            hint=error.hint,
        ) from None
    if platform.service.is_of_job:
        raise CredentialError(
            "A job's token starts the pipeline, and does not open it: --wait and --follow take an "
            "access token, too. Nothing was sent.",
            hint="Leave them out, or set PLATUI_TOKEN to a token with read_api.",
        )


def starts(function: Callable[..., int]) -> Callable[..., int]:
    """Give a command the words of a pipeline to be started, and all options of a write."""
    function = writes(waits(function))
    for option in (
        click.option(
            "--secret",
            "secrets",
            metavar="KEY[=SOURCE]",
            multiple=True,
            help="A secret variable; see above. May be repeated.",
        ),
        click.option(
            "--var",
            "pairs",
            metavar="KEY=VALUE",
            multiple=True,
            help="A variable. May be repeated.",
        ),
        click.option(
            "--file",
            default="",
            metavar="PATH",
            help="Pipeline file in the repository; the project's own where left out.",
        ),
        click.option("--ref", required=True, metavar="REF", help="Branch or tag to run on."),
        click.argument("project", nargs=-1, metavar="PROJECT"),
    ):
        function = option(function)
    return function
