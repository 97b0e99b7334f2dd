"""Pictures of a log, compared with those that were looked at and found good."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from textual.app import App, ComposeResult

from platui.logs import Log
from platui.models.values.log import ErrorMark
from platui.models.values.search import SearchQuery
from platui.ui.themes import find_theme
from platui.ui.widgets.log_content import FilterResult
from platui.ui.widgets.log_view import LogView

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from textual.pilot import Pilot

BEGAN = 1_790_000_000

DEPS = [f"18:01:{second}  Installing acme/dbt_macros_{second}" for second in range(10, 22)]
MODELS = [
    f"18:02:{number:02}  {number + 1} of 48 {word} sql table model marts.dim_customer_{number:02} "
    f"{'.' * 24} {end}"
    for number in range(48)
    for word, end in (
        ("START", "[\x1b[33mRUN\x1b[0m]"),
        ("OK created", f"[\x1b[32mSUCCESS {number * 431}\x1b[0m in {number / 7:.2f}s]"),
    )
]
FAILURE = [
    "18:03:05  \x1b[31mCompleted with 1 error and 2 warnings:\x1b[0m",
    "18:03:05",
    "18:03:05    \x1b[31mDatabase Error in model fct_orders (models/marts/fct_orders.sql)\x1b[0m",
    '  relation "stg_orders" does not exist',
    '  LINE 14: from "staging"."stg_orders" as orders left join "staging"."stg_order_lines" as l',
    "           ^",
    "  compiled code at target/run/warehouse/models/marts/fct_orders.sql",
    "18:03:05",
    "\x1b[38;5;17mPASS=47\x1b[0m \x1b[48;5;226mWARN=2\x1b[0m \x1b[38;2;0;255;255;2mSKIP=0\x1b[0m",
]


class Writer:
    """Writes a log as a runner does, a second a line."""

    def __init__(self) -> None:
        self.now = BEGAN
        self.lines: list[str] = []

    def line(self, text: str) -> None:
        """Write a line, with its time."""
        stamp = datetime.fromtimestamp(self.now, UTC).strftime("%Y-%m-%dT%H:%M:%S.250000Z 00O ")
        self.lines.append(f"{stamp}{text}\n")

    def begin(self, name: str, title: str) -> None:
        """Begin a section."""
        self.line(f"section_start:{self.now}:{name}\r\x1b[0K\x1b[36;1m{title}\x1b[0;m")

    def end(self, name: str) -> None:
        """End it."""
        self.line(f"section_end:{self.now}:{name}\r\x1b[0K")

    def body(self, lines: Iterable[str]) -> None:
        """Write lines."""
        for text in lines:
            self.now += 1
            self.line(text)


def failed_log() -> bytes:
    """Return the log of a job that failed, with sections in a section."""
    writer = Writer()
    writer.line("Running with gitlab-runner 17.5.3 (12030cf4)")
    for name, title, size in (
        ("prepare_executor", 'Preparing the "docker" executor', 4),
        ("get_sources", "Getting source from Git repository", 16),
    ):
        writer.begin(name, title)
        writer.body(f"{name} {number}" for number in range(size))
        writer.end(name)
    writer.begin("step_script", 'Executing "step_script" stage of the job script')
    writer.body(["\x1b[32;1m$ dbt deps && dbt run --target prod\x1b[0;m"])
    writer.begin("dbt_deps", "Installing packages")
    writer.body(DEPS)
    writer.end("dbt_deps")
    writer.body([*MODELS, *FAILURE])
    writer.end("step_script")
    writer.begin("cleanup", "Cleaning up project directory and file based variables")
    writer.body(["done"] * 2)
    writer.end("cleanup")
    writer.line("\x1b[31;1mERROR: Job failed: exit code 1\x1b[0;m")
    return "".join(writer.lines).encode()


class FailedLog(Log):
    """A log whose errors are known."""

    @property
    def errors(self) -> tuple[ErrorMark, ...]:
        """Return what failed, and that it failed."""
        first = next(y for y in range(self.line_count) if "Database Error" in self.text(y))
        last = self.line_count - 1
        return (ErrorMark(first, first + 5, "dbt"), ErrorMark(last, last + 1, "runner"))


class Words:
    """A pattern: a regular expression."""

    query = SearchQuery("stg_", is_regex=True)

    def ranges(self, line: str) -> Sequence[tuple[int, int]]:
        """Return where it is found."""
        return [found.span() for found in re.finditer("stg_[a-z_]+", line)]


class FailedLogApp(App[None]):
    """The log of a failed job, as it opens: at its error, the failing section open."""

    def __init__(self, theme: str) -> None:
        super().__init__()
        chosen = find_theme(theme)
        self.register_theme(chosen)
        self.theme = chosen.name
        self.log_of_job = FailedLog(failed_log())
        self.log_of_job.finish()

    def compose(self) -> ComposeResult:
        """Have the log alone."""
        yield LogView()

    def on_mount(self) -> None:
        """Open it, and search."""
        view, document, pattern = self.query_one(LogView), self.log_of_job, Words()
        view.utc = True
        view.show(document, ended=True)
        names = [section.name for section in document.sections]
        view.folds.fold_all_but([names.index("step_script")])
        view.highlight(pattern)
        view.mark_hits([y for y in range(document.line_count) if pattern.ranges(document.text(y))])
        view.position.reveal(document.errors[0].first)


@pytest.mark.parametrize("theme", ["platui-dark", "ansi"])
def test_a_failed_log(snap_compare: Callable[..., bool], theme: str) -> None:
    """Folds, the header that stays in sight, the error, what was found, and where it all is."""

    async def go_to_the_hit(pilot: Pilot[None]) -> None:
        await pilot.pause()
        view = pilot.app.query_one(LogView)
        assert view.position.focus is not None
        view.position.reveal(view.position.focus + 1)

    assert snap_compare(FailedLogApp(theme), terminal_size=(80, 24), run_before=go_to_the_hit)


@pytest.mark.parametrize("theme", ["platui-dark", "ansi"])
def test_a_filter_with_lines_around(snap_compare: Callable[..., bool], theme: str) -> None:
    """What was found stands out from what is around it, and groups stand apart."""

    async def choose(pilot: Pilot[None]) -> None:
        view = pilot.app.query_one(LogView)
        document = view.document
        assert document is not None
        texts = [document.text(y) for y in range(document.line_count)]
        view.filter_lines(
            FilterResult([y for y, text in enumerate(texts) if "fct_orders" in text], context=1)
        )
        await pilot.press("g")

    assert snap_compare(FailedLogApp(theme), terminal_size=(80, 24), run_before=choose)


def test_a_log_that_is_wrapped_timed_and_numbered(snap_compare: Callable[..., bool]) -> None:
    """With lines chosen, on a light ground."""

    async def choose(pilot: Pilot[None]) -> None:
        await pilot.press("w", "t", "number_sign", "space", "j", "j")

    app = FailedLogApp("platui-light")
    assert snap_compare(app, terminal_size=(120, 40), run_before=choose)
