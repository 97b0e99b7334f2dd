"""The commands beside the dashboard, as click reads them."""

from __future__ import annotations

import click

from platui.cli.emulator import emulator_command


@click.group("platui", add_help_option=False)
def commands() -> None:
    """Hold the commands; `platui --help` is written by hand."""


@click.command("demo")
@click.pass_context
def demo_command(context: click.Context) -> None:
    """Open the dashboard on an emulated platform; nothing of it is left behind."""
    from platui.cli.demo import run_demo  # noqa: PLC0415  (only when meant)
    from platui.config.settings import Options  # noqa: PLC0415  (only when meant)

    context.exit(run_demo(Options()))


commands.add_command(emulator_command)
commands.add_command(demo_command)
