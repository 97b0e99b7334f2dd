"""The triage board on the screen: what it shows, where its keys lead, and what it remembers."""

from __future__ import annotations

import re
import threading
from dataclasses import replace
from datetime import timedelta
from time import monotonic
from typing import TYPE_CHECKING, Any

import pytest
from tests.support.dashboard import PATIENCE, Driver, Elsewhere, dashboard, driving
from tests.support.faults import fault
from tests.support.frozen import NIGHT, FrozenClock
from tests.support.platform import running_platform
from tests.texts.dialogs import NOTE_KEYS, WATCH_LIST
from tests.texts.screens import SNOOZE
from textual.widgets import Input

from platui.analysis.triage import lateness
from platui.models.values.routes import Route
from platui.models.values.triage_board import Board, BoardState
from platui.models.values.triage_headings import QUIET, REST
from platui.present.triage.labels import Names, cause_key, lane_name, newest_first, ref_of
from platui.service.local_state import LocalState
from platui.store.triage import TriageStore
from platui.ui.command_app import ClipboardAndBrowser
from platui.ui.key_guard import REACTION_SECONDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from tests.support.platform import PlatformFactory

    from platui.models.values.stored_triage import IncidentKey, StoredTriage
    from platui.models.values.triage_board import BoardItem, SavedBoard
    from platui.ui.app import PlatuiApp
    from platui.ui.screens.triage.body import TriageBody
    from platui_emulator.server import RunningEmulator

pytestmark = pytest.mark.variants("default", reason="it is about what is broken there")

HOME = Route("triage")
WATCHED = (101, 103, 106)
"""Projects: a cause with five incidents, one alone, and some that recovered."""
GREEN = (136, 139)
"""Projects of which nothing is to be said."""
STALLED = (108, 3029)
"""A project, and its schedule that did not run for days."""
GPU = 154
"""A project of which jobs wait for a runner that there is none of."""
BRANCHES = (103, 121)
"""Projects of one cause, with incidents on default and other branches."""
ON_BRANCH = 122
"""A project that is broken on another branch only."""
RUNS = 103
"""A project of which a job runs two days later."""
NOWHERE = 999_999
"""A project that there is not."""


@pytest.fixture(scope="module")
def night() -> Iterator[RunningEmulator]:
    """Run the company at one moment of a night."""
    with running_platform(clock=FrozenClock()) as platform:
        yield platform


async def board(
    platform: RunningEmulator | Elsewhere, watched: Sequence[int] = WATCHED, **options: Any
) -> PlatuiApp:
    """Return a dashboard that opens on the board of some projects."""
    app = dashboard(platform, start=HOME, **{"clock": FrozenClock(), **options})
    if watched:
        await app.service.triage_state.watch(watched)
    return app


async def seen(driver: Driver) -> None:
    """Wait until the board counts as seen, so that `a` is no repeat of a held key."""
    since = monotonic()
    await driver.wait(lambda: monotonic() - since > REACTION_SECONDS)


async def told(driver: Driver) -> TriageBody:
    """Wait until the board is live and every cause is found; return its body."""
    await driver.until(
        lambda text: "● live" in text and "req/min" in text
        and not re.search(r"looking|loading (\d+ )?cause", text), 60,
    )  # fmt: skip
    return body_of(driver)


def body_of(driver: Driver) -> TriageBody:
    """Return the body of the board on the screen."""
    screen: Any = driver.app.screen
    return screen.body  # type: ignore[no-any-return]


def broken(body: TriageBody) -> list[BoardItem]:
    """Return what is broken, as the board has it."""
    assert body.shown.board is not None
    return [item for item in body.shown.board.items if item.state is BoardState.BROKEN]


async def test_a_cause_is_opened_folded_and_led_from_to_its_log(night: RunningEmulator) -> None:
    """The cursor begins at the top; enter opens the log of the failed job; esc comes back."""
    async with driving(await board(night)) as driver:
        body = await told(driver)
        group = body.shown.board.groups[0]  # type: ignore[union-attr]
        assert len(group.items) > 1
        assert group.signature is not None
        head = driver.cursor
        assert head == f"cause:{group.signature.key}"
        assert driver.table.index_of(head) == 0
        assert group.signature.shared in driver.text
        count = driver.table.total_count
        await driver.press("right")
        assert driver.table.total_count == count + len(group.items)
        await driver.press("right")
        await driver.until_told("Nothing to expand: all incidents of this cause are shown.")
        await driver.press("down", "down")
        member = group.items[1].incident
        assert member is not None
        assert driver.cursor == f"{member.lane.project}:{member.first_red.id}"
        await driver.press("left")
        assert (driver.cursor, driver.table.total_count) == (head, count)
        await driver.press("x")
        assert driver.table.total_count > count
        await driver.press("x", "enter")
        await driver.until_at("log")
        point = group.items[0].point
        assert point is not None
        assert point.step is not None
        assert driver.route.job == point.step.id
        assert driver.route.pipeline == group.items[0].incident.newest_red.id  # type: ignore[union-attr]
        await driver.press("escape")
        await driver.wait(lambda: driver.route == HOME)
        assert driver.cursor == head
        await driver.press("b")
        await driver.until_at("since")
        assert driver.route.pipeline == group.items[0].incident.newest_red.id  # type: ignore[union-attr]
        await driver.until("runs, oldest at left")
        await driver.press("escape")
        await driver.wait(lambda: driver.route == HOME)
        assert driver.cursor == head


async def test_what_is_known_sinks_and_comes_back(  # noqa: PLR0915  (one walk)
    night: RunningEmulator,
) -> None:
    """`a` twice, a snooze and its end, a note with an owner: on the row, and in the summary."""
    async with driving(await board(night)) as driver:
        body = await told(driver)
        number = len(broken(body))
        await driver.press("end")
        await driver.until("enter jobs")
        await driver.press("a")
        await driver.until_told("Nothing to acknowledge: this has recovered.")
        await driver.press("b")
        await driver.until_told("Nothing to compare: this has recovered.")
        assert f"{number} broken" in driver.text
        alone = next(
            group.items[0] for group in body.shown.board.groups[1:]  # type: ignore[union-attr]
            if len(group.items) == 1
        )  # fmt: skip
        key = f"{alone.lane.project}:{alone.incident.first_red.id}"  # type: ignore[union-attr]
        driver.table.move_to(key)
        await driver.press("a")
        await driver.until("1 quiet")
        names = Names(body.shown.board.names)  # type: ignore[union-attr]
        name = lane_name(alone, names)
        await driver.until_told(f"{name} acknowledged until the cause changes; Z undoes it.")
        assert f"{number - 1} broken" in driver.text
        driver.table.move_to(key)
        await seen(driver)
        await driver.press("a")
        await driver.until(f"{number} broken")
        driver.table.move_to(key)
        await driver.press("z")
        await driver.until(f"{SNOOZE}{name[:20]}")
        await driver.until("4 hours")
        await driver.type("1 h")
        await driver.press("enter")
        await driver.until("1 quiet")
        driver.table.move_to(key)
        await driver.until("snoozed until 04:12")
        await driver.press("z")
        await driver.until("end the snooze")
        await driver.press("enter")
        await driver.until(f"{number} broken")
        # What was done last is taken back wherever the cursor is, and the cursor goes there.
        await driver.press("end", "Z")
        await driver.until_told(f"Undone: {name} no longer snoozed.")
        await driver.until("snoozed until 04:12")
        assert driver.cursor == key
        await driver.press("Z")
        await driver.until(f"{number} broken")
        assert driver.cursor == key
        # What was brought back is followed no further: acknowledged again, it goes alone.
        await seen(driver)
        await driver.press("a")
        await driver.until(f"{number - 1} broken")
        assert driver.cursor != key
        await driver.press("Z")
        await driver.until(f"{number} broken")
        assert driver.cursor == key
        await driver.press("n")
        await driver.until("name of the owner")
        assert name in driver.text
        await driver.type("vault is down")
        await driver.press("enter")
        await driver.type("ada")
        await driver.press("enter")
        await driver.until("owner ada · “vault is down”")
        await driver.press("n")
        await driver.until(NOTE_KEYS)
        await driver.type(" since 2")
        await driver.press("escape")
        await driver.until_told("Input saved.")
        assert driver.cursor == key
        await driver.press("ctrl+c")
        await driver.until("and discard your input?")
        await seen(driver)
        await driver.press("escape")
        await driver.until(lambda text: "discard what" not in text)
        marks_keys = next(
            one
            for one in driver.app.screen.controllers  # type: ignore[attr-defined]
            if one.has_unsaved_input
        )
        before, body.shown.board = body.shown.board, Board()
        assert not marks_keys.has_unsaved_input  # its incident left the board
        body.shown.board = before
        await driver.press("n")
        await driver.until("vault is down since 2")
        await driver.press(*["backspace"] * len(" since 2"), "escape")
        book, group = driver.app.service.triage_state, body.shown.board.groups[0]  # type: ignore[union-attr]
        keys = [item.incident.key for item in group.items]  # type: ignore[union-attr]
        await book.own([keys[-1]], "grace")
        await driver.press("home", "n")
        await driver.until(NOTE_KEYS)
        await driver.until(f"owner  differs, 1 of {len(keys)} have one: unchanged, each stays")
        await driver.type("one vendor")
        await driver.press("enter", "enter")
        await driver.until_told("” noted; Z undoes it.")
        marks = book.memory.value.marks
        assert {marks[one].note for one in keys} == {"one vendor"}
        assert [marks[one].owner for one in keys] == [*[""] * (len(keys) - 1), "grace"]


async def test_a_project_that_left_the_board_is_not_brought_back_by_the_same_key(
    night: RunningEmulator,
) -> None:
    """The cursor is on another project then: the hint names what brings it back."""
    async with driving(await board(night, (*GREEN, BRANCHES[0]))) as driver:
        body = await told(driver)
        path = body.shown.names.path(BRANCHES[0])
        state = driver.app.service.triage_state.memory
        await driver.press("asterisk")
        await driver.until_told(f"2 projects left; :watch {path} to undo.")
        assert state.value.watched.projects == GREEN
        await driver.press("colon")
        await driver.type(f"watch {path}")
        await driver.press("enter")
        await driver.wait(lambda: BRANCHES[0] in state.value.watched.projects)


async def test_a_snooze_begins_when_it_is_chosen(night: RunningEmulator) -> None:
    """Not when its menu was opened; a time that has passed meanwhile snoozes nothing."""
    clock = FrozenClock()
    async with driving(await board(night, clock=clock)) as driver:
        await told(driver)
        await seen(driver)
        marks = driver.app.service.triage_state.memory
        await driver.press("z")
        await driver.until("until 08:00")
        clock.moment += timedelta(hours=5)
        await driver.type("until 08")
        await driver.press("enter")
        await driver.until_told("Not snoozed: that time has passed.")
        assert not marks.value.marks
        await driver.press("z")
        await driver.until("30 minutes")
        clock.moment += timedelta(hours=2)
        await driver.press("enter")
        await driver.until_told("snoozed for 30 minutes")
        until = {mark.snoozed_until for mark in marks.value.marks.values()}
        assert until == {clock.moment + timedelta(minutes=30)}


async def test_a_long_paste_into_a_note_is_cut_with_a_word(night: RunningEmulator) -> None:
    """Lines become one; nothing is dropped silently."""
    async with driving(await board(night)) as driver:
        await told(driver)
        await seen(driver)
        await driver.press("n")
        await driver.until(NOTE_KEYS)
        note = driver.app.screen.query_one("#note", Input)
        await driver.paste("first\nsecond ")
        await driver.wait(lambda: note.value == "first second ")
        await driver.paste("x" * 600)
        await driver.until_told("The pasted text was cut: 500 characters fit.")
        assert note.value == "first second ".ljust(500, "x")


async def test_the_undo_of_a_note_takes_back_the_note_and_no_more(
    night: RunningEmulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not an owner named since; each change writes the state once, however many incidents."""
    noted: list[int] = []
    note = TriageStore.note

    def counting(store: TriageStore, keys: Iterable[IncidentKey], text: str) -> StoredTriage:
        every = list(keys)
        noted.append(len(every))
        return note(store, every, text)

    monkeypatch.setattr(TriageStore, "note", counting)
    async with driving(await board(night)) as driver:
        body = await told(driver)
        await seen(driver)
        group = body.shown.board.groups[0]  # type: ignore[union-attr]
        keys = [item.incident.key for item in group.items]  # type: ignore[union-attr]
        assert len(keys) > 1
        await driver.press("n")
        await driver.until(NOTE_KEYS)
        await driver.type("vault")
        await driver.press("enter", "enter")
        await driver.until_told("noted; Z undoes it.")
        book = driver.app.service.triage_state
        await book.own(keys, "grace")
        await driver.press("Z")
        await driver.until_told("Undone: ")
        marks = book.memory.value.marks
        assert {(marks[key].note, marks[key].owner) for key in keys} == {("", "grace")}
    assert noted == [len(keys), len(keys)]


async def test_a_long_note_of_a_command_can_be_edited_and_an_owner_is_not_cut_in_silence(
    night: RunningEmulator,
) -> None:
    """A field that is too full would not even take a backspace."""
    async with driving(await board(night)) as driver:
        body = await told(driver)
        await seen(driver)
        group = body.shown.board.groups[0]  # type: ignore[union-attr]
        keys = [item.incident.key for item in group.items]  # type: ignore[union-attr]
        await driver.app.service.triage_state.note(keys, "y" * 600)
        await driver.wait(lambda: body.shown.board.groups[0].first.mark.note != "")  # type: ignore[union-attr]
        await driver.press("n")
        await driver.until(NOTE_KEYS)
        note = driver.app.screen.query_one("#note", Input)
        await driver.press("backspace")
        await driver.wait(lambda: note.value == "y" * 599)
        await driver.press("enter")
        await driver.paste("z" * 150)
        await driver.until_told("The pasted text was cut: 100 characters fit.")
        await driver.press("enter")
        await driver.until_told("noted; Z undoes it.")
        mark = driver.app.service.triage_state.memory.value.marks[keys[0]]
        assert (mark.note, mark.owner) == ("y" * 599, "z" * 100)


async def test_a_long_filter_without_a_match_leaves_room_for_the_way_out(
    night: RunningEmulator,
) -> None:
    """A paste may have kilobytes."""
    async with driving(await board(night)) as driver:
        await told(driver)
        await driver.press("/")
        await driver.paste("nothing like this " * 400)
        await driver.press("enter")
        await driver.until("esc  clear the filter")
        assert "hidden." in driver.text


async def test_an_undo_returns_to_the_cause_that_it_was_about(night: RunningEmulator) -> None:
    """Not to one of its incidents, also where all are expanded: the next key is for all of them."""
    async with driving(await board(night)) as driver:
        await told(driver)
        head = driver.table.shown_rows[0].key
        await driver.press("x")
        await driver.wait(lambda: "│" in driver.table.shown_rows[1].cells[0].text)
        driver.table.move_to(head)
        await driver.press("a")
        await driver.until("quiet")
        assert driver.cursor != head
        await driver.press("Z")
        await driver.until_told("Undone: ")
        await driver.wait(lambda: driver.cursor == head and driver.table.index_of(QUIET) is None)


async def test_the_cursor_is_not_taken_along_to_what_became_quiet(night: RunningEmulator) -> None:
    """Acknowledged here or elsewhere: it stays at its place, where the next row moves up."""
    async with driving(await board(night)) as driver:
        body = await told(driver)
        book, groups = driver.app.service.triage_state, body.shown.board.groups  # type: ignore[union-attr]
        head, other = (row.key for row in driver.table.shown_rows[:2])
        last = groups[-1].items[0].incident
        await driver.press("a")
        await driver.until("quiet")
        # The whole of it, and what joins it; of one incident of it that is taken back it is not.
        keys = [item.incident.key for item in groups[0].items]  # type: ignore[union-attr]
        await driver.wait(lambda: all(book.memory.value.marks[one].spreads for one in keys))
        await driver.until_told("with later incidents until the cause changes; Z undoes it.")
        assert (driver.cursor, driver.table.index_of(other)) == (other, 0)
        await driver.press("W")
        await driver.until_told("has ended: failed. W needs a running pipeline.")
        driver.table.move_to(head)
        assert driver.table.index_of(QUIET) == driver.table.index_of(head) - 1  # type: ignore[operator]
        await seen(driver)
        await driver.press("a")
        await driver.wait(lambda: driver.table.index_of(QUIET) is None)
        driver.table.move_to(other)
        # Somebody else, and it was the last one above the line: the row before it.
        await book.acknowledge({last.key: ""})  # type: ignore[union-attr]
        await driver.wait(lambda: driver.table.index_of(QUIET) is not None)
        assert driver.cursor == head
        # The next start begins at the top nevertheless.
        await driver.press("end")
        kept = body.context.saved_state()
        assert kept is not None
        assert (kept.cursor, kept.rows[0].key) == ("", head)
        assert "recovered  3 watched" in kept.extra["summary"]
        await book.acknowledge({last.key: None})  # type: ignore[union-attr]


async def test_the_cursor_stays_on_an_incident_whose_beginning_becomes_known(
    night: RunningEmulator,
) -> None:
    """Its key is that of its first failed pipeline; the next key of the user is for it.

    A note that was typed and not saved stays with it.
    """
    async with driving(await board(night)) as driver:
        body = await told(driver)
        shown = body.shown.board
        assert shown is not None
        alone = next(one for one in reversed(broken(body)) if one.key in body.shown.drawn.items)  # type: ignore[union-attr]
        driver.table.move_to(alone.key)
        driver.table.mark([alone.key])
        await driver.press("n")
        await driver.until(NOTE_KEYS)
        await driver.type("vault is down")
        await driver.press("escape")
        await driver.until_told("Input saved.")
        incident = alone.incident
        assert incident is not None
        first = incident.first_red._replace(id=incident.first_red.id - 1)
        earlier = replace(incident, first_red=first, reds=(*incident.reds, first.id))
        moved = replace(alone, incident=earlier)
        items = tuple(moved if one is alone else one for one in shown.items)
        groups = tuple(
            one._replace(items=tuple(moved if item is alone else item for item in one.items))
            for one in shown.groups
        )
        body.shown._take(replace(shown, items=items, groups=groups))
        assert driver.cursor == moved.key != alone.key
        assert driver.table.marks == {moved.key}
        await driver.press("n")
        await driver.until(NOTE_KEYS)
        assert driver.app.screen.query_one("#note", Input).value == "vault is down"


async def test_a_held_a_acknowledges_one_incident(
    night: RunningEmulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next one moves under the cursor, and counts only when it was seen."""
    async with driving(await board(night)) as driver:
        await told(driver)
        head, other = (row.key for row in driver.table.shown_rows[:2])
        await driver.press("a")
        with monkeypatch.context() as slow:
            slow.setattr("platui.ui.key_guard.REACTION_SECONDS", 60.0)
            await driver.press("a", "a")
            await driver.wait(lambda: driver.table.index_of(QUIET) is not None)
            await driver.press("a", "a")
        assert driver.table.index_of(head) == driver.table.index_of(QUIET) + 1  # type: ignore[operator]
        assert driver.table.index_of(other) == 0
        await seen(driver)
        await driver.press("a")
        await driver.wait(lambda: driver.table.index_of(other) != 0)


async def test_the_row_keys_are_of_the_incident(night: RunningEmulator) -> None:
    """Details, what can be copied, the run form, and the filter of what is broken."""
    async with driving(await board(night)) as driver:
        body = await told(driver)
        first = broken(body)[0]
        assert first.point is not None
        assert first.point.step is not None
        await driver.press("d")
        await driver.until(first.point.step.stage)
        await driver.press("escape", "Y")
        await driver.until("enter select")
        assert first.incident is not None
        assert first.incident.newest_red.sha in driver.text
        await driver.press("escape", "F")
        await driver.until("/broken hides")
        assert "recovered" not in "\n".join(driver.text.splitlines()[2:-1])
        await driver.press("escape", "D")
        await driver.until_route("artifacts")
        assert driver.route.job == first.point.step.id
        await driver.press("escape")
        await driver.enter(":", "rerun")
        await driver.wait(lambda: driver.route.view == "run")
        assert driver.route.pipeline == first.incident.newest_red.id
        await driver.press("escape")
        await driver.wait(lambda: driver.route == HOME)
        await driver.enter(":", "triage /lineage")
        await driver.until("/lineage hides")


async def test_retrying_a_cause_asks_about_each_of_its_jobs(
    night: RunningEmulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One question, a line a job with its project; no is no. Names are told apart once a board."""
    app = await board(night, writes="confirm")
    async with driving(app, (120, 40)) as driver:
        body = await told(driver)
        group = body.shown.board.groups[0]  # type: ignore[union-attr]
        made: list[Names] = []
        first = Names.__init__

        def count(names: Names, paths: Iterable[tuple[int, str]]) -> None:
            made.append(names)
            first(names, paths)

        monkeypatch.setattr(Names, "__init__", count)
        body.draw()
        assert len(made) < len(group.items)
        monkeypatch.undo()
        await driver.press("T")
        await driver.until(f"Retry {len(group.items)} jobs")
        path = dict(app.screen_stack[0].body.shown.board.names)[group.items[0].lane.project]  # type: ignore[attr-defined]
        # What the dialog lies on stands left and right of it.
        inside = [line.split("│")[1] for line in driver.text.splitlines() if line.count("│") >= 2]
        words = " ".join(" ".join(inside).split())
        lead = group.items[0]
        assert f"{lead.point.step.name} · {path} · {ref_of(lead)} · failing " in words  # type: ignore[union-attr]
        oldest = newest_first(group.items)[-1]
        assert words.rindex(f"#{oldest.point.step.id}") == max(  # type: ignore[union-attr]
            words.rindex(f"#{one.point.step.id}")  # type: ignore[union-attr]
            for one in group.items
        )
        assert re.search(r"failing (since \d\d:\d\d|since \d+ \w{3}|for) ", words)
        await driver.press("escape")


async def test_one_key_hides_other_branches_and_is_remembered(night: RunningEmulator) -> None:
    """The line above counts what is hidden; the next start hides it too; the key shows it."""
    app = await board(night, BRANCHES, remembers=True)
    async with driving(app) as driver:
        body = await told(driver)
        assert body.shown.board is not None
        items = body.shown.board.items
        others = {item.key for item in items if not item.is_main}
        assert len(items) > len(others) > 0
        words = f"{len(others)} hidden on other branches (B)"
        await driver.press("x")
        await driver.wait(lambda: bool(body.expanded))
        hidden = next(
            key for key, some in body.shown.every_item()
            if some[0].incident is not None and all(one.key in others for one in some)
        )  # fmt: skip
        assert body.table.move_to(hidden)
        await driver.press("B")
        await driver.until(words)
        assert any(item.incident is not None for item in body.shown.items_of(driver.cursor))
        shown = {item.key for _, items in body.shown.every_item() for item in items}
        assert shown == {item.key for item in items} - others
        await driver.rest()
        assert " enter log  " in driver.text.splitlines()[-1]
    async with driving(await board(night, (), remembers=True)) as driver:
        await driver.until(words)
        await driver.press("B")
        await driver.until(lambda text: "hidden" not in text)
        every = body_of(driver).shown.every_item
        await driver.wait(lambda: others <= {one.key for _, some in every() for one in some})


async def test_a_board_of_hidden_branches_only_says_so(night: RunningEmulator) -> None:
    """No failures on default branches, and the key that shows the others."""
    async with driving(await board(night, (ON_BRANCH,))) as driver:
        await told(driver)
        await driver.press("B")
        await driver.until("No failures on default branches.")
        assert "B  show other branches" in driver.text


async def test_a_cause_of_several_projects_is_the_title_of_its_row(night: RunningEmulator) -> None:
    """Then come the projects, and since when."""
    async with driving(await board(night, BRANCHES)) as driver:
        body = await told(driver)
        group = body.shown.board.groups[0]  # type: ignore[union-attr]
        assert group.projects == len(BRANCHES)
        assert group.signature is not None
        lines = driver.text.splitlines()
        title = next(line for line in lines if line.startswith(" ✖▸"))
        assert title[3:].strip(" █") == group.signature.shared
        names = [body.shown.names.label(one) for one in BRANCHES]
        below = lines[lines.index(title) + 1].strip()
        words = [f"2 projects: {', '.join(order)}" for order in (names, reversed(names))]
        assert below.startswith(tuple(words))
        assert " since " in below


async def test_an_error_longer_than_a_line_can_be_read_whole(night: RunningEmulator) -> None:
    """The footer names the key where a row of the board is cut, and as long as they are not."""
    async with driving(await board(night)) as driver:
        body = await told(driver)
        cut = next(row for row in body.rows() if any(len(one.left.text) > 75 for one in row.below))
        words = cut.below[0].left.text

        def is_whole(text: str) -> bool:
            above_preview = text.partition(" failed  line ")[0]
            return words[-20:] in above_preview

        assert not is_whole(driver.text)
        assert body.table.move_to(cut.key)
        await driver.until("w whole error")
        await driver.press("w")
        await driver.until(is_whole)
        assert driver.cursor == cut.key
        assert "w one line" in driver.text
        await driver.press("w")
        await driver.until(lambda text: not is_whole(text))


async def test_errors_in_full_fit_a_terminal_of_another_size(night: RunningEmulator) -> None:
    """Details may appear beside the board; it does not wait for the next poll."""
    async with driving(await board(night)) as driver:
        body = await told(driver)
        await driver.press("equals_sign")
        await driver.until("paused")
        cut = next(row for row in body.rows() if any(len(one.left.text) > 75 for one in row.below))
        words = cut.below[0].left.text.split()
        assert body.table.move_to(cut.key)
        await driver.press("w")
        for size in ((120, 40), (80, 24), (160, 50)):
            await driver.pilot.resize_terminal(*size)
            await driver.rest()
            lines = driver.text.partition(" failed  line ")[0].splitlines()
            shown = " ".join(line[: body.table.size.width] for line in lines)
            assert words[-1] in shown.split(), size


async def test_no_key_of_the_footer_moves_with_the_cursor(night: RunningEmulator) -> None:
    """On rows that cannot be expanded, and after an error is shown in full."""
    async with driving(await board(night)) as driver:
        body = await told(driver)
        head = driver.cursor
        assert head in body.shown.causes
        keys = ("w ", "→ expand", "b since", "a ack")
        await driver.until(lambda text: all(key in text.splitlines()[-1] for key in keys))
        footer = driver.text.splitlines()[-1]
        places = [footer.index(key) for key in keys]
        for key, can_expand in (("right", None), ("down", None), ("left", True), ("w", True)):
            await driver.press(key)
            await driver.pilot.pause()
            footer = driver.text.splitlines()[-1]
            assert [footer.index(one) for one in keys] == places
            assert body.host.check_action("run", ("triage.expand",)) is can_expand


async def test_who_never_chose_is_asked_what_is_to_be_watched(night: RunningEmulator) -> None:
    """What was active lately is marked; not now is an answer, and `c` asks again at any time."""
    app = await board(night, (), remembers=True)
    async with driving(app) as driver:
        await driver.until(WATCH_LIST)
        await driver.until("30 of 60 marked · about 60 requests a minute")
        await driver.press("escape")
        await driver.until_told("c opens this list again")
        await driver.until("No projects watched yet.")
        assert "● live" in driver.text
        assert "c  choose from your 60 projects" in driver.text
        await driver.press("2")
        await driver.until_at("projects")
        await driver.press("q")
        await driver.until("No projects watched yet.")
        await driver.press("c")
        await driver.until("30 of 60 marked")
        await driver.press("a")
        await driver.until("60 of 60 marked")
        await driver.press("a")
        await driver.until("0 of 60 marked · about 0 requests")
        await driver.enter("/", "acme/finance")
        await driver.until("/acme/finance hides")
        shown = sum(not row.key.startswith("group") for row in driver.table.shown_rows)
        await driver.press("a")
        await driver.until(f"{shown} of 60 marked")
        assert "enter save marked  esc clear filter" in driver.text
        await driver.enter("/", "acme/fin !finance")
        await driver.until(f"enter save all {shown} marked  esc clear filter")
        await driver.press("escape")
        await driver.until("tab groups")
        assert driver.table.hidden_count == 0
        await driver.press("g", "space")
        await driver.until(f"{shown + 1} of 60 marked")
        await driver.press("enter")
        await driver.until_told(f"{shown + 1} projects watched.")
        await told(driver)
        await app.service.triage_state.watch(groups=["acme/finance"])
        await driver.press("c")
        await driver.until(f"{shown + 1} of 60 marked and 1 group")
        assert driver.table.shown_rows[0].key == "group acme/finance"
        await driver.press("space", "space", "enter")
        await driver.until_told(f"{shown} projects watched.")
    # Chosen is chosen, by whatever dashboard: nobody is asked again.
    watched = app.service.triage_state.memory.value.watched
    assert (len(watched.projects), watched.groups, watched.is_chosen) == (shown, (), True)


async def test_a_group_is_chosen_as_a_whole(night: RunningEmulator) -> None:
    """Below the projects, where `tab` goes; `?` explains the choice as it does any view."""
    app = await board(night, (), remembers=True)
    async with driving(app) as driver:
        await driver.until("30 of 60 marked")
        assert "tab groups  / filter  enter save  esc not now  ? help" in driver.text
        await driver.press("?")
        await driver.until("The projects of the triage board")
        await driver.press("escape", "a", "a", "tab")
        await driver.until("tab projects")
        assert driver.cursor == "group acme"
        await driver.press("tab")
        await driver.until("tab groups")
        await driver.enter("/", "acme/finance/")
        await driver.press("tab", "space")
        await driver.until("0 of 60 marked and 1 group")
        await driver.press("enter")
        await driver.until_told("1 group watched.")
    assert app.service.triage_state.memory.value.watched.groups == ("acme/finance",)


async def test_a_cancelled_filter_of_the_choice_returns_to_its_row(night: RunningEmulator) -> None:
    """Else the next `space` would mark another project."""
    async with driving(await board(night, (), remembers=True)) as driver:
        await driver.until("30 of 60 marked")
        await driver.press("j", "j")
        before = driver.cursor
        await driver.press("/")
        await driver.type("zzzz")
        await driver.until("No project matches")
        await driver.press("escape")
        await driver.wait(lambda: driver.table.hidden_count == 0)
        assert driver.cursor == before


async def test_all_green_says_when_it_was_told_and_what_ran_last(night: RunningEmulator) -> None:
    """A page of its own, not an empty one; what may not be seen is said beside it."""
    app = await board(night, GREEN)
    async with driving(app) as driver:
        await driver.until("No failures.")
        await driver.until("Updated 0s ago from 2 watched projects.")
        assert "Last run: " in driver.text
        await driver.press("x")
        await driver.until_told("Nothing to expand: no cause has several incidents.")
        await app.service.triage_state.watch([NOWHERE])
        await driver.until("1 watched project not shown")
        await app.service.triage_state.unwatch(GREEN)
        await driver.until("No access to the 1 watched project")
        assert "✖ no data" in driver.text


async def test_a_dialog_opened_at_once_does_not_stop_the_first_load(night: RunningEmulator) -> None:
    """The board below it fills, as without it."""
    async with driving(await board(night)) as driver:
        below = body_of(driver)
        await driver.press("question_mark")
        await driver.wait(lambda: driver.app.screen is not below.host)
        await driver.wait(lambda: below.has_data() and bool(below.table.total_count))
        assert driver.app.screen is not below.host


async def test_nothing_is_broken_is_said_when_all_have_answered(
    platform_with: PlatformFactory,
) -> None:
    """One that takes its time may be broken."""
    platform = platform_with(clock=FrozenClock(), faults_port=0)
    there = Elsewhere(platform.faults_url, platform.token)
    with fault(platform, "latency", seconds=3, path=f"projects/{GREEN[1]}/pipelines"):
        async with driving(await board(there, GREEN)) as driver:
            text = await driver.until("1 of 2 watched")
            assert "loading projects" in text
            assert "nothing is broken" not in text
            await driver.until("nothing is broken")


async def test_without_a_token_the_page_asks_for_one(night: RunningEmulator) -> None:
    """Nothing of the board can be told."""
    async with driving(await board(night, token="")) as driver:
        await driver.until("enter a token")
        await driver.press("e")
        await driver.until_told("Nothing to hand off: no project is loaded yet.")


async def test_offline_the_rows_stay_with_their_age(platform_with: PlatformFactory) -> None:
    """Also from the start: the next run paints those of the last time first; `-` goes on."""
    platform = platform_with(clock=FrozenClock(), faults_port=0)
    there = Elsewhere(platform.faults_url, platform.token)
    async with driving(await board(there, remembers=True, opens="triage")) as driver:
        await told(driver)
        cause = driver.table.shown_rows[0].below[0].left.text
        await driver.press("2")
        await driver.until_at("projects")
        await driver.press("1")
        await driver.wait(lambda: driver.route == HOME)
        with fault(platform, "refuse"):
            await driver.press("r")
            await driver.until("✖ offline since 03:12")
            assert cause in driver.text
            driver.app.exit(0)
    with fault(platform, "refuse"):
        later = FrozenClock(FrozenClock().now() + timedelta(minutes=7))
        again = dashboard(there, clock=later, remembers=True, opens="triage")
        async with driving(again) as driver:
            await driver.until("✖ offline, fetched 03:12")
            assert cause in driver.text
            await driver.press("minus")
            await driver.wait(lambda: driver.route == Route("projects"))


async def test_rows_of_the_last_time_can_be_worked_with(platform_with: PlatformFactory) -> None:
    """With nobody there, from the first frame: unfolded as they were left, and marked for good."""
    platform = platform_with(clock=FrozenClock(), faults_port=0)
    there = Elsewhere(platform.faults_url, platform.token)
    async with driving(await board(there, remembers=True, opens="triage")) as driver:
        body = await told(driver)
        group = body.shown.board.groups[0]  # type: ignore[union-attr]
        await driver.press("right")
        rows = [row.key for row in driver.table.shown_rows]
        driver.app.exit(0)
    later = FrozenClock(FrozenClock().now() + timedelta(minutes=7))
    member = group.items[1]
    with fault(platform, "refuse"):
        async with driving(
            dashboard(there, clock=later, remembers=True, opens="triage"), (120, 40)
        ) as driver:
            assert [row.key for row in driver.table.shown_rows] == rows
            # Struck before it can be known what the rows stand for.
            driver.table.move_to(f"{member.lane.project}:{member.incident.first_red.id}")  # type: ignore[union-attr]
            await driver.press("enter")
            await driver.until_route("log")
            assert driver.route.job == member.point.step.id  # type: ignore[union-attr]
            await driver.press("escape")
            await driver.wait(lambda: driver.route == HOME)
            await driver.until("offline, fetched 03:12")
            assert [row.key for row in driver.table.shown_rows] == rows
            await driver.press("home", "left")
            assert driver.table.total_count == len(rows) - len(group.items)
            await driver.press("a")
            await driver.until("acknowledged")
            assert driver.table.index_of(rows[0]) != 0
            await driver.press("z")
            await driver.until(SNOOZE)
            await driver.press("escape", "b")
            await driver.until_route("since")
            driver.app.exit(0)
        again = dashboard(there, clock=later, remembers=True, opens="triage")
        async with driving(again) as driver:
            await driver.until("acknowledged")
            folded = len(rows) - len(group.items)
            assert len(driver.table.shown_rows) == folded + len((QUIET, REST))
            await driver.press("l")
            await driver.until_route("log")


async def test_each_row_of_the_last_time_that_is_acknowledged_is_kept(
    platform_with: PlatformFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before it is known what they stand for; rows that are marked later are not among them."""
    platform = platform_with(clock=FrozenClock(), faults_port=0)
    there = Elsewhere(platform.faults_url, platform.token)
    watched = (*WATCHED, *BRANCHES, ON_BRANCH)
    async with driving(await board(there, watched, remembers=True, opens="triage")) as driver:
        shown = (await told(driver)).shown
        first, second, third = (
            {item.incident.key for item in shown.items_of(row.key) if item.incident is not None}
            for row in driver.table.shown_rows[:3]
        )
        assert third
        driver.app.exit(0)
    release, kept = threading.Event(), LocalState.kept_board

    def late(state: LocalState) -> SavedBoard | None:
        release.wait(PATIENCE)
        return kept(state)

    monkeypatch.setattr(LocalState, "kept_board", late)
    with fault(platform, "refuse"):
        app = dashboard(there, clock=FrozenClock(), remembers=True, opens="triage")
        async with driving(app) as driver:
            await driver.press("a", "j")
            await seen(driver)
            await driver.press("a", "j", "space")
            release.set()

            def acknowledged() -> set[IncidentKey]:
                marks = app.service.triage_state.memory.value.marks
                return {key for key, mark in marks.items() if mark.acked is not None}

            await driver.wait(lambda: acknowledged() == first | second)
            await driver.settle()
            assert acknowledged() == first | second


async def test_a_row_that_was_to_be_opened_is_not_when_its_view_was_left(
    platform_with: PlatformFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever comes back to the board stays there; what was acknowledged is."""
    platform = platform_with(clock=FrozenClock(), faults_port=0)
    there = Elsewhere(platform.faults_url, platform.token)
    async with driving(await board(there, remembers=True, opens="triage")) as driver:
        await told(driver)
        driver.app.exit(0)
    release, kept = threading.Event(), LocalState.kept_board

    def late(state: LocalState) -> SavedBoard | None:
        release.wait(PATIENCE)
        return kept(state)

    monkeypatch.setattr(LocalState, "kept_board", late)
    with fault(platform, "refuse"):
        app = dashboard(there, clock=FrozenClock(), remembers=True, opens="triage")
        async with driving(app) as driver:
            await driver.press("a", "j", "enter", "2")
            await driver.until_at("projects")
            release.set()
            await driver.press("1")
            await driver.until_at("triage")
            marks = app.service.triage_state.memory
            await driver.wait(
                lambda: any(one.acked is not None for one in marks.value.marks.values())
            )
            await driver.settle()
            assert driver.route == HOME


async def test_the_hand_off_is_copied_and_saved(
    night: RunningEmulator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The name that is offered is of profile and time."""
    monkeypatch.chdir(tmp_path)
    copied: list[str] = []

    async def note(_: ClipboardAndBrowser, text: str, what: str) -> None:
        assert what == "Handoff"
        copied.append(text)

    monkeypatch.setattr(ClipboardAndBrowser, "_copy", note)
    async with driving(await board(night)) as driver:
        body = await told(driver)
        assert body.shown.board is not None
        await driver.press("e")
        await driver.until("Save the Markdown as")
        await driver.press("enter")
        await driver.until_told("Saved ")
        (saved,) = tmp_path.iterdir()
        assert saved.name.startswith("handoff-")
        assert saved.suffix == ".md"
        assert saved.stat().st_mode & 0o777 == 0o600
        text = saved.read_text()
        for item in broken(body):
            assert item.incident is not None
            assert f"#{item.incident.first_red.id}`" in text
        assert copied == [text]


async def test_a_schedule_that_did_not_fire_leads_to_the_schedules(night: RunningEmulator) -> None:
    """With the cursor on it; its details say when it was due; esc comes back."""
    project, schedule = STALLED
    async with driving(await board(night, [project])) as driver:
        await driver.until("did not run (3d)")
        key = f"{project}:schedule:{schedule}"
        assert "◷   ingestion-toolkit" in driver.text
        assert "schedule “Nightly full run” was due 11 Mar" in driver.text
        assert "1 late" in driver.text
        driver.table.move_to(key)
        await driver.press("d")
        await driver.until("was due")
        await driver.press("escape")
        await driver.press("enter")
        await driver.until_at("schedules")
        await driver.until("1 did not run")
        assert driver.route.project == project
        await driver.wait(lambda: driver.cursor == str(schedule))
        await driver.press("escape")
        await driver.wait(lambda: driver.route == HOME)
        assert driver.cursor == key


async def test_a_job_that_waits_for_a_runner_is_on_the_board(
    platform_with: PlatformFactory,
) -> None:
    """With its name below the row; enter leads to the jobs of its pipeline."""
    clock = FrozenClock(NIGHT + timedelta(hours=40))
    async with driving(await board(platform_with(clock=clock), [GPU], clock=clock)) as driver:
        await driver.until("waiting 45m")
        assert "◐   ml-recommendations" in driver.text
        assert "fit_model_gpu waiting for a runner" in driver.text
        assert "1 late" in driver.text
        body = body_of(driver)
        key = next(k for k, items in body.shown.every_item() if items[0].state is BoardState.LATE)
        driver.table.move_to(key)
        await driver.press("enter")
        await driver.until_at("jobs")
        await driver.until("fit_model_gpu")


async def test_a_job_that_says_nothing_any_more_leads_to_its_log(
    platform_with: PlatformFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In place of that its pipeline takes long."""
    monkeypatch.setattr(lateness, "LONGEST_SILENCE", -1.0)
    there = FrozenClock(NIGHT + timedelta(hours=40))
    here = FrozenClock(there.moment + timedelta(minutes=30))
    async with driving(await board(platform_with(clock=there), [RUNS], clock=here)) as driver:
        await driver.until("no output for 0s")
        assert "dbt_run" in driver.text
        assert "1 late" in driver.text
        body = body_of(driver)
        key = next(k for k, items in body.shown.every_item() if items[0].state is BoardState.LATE)
        driver.table.move_to(key)
        await driver.press("enter")
        await driver.until_at("log")
        assert driver.route.job_name == "dbt_run"


async def test_a_refresh_asks_again_after_the_token_was_refused(
    platform_with: PlatformFactory,
) -> None:
    """One request finds out: a gateway that refused for a moment must not stop the board."""
    platform = platform_with(clock=FrozenClock(), faults_port=0)
    there = Elsewhere(platform.faults_url, platform.token)
    async with driving(await board(there)) as driver:
        await told(driver)
        with fault(platform, "revoked"):
            await driver.press("r")
            await driver.until("not signed in")
            await driver.rest()
        await driver.press("r")
        await driver.until(lambda text: "● live" in text and "signed in" not in text)


async def test_the_log_key_on_a_running_row_follows_the_job_that_runs(
    platform_with: PlatformFactory,
) -> None:
    """As in the list of pipelines; enter opens the jobs."""
    clock = FrozenClock(NIGHT + timedelta(hours=40))
    async with driving(await board(platform_with(clock=clock), [RUNS], clock=clock)) as driver:
        body = await told(driver)
        running = BoardState.RUNNING
        key = next(k for k, items in body.shown.every_item() if items[0].state is running)
        driver.table.move_to(key)
        await driver.press("l")
        await driver.until_at("log")
        assert driver.route.job_name == "dbt_run"


async def test_a_write_on_a_cause_names_the_path_of_its_project(
    night: RunningEmulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cause belongs to no project, so that the view has no name for it."""
    async with driving(await board(night, writes="confirm"), (120, 40)) as driver:
        body = await told(driver)
        group = next(one for one in body.shown.board.groups if len(one.items) > 1)  # type: ignore[union-attr]
        one = next(item for item in group.items if item.step and not item.step.is_bridge)
        monkeypatch.setattr(body.shown, "items_of", lambda _: (one,))
        driver.table.move_to(cause_key(group))
        await driver.press("T")
        path = body.shown.names.path(one.lane.project)
        assert path
        await driver.until(f"in {path}")
