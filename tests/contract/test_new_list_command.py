"""What a new list command costs: a function in its module, and an entry in the group."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING

import click
import pytest

from platui.cli.command_list import COMMANDS
from platui.cli.command_options import list_command
from platui.cli.commands.completion import Completer
from platui.cli.output.lists import print_list
from platui.cli.reading import resources
from platui.present.tables.projects import NAMESPACES

if TYPE_CHECKING:
    from tests.support.command_user import User

    from platui.cli.command_options import ListOptions
    from platui.config.settings import Options


@list_command("places", "places --json")
@click.option("--search", default="", metavar="TEXT", help="Only those with it.")
def places_command(options: Options, *, search: str, list_options: ListOptions) -> int:
    """List places."""
    wanted = resources.projects.namespaces(search)
    print_list(options, list_options, "places", NAMESPACES, lambda reader: reader.gather(wanted))
    return 0


@pytest.fixture
def _places(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("platui.cli.commands.places")
    monkeypatch.setattr(module, "places_command", places_command, raising=False)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(COMMANDS, "places", "List places.")


@pytest.mark.usefixtures("_places")
def test_an_entry_is_all_that_help_and_completion_need(user: User) -> None:
    """It runs, is in every help, and its words are completed."""
    told = user("places", "--limit", "1", "--json")
    assert (told.code, len(told.objects)) == (0, 1)
    assert told.objects == user("namespaces", "--limit", "1", "--json").objects
    assert "\n  places      List places.\n" in user("--help").out
    assert user("help", "places").out.startswith("Usage: platui places [OPTIONS]")
    assert "\nplatui places\n" in user("--help-all").out
    assert "Did you mean places?" in user("placs").err
    for typed, values in ((("pla",), ["play", "places"]), (("places", "--sea"), ["--search"])):
        completer = Completer(typed)
        found = completer.get_completions(*completer.get_completion_args())
        assert [one.value for one in found] == values
