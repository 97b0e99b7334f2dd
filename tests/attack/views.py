"""The views of the dashboard, as the program declares them: how each is opened, and its keys."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from tests.attack.home import run_at_home
from tests.support.session import KEYS

from platui.models.values.routes import Route
from platui.ui import views
from platui.ui.route_lines import route_line

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from tests.support.processes import Desk

    from platui.ui.view import View

_MOVES: Final = frozenset({
    "down", "up", "half_page_down", "half_page_up", "page_down", "page_up", "top", "end",
    "left", "right", "line_start", "line_end",
})  # fmt: skip
_LEAVE: Final = frozenset({"view.quit", "app.interrupt", "app.suspend", "app.help"})
_TYPED: Final = {
    **KEYS, "space": " ", "up": "\x1b[A", "down": "\x1b[B", "left": "\x1b[D", "home": "\x1b[H",
    "end": "\x1b[F", "del": "\x1b[3~", "shift+tab": "\x1b[Z", "ctrl+enter": "\x1b[13;5u",
}  # fmt: skip


@dataclass(frozen=True)
class OpenView:
    """A view, the command that opens it, and its keys but those that move or leave."""

    id: str
    line: str
    keys: tuple[str, ...]

    def some_keys(self, chance: random.Random, number: int) -> list[str]:
        """Return some of its keys."""
        return chance.sample(self.keys, min(number, len(self.keys)))


def open_views(platform: Desk, home: Path) -> list[OpenView]:
    """Return all views that show what comes from a platform, filled from one."""
    keys = _keys_by_view(home)
    found = _found(platform)
    return [
        OpenView(view.id, _line(view, found), keys[view.id])
        for view in views.all_views()
    ]  # fmt: skip


def _line(view: View, found: Mapping[str, Any]) -> str:
    names = {*view.required_fields, view.always_written} - {""}
    if "pipeline" in view.optional_fields:
        names.add("pipeline")
    names |= {name.partition(".")[2] for name in found if name.startswith(f"{view.id}.")}
    values = {name: found.get(f"{view.id}.{name}", found.get(name)) for name in names}
    if missing := [name for name, value in values.items() if value is None]:
        raise LookupError(f"nothing to open {view.id} with: {missing}")
    return route_line(Route(view.id, **values))


def _keys_by_view(home: Path) -> dict[str, tuple[str, ...]]:
    """Return the keys of each view, as `platui keys` lists them."""
    said = run_at_home(home, "keys", "--json", environ={})
    return {
        view["name"]: tuple(_typed(view["actions"]))
        for view in json.loads(said.out)["screens"]
    }  # fmt: skip


def _typed(actions: Sequence[Mapping[str, Any]]) -> list[str]:
    kept = (
        one["keys"][0]
        for one in actions
        if one["id"] not in _LEAVE and one["id"].partition(".")[2] not in _MOVES
    )
    return [as_typed(key) for key in kept if key != "esc"]


def as_typed(key: str) -> str:
    """Return what a terminal sends for a key."""
    if key in _TYPED:
        return _TYPED[key]
    modifier, _, letter = key.rpartition("+")
    if modifier == "ctrl":
        return chr(ord(letter) & 0x1F)
    if modifier or len(key) > 1:
        raise LookupError(f"what a terminal sends for {key} is not known")
    return key


def _found(platform: Desk) -> dict[str, Any]:
    """Return values for the fields of routes; `view.field` is for one view only."""
    project = "projects/" + platform.project.replace("/", "%2F")
    namespace = platform.get(project).json()["namespace"]
    pipelines = platform.get(f"{project}/pipelines?per_page=50").json()
    pipeline, failed, packed = next(_with_failed_and_packed_jobs(platform, project, pipelines))
    change = f"{pipelines[-1]['sha']}...{pipeline['sha']}"
    return {
        "project": platform.project,
        "pipeline": pipeline["id"],
        "job": failed["id"],
        "artifacts.job": packed["id"],
        "artifact.job": packed["id"],
        "ref": pipeline["ref"],
        "path": "logs/dbt.log",
        "file.path": "",
        "commits.ref": change,
        "diff.ref": change,
        "search.search": "error",
        "person.entry": "person 2001",
        "members.entry": f"group {namespace['id']}",
    }


def _with_failed_and_packed_jobs(
    platform: Desk, project: str, pipelines: Sequence[Mapping[str, Any]]
) -> Iterator[tuple[Mapping[str, Any], ...]]:
    for pipeline in pipelines:
        jobs = platform.get(f"{project}/pipelines/{pipeline['id']}/jobs?per_page=100").json()
        failed = [job for job in jobs if job["status"] == "failed"]
        packed = [job for job in jobs if job.get("artifacts_file")]
        if failed and packed:
            yield pipeline, failed[0], packed[0]
