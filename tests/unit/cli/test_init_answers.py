"""What is typed to choose from a numbered list."""

from __future__ import annotations

import pytest

from platui.cli.commands.init.profile import chosen_numbers, named_projects
from platui.core.errors import ConfigError
from platui.models.values.connection import SignInInfo
from platui.models.wire import Project


@pytest.mark.parametrize(
    ("text", "chosen"),
    [("1", [0]), ("1 3-5,7", [0, 2, 3, 4, 6]), (" 2, 2 1 ", [0, 1]), ("7-7", [6]), (",", [])],
)
def test_numbers_and_ranges(text: str, chosen: list[int]) -> None:
    """In the order of the list, each once."""
    assert chosen_numbers(text, 7) == chosen


@pytest.mark.parametrize("text", ["0", "8", "5-3", "1-2-3", "x", "-1", "1-", "\N{SUPERSCRIPT TWO}"])
def test_what_is_no_number_of_the_list_is_refused(text: str) -> None:
    """Nothing is guessed."""
    with pytest.raises(ConfigError, match="from 1 to 7"):
        chosen_numbers(text, 7)


def test_projects_are_named_by_path_or_id() -> None:
    """Each once; one that is not there is an error."""
    said = SignInInfo(
        projects=(
            Project(id=3, path_with_namespace="Acme/ETL"),
            Project(id=4, path_with_namespace="acme/ml"),
        )
    )
    assert named_projects(["acme/etl/", "4", "3"], said) == (3, 4)
    with pytest.raises(ConfigError, match="a project acme/other"):
        named_projects(["acme/etl", "acme/other"], said)
