"""What a project is called in a question."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from platui.present.writes.requests import called

if TYPE_CHECKING:
    from platui.models.values.queries import ProjectRef


@pytest.mark.parametrize(
    ("project", "name", "said"),
    [
        ("acme/etl", "etl", "acme/etl"),
        (110, "acme/etl", "acme/etl"),
        (110, "etl", "etl (110)"),
        (110, "", "110"),
        (110, "110", "110"),
        (110, "acme/\x1b[31metl", "acme/\ufffd[31metl"),
    ],
)
def test_a_project_is_called_by_its_path_where_that_is_known(
    project: ProjectRef, name: str, said: str
) -> None:
    """A number alone names nothing to anybody at night."""
    assert called(project, name) == said
