"""Start a pipeline with a trigger token."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from platui.cli.command_options import write_command
from platui.cli.commands.run.command import SECRETS, run_options

if TYPE_CHECKING:
    from platui.config.settings import Options

_HELP: Final = f"""\
Start a pipeline of PROJECT with its trigger token (PLATUI_TRIGGER_TOKEN).

A trigger token belongs to one project; the confirmation names its source. Only --wait
and --follow also need an access token. Otherwise it works like `platui run`. Inside a
pipeline job, the job's token suffices without --wait or --follow, and PROJECT defaults
to the project of the job.

{SECRETS}
"""
_EXAMPLES: Final = """
trigger acme/etl --ref main --var DAY=2026-03-14 --yes
"""


@write_command("trigger", _EXAMPLES, can_wait=True, help=_HELP)
@run_options
def trigger_command(options: Options, /, **words: Any) -> int:
    """Trigger a pipeline."""
    from platui.cli.commands.run.start import start  # noqa: PLC0415  (not for help or completion)

    return start(options, **words, triggered=True)
