"""The command group `platui`, which imports commands lazily."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

import click

from platui import __version__
from platui.cli.command_list import COMMANDS, commands_starting_with
from platui.cli.command_options import global_options
from platui.cli.exit_codes import Exit
from platui.cli.help_page import HELP_ALL, VERSION, help_page
from platui.cli.options import GLOBAL_OPTIONS, opens_dashboard
from platui.cli.targets import number_of
from platui.config.settings import Options
from platui.core.errors import ConfigError
from platui.core.suggestions import did_you_mean, file_hint, nearest
from platui.core.text import clean, with_full_stop

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

_RULE: Final = "-" * 78
_NO_COMMAND: Final = "No such command "  # How a message of click begins


class LazyGroup(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  (as click calls it)
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002  (the same)
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"platui.cli.commands.{cmd_name}")
        if hasattr(module, "__path__"):  # a folder
            module = import_module(f"{module.__name__}.command")
        command: click.Command = getattr(module, f"{cmd_name}_command")
        return command

    def get_help(self, ctx: click.Context) -> str:  # noqa: ARG002  (as click calls it)
        return help_page()

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem  # noqa: PLC0415  (of a shell only)

        found = [
            CompletionItem(name, help=help_) for name, help_ in commands_starting_with(incomplete)
        ]
        return [*found, *click.Command.shell_complete(self, ctx, incomplete)]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name, *rest = args
        if name in COMMANDS:
            return super().resolve_command(ctx, args)
        if ctx.resilient_parsing:
            return name, click.Command(name), []  # no completion after it
        if opens_dashboard(name):
            if {"-h", "--help"}.intersection(rest):
                return "help", self.get_command(ctx, "help"), []
            raise ConfigError(f"Unexpected argument: {clean(rest[0])}", hint="platui --help")
        if (number := number_of(name.removeprefix("#"))) is not None:
            raise ConfigError(
                f"The number {number} has no project.",
                hint=f"Give it as PROJECT#{number}, or type :{number} in the dashboard.",
            )
        hint = file_hint(name) or did_you_mean(nearest(name, COMMANDS))
        raise ConfigError(
            f'Unknown command "{clean(name)}".',
            hint=hint or f"Run platui --help for all commands, {_to_open(name)}.",
        )


def _to_open(name: str) -> str:
    return f"or platui {clean(shlex.quote(f'GROUP/{name}'))} to open a project"


def walk(context: click.Context) -> Iterator[click.Context]:
    yield context
    group = context.command
    for name in group.list_commands(context) if isinstance(group, click.Group) else ():
        found = subcommand(context, name)
        if found is not None and not found.command.hidden:
            yield from walk(found)


def every_help(root: click.Context) -> Iterator[str]:
    first, *others = walk(root)
    yield f"{first.get_help()}\n"
    for context in others:
        yield f"{_RULE}\n{context.command_path}\n{_RULE}\n{context.get_help()}\n"


def help_of(root: click.Context, *words: str) -> str | None:
    """Return the help of a command such as `schedule run`; None: unknown command."""
    context: click.Context | None = root
    for word in words:
        context = subcommand(context, word) if context is not None else None
    return None if context is None else context.get_help()


def subcommand(context: click.Context, name: str) -> click.Context | None:
    group = context.command
    command = group.get_command(context, name) if isinstance(group, click.Group) else None
    if command is None:
        return None
    return command.make_context(name, [], parent=context, resilient_parsing=True)


def _help_all(ctx: click.Context, _: click.Parameter, value: bool) -> None:  # noqa: FBT001  (as click calls it)
    if value and not ctx.resilient_parsing:
        print("\n".join(every_help(ctx)), end="")
        ctx.exit()


@click.group(
    "platui",
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@global_options({one.name: one.help for one in GLOBAL_OPTIONS})
@click.version_option(__version__, message="platui %(version)s", help=VERSION)
@click.option(
    "--help-all", is_flag=True, is_eager=True, expose_value=False, callback=_help_all,
    help=HELP_ALL,
)  # fmt: skip
def platui() -> int:
    return 0  # click runs the command


def run(arguments: Sequence[str]) -> int:
    try:
        # Not `main`, which handles interrupts and closed pipes itself.
        with platui.make_context("platui", list(arguments), obj=Options()) as context:
            result: Any = platui.invoke(context)
    except click.exceptions.Exit as asked:
        return asked.exit_code
    except click.exceptions.NoArgsIsHelpError as asked:
        print(asked.format_message(), file=sys.stderr)  # an error: stdout is for data
        return Exit.USAGE
    except click.ClickException as error:
        raise _config_error(error) from None
    except click.Abort:
        return Exit.INTERRUPTED
    return result if isinstance(result, int) else 0


def _config_error(error: click.ClickException) -> ConfigError:
    context = getattr(error, "ctx", None)
    hint = f"{'platui' if context is None else context.command_path} --help"
    if context is not None and error.message.startswith(_NO_COMMAND):
        name = clean(error.message.removeprefix(_NO_COMMAND)[1:-2])  # quoted, with a full stop
        near = nearest(name, context.command.list_commands(context))
        return ConfigError(f'Unknown command "{name}".', hint=did_you_mean(near) or hint)
    if isinstance(error, click.BadParameter) and error.param is not None:
        kind, option = error.param.type, error.param.opts[0]
        if isinstance(kind, click.IntRange):
            end = "" if kind.max is None else f" to {kind.max:,}"
            return ConfigError(f"{option} must be a whole number from {kind.min}{end}.", hint=hint)
    if not isinstance(error, click.NoSuchOption) or context is None:
        return ConfigError(with_full_stop(error.format_message()), hint=hint)
    # Without dashes, which would make --json similar to --version.
    names = {name.lstrip("-"): name for one in context.command.get_params(context)
             for name in one.opts}  # fmt: skip
    near = nearest(error.option_name.lstrip("-"), names)
    return ConfigError(error.message, hint=did_you_mean(names.get(near, "")) or hint)
