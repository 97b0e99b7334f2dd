"""A resource, a table and a view that nobody knew before, registered from this file alone.

Everything that lists have comes with these declarations: a screen with sort, filter and details,
and a command with a table, JSON and CSV.
"""

from __future__ import annotations

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qs, urlsplit

import click
import pytest
from tests.support.commands import Shell
from tests.support.dashboard import Elsewhere, dashboard, driving
from tests.support.frozen import FrozenClock

from platui.api.endpoint import ListEndpoint, segment
from platui.cli.command_list import COMMANDS
from platui.cli.command_options import list_command
from platui.cli.output.lists import print_list
from platui.cli.targets import project_at
from platui.models.values.routes import Route
from platui.models.wire import Record
from platui.present.tables.spec import ColumnSpec, TableSpec
from platui.service.resources.resource import Poll, Resource
from platui.ui import views
from platui.ui.view import View

if TYPE_CHECKING:
    from collections.abc import Iterator

    from platui.cli.command_options import ListOptions
    from platui.cli.output.lists import ListReader
    from platui.config.settings import Options
    from platui.models.values.feeds import Listing
    from platui.models.values.queries import ProjectRef

PROJECT: Final = "acme/etl"
STOCK: Final = (
    {"id": 1, "name": "bolt", "weight": 20, "colour": "grey"},
    {"id": 2, "name": "gear", "weight": 3, "colour": "brass"},
    {"id": 3, "name": "[b]\x1b]0;spring", "weight": 100, "colour": ""},
)


class Widget(Record):
    """A record as the platform sends it."""

    id: int
    name: str = ""
    weight: int = 0
    colour: str = ""


def widgets(project: ProjectRef) -> Resource[Listing[Widget]]:
    """Return the widgets of a project."""
    return Resource(
        lambda: ListEndpoint(f"projects/{segment(project)}/widgets", Widget, optional=True),
        poll=Poll.SLOW,
    )


WIDGETS: Final[TableSpec[Widget]] = TableSpec(
    key=lambda one: str(one.id),
    columns=(
        ColumnSpec("id", "ID", right=True, width=4),
        ColumnSpec("name", "NAME", width=20, minimum=8, flexible=True),
        ColumnSpec("weight", "WEIGHT", sort=lambda one, _: one.weight, right=True, width=6),
        ColumnSpec("colour"),
    ),
)
VIEW: Final = View(
    "widgets",
    title="Widgets of a project",
    label="Widgets",
    resource=lambda place: widgets(place.project),
    table=WIDGETS,
    parent="pipelines",
    required_fields=("project",),
    key="7",
    summary="Widgets of this project",
)


@list_command("widgets", "widgets acme/etl")
@click.argument("words", nargs=-1, metavar="PROJECT")
def widgets_command(options: Options, *, words: tuple[str, ...], list_options: ListOptions) -> int:
    """List the widgets of PROJECT."""

    async def read(reader: ListReader[Widget]) -> Listing[Widget]:
        named = project_at(words, reader.address, "platui widgets --help")
        return await reader.in_project(named, lambda project: reader.gather(widgets(project)))

    print_list(options, list_options, "widgets", WIDGETS, read, words=words, empty="No widgets.")
    return 0


@pytest.fixture
def platform() -> Iterator[Elsewhere]:
    """Serve the widgets of one project, a page of two records at a time, and nothing else."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            address = urlsplit(self.path)
            is_known = address.path.endswith(f"/projects/{segment(PROJECT)}/widgets")
            page = int(parse_qs(address.query).get("page", ["1"])[0])
            found: Any = list(STOCK[2 * page - 2 : 2 * page]) if is_known else {"message": "404"}
            body = json.dumps(found).encode()
            self.send_response(200 if is_known else 404)
            self.send_header("Content-Type", "application/json")
            self.send_header("X-Next-Page", str(page + 1) if 2 * page < len(STOCK) else "")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Keep quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield Elsewhere(f"http://127.0.0.1:{server.server_port}")
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    views.register(VIEW)
    module = ModuleType("platui.cli.commands.widgets")
    monkeypatch.setattr(module, "widgets_command", widgets_command, raising=False)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(COMMANDS, "widgets", "List widgets.")
    yield
    views.unregister(VIEW)


async def test_the_dashboard_lists_sorts_filters_and_explains_them(platform: Elsewhere) -> None:
    """`:widgets` opens the list; `S` sorts it by a column, `/` filters, `d` shows a record."""
    start = Route("widgets", PROJECT, PROJECT)
    app = dashboard(platform, start=start, clock=FrozenClock())
    async with driving(app) as driver:
        text = await driver.until("spring")
        assert ("NAME" in text, "WEIGHT" in text, "COLOUR" in text) == (True, True, False)
        await driver.press("S")
        await driver.until("Sort by")
        await driver.type("weight")
        await driver.press("enter")
        await driver.until(lambda text: text.index("gear") < text.index("bolt"))
        await driver.press("slash")
        await driver.type("ge")
        await driver.press("enter")
        await driver.until(lambda text: "gear" in text and "bolt" not in text)
        await driver.press("d")
        await driver.until("brass")


def test_a_command_prints_them_as_table_json_and_csv(
    platform: Elsewhere, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """All pages are read; nothing in a name steers the terminal."""
    environ = {"PLATUI_URL": platform.base_url, "PLATUI_TOKEN": platform.token}
    shell = Shell(monkeypatch, capfd, environ)
    table = shell("widgets", PROJECT, "--all")
    assert table.code == 0
    assert table.lines[0].split() == ["ID", "NAME", "WEIGHT"]
    assert table.lines[1].split() == ["1", "bolt", "20"]
    assert "\x1b" not in table.out
    assert shell("widgets", PROJECT, "--all", "--json").objects == [
        {"project": PROJECT, **one, "colour": one["colour"] or None} for one in STOCK
    ]
    assert shell("widgets", PROJECT, "--limit", "1", "--csv").lines == [
        "id,name,weight,colour", "1,bolt,20,grey",
    ]  # fmt: skip
    assert "widgets" in shell("--help").out


async def test_the_dashboard_says_that_a_platform_lacks_the_list(platform: Elsewhere) -> None:
    """An optional endpoint that is missing is no empty list."""
    app = dashboard(platform, start=Route("widgets", "acme/other", "acme/other"))
    async with driving(app) as driver:
        text = await driver.until("not supported by this platform")
        assert "0 widgets" not in text


def test_a_command_says_that_a_platform_lacks_the_list(
    platform: Elsewhere, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Nothing is printed on stdout."""
    environ = {"PLATUI_URL": platform.base_url, "PLATUI_TOKEN": platform.token}
    said = Shell(monkeypatch, capfd, environ)("widgets", "acme/other")
    assert said.out == ""
    assert "This platform does not support widgets." in said.err
