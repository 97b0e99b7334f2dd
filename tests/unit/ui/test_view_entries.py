"""The entries of the views, and every name of a view that is written anywhere."""

from __future__ import annotations

import ast
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING

import platui
from platui.models.values.routes import Route
from platui.ui import views
from platui.ui.screens.parts.view_screen import ViewScreen
from platui.ui.view import load

if TYPE_CHECKING:
    from collections.abc import Iterator

_TAKING = {"Route": 0, "pipeline_route": 0, "_route": 1, "_of_pipeline": 0, "_go_to_log": 0}
"""What takes the name of a view -> at which argument."""


def test_every_entry_is_whole() -> None:
    """What it names is there, and shows places."""
    names = {field.name for field in fields(Route)}
    for view in views.all_views():
        assert issubclass(load(view.screen), ViewScreen)
        assert all(load(widget) for pane in view.panes for widget in pane)
        assert {*view.required_fields, *view.optional_fields} <= names
        assert {view.number, view.always_written} <= {*names, ""}
        for parent in filter(None, (view.parent, view.parent_of_project)):
            assert {*views.get(parent).required_fields} <= {*view.required_fields}
        assert bool(view.summary) == view.opens_by_name
        assert not view.key or view.opens_by_name


def test_every_entry_could_be_registered() -> None:
    """The built-in views hold to what is asked of any other."""
    listed = views.all_views()
    for view in listed:
        views.unregister(view)
        views.register(view)
    assert views.all_views() == listed


def test_every_name_of_a_view_in_the_program_is_one() -> None:
    """They are plain texts: a slip would be found by nothing else."""
    root = Path(platui.__file__).parent
    files = [file for part in ("ui", "cli") for file in (root / part).rglob("*.py")]
    found = {name for file in files for name in _named(file)}
    known = {view.id for view in views.all_views()}
    assert found - known == set()
    assert len(found) > len(known) / 2


def _named(file: Path) -> Iterator[str]:
    """Yield the texts of a module that name a view."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        values: list[ast.expr] = []
        match node:
            case ast.Call(ast.Name(name) | ast.Attribute(attr=name), arguments, keywords):
                values = [one.value for one in keywords if one.arg == "view"]
                values += arguments[_TAKING[name] :][:1] if name in _TAKING else []
            case ast.Compare(ast.Attribute(attr="view"), _, values):
                pass
        for value in values:
            inner = value.elts if isinstance(value, ast.Set | ast.Tuple) else [value]
            yield from (
                one.value
                for one in inner
                if isinstance(one, ast.Constant) and isinstance(one.value, str)
            )
