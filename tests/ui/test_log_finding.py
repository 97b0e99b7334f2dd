"""Looking for something in a saved log: where the reader is brought, and what is said of it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from tests.support.told_feed import told_log
from tests.texts.screens import CLEAR_FILTER
from tests.ui.test_log_output import opened, until, viewer

from platui.config.settings import ErrorPattern
from platui.logs import Log
from platui.logs import search as text_search
from platui.models.values.log import LogState
from platui.present.logs.status import filter_counter
from platui.service.logs import file as log_file
from platui.service.logs import saving as log_saving
from platui.service.logs.errors import error_rules
from platui.ui.screens.logs import line_filter

if TYPE_CHECKING:
    from pathlib import Path

    from platui.ui.screens.logs.log_file import LogFileScreen


def below(screen: LogFileScreen) -> str:
    """Return the line below the log."""
    return screen.body.where.render_line(0).text


def in_sight(screen: LogFileScreen) -> str:
    """Return the rows of the log."""
    view = screen.body.view
    return "\n".join(strip.text for strip in view.render_lines(view.size.region))


async def test_the_first_hit_comes_in_sight_from_the_side(tmp_path: Path) -> None:
    """With the letters that are typed, not only with the next step; the start of lines is back."""
    path = tmp_path / "long.log"
    path.write_text(f"one\n{'x' * 300} SUCCESS\n{'y' * 300} SUCCESS\nSUCCESS\n")
    async with viewer(path).run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        await pilot.press("g", "slash")
        await until(pilot, lambda: screen.prompt.is_open)
        await pilot.press(*"success")
        await until(pilot, lambda: screen.body.view.position.focus == 1)
        assert "x SUCCESS" in in_sight(screen)
        await pilot.press("enter", "n")
        await until(pilot, lambda: screen.body.view.position.focus == 2)
        assert screen.body.view.left > 0
        await pilot.press("n")
        await until(pilot, lambda: screen.body.view.position.focus == 3)
        assert screen.body.view.left == 0


@pytest.mark.parametrize(
    "leave", [["escape"], ["g"], ["ampersand", *"one", "enter"]], ids=["clear", "top", "filter"]
)
async def test_the_start_of_lines_is_back_when_a_hit_is_left(
    tmp_path: Path, leave: list[str]
) -> None:
    """Else all shorter lines would look empty; what the user has scrolled stays."""
    path = tmp_path / "long.log"
    path.write_text(f"one\n{'x' * 300} SUCCESS\none more\n")
    async with viewer(path).run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        view = screen.body.view
        await pilot.press("g", "slash", *"success", "enter")
        await until(pilot, lambda: view.left > 0)
        await pilot.press(*leave)
        if "ampersand" in leave:
            await until(pilot, lambda: "SUCCESS" not in in_sight(screen))
        await until(pilot, lambda: view.left == 0)
        await pilot.press("escape", "escape", "right")
        await until(pilot, lambda: view.left > 0)
        await pilot.press(*leave)
        await pilot.pause()
        assert view.left > 0


async def test_the_line_of_a_hit_stays_when_search_and_filter_are_left(tmp_path: Path) -> None:
    """Of three lines that a filter shows, the last one was looked at: not the first one's place."""
    path = tmp_path / "many.log"
    path.write_text("".join(f"line {n}{' failed' * (n in {5, 90, 180})}\n" for n in range(200)))
    async with viewer(path).run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        await pilot.press("g", "slash", *"failed", "enter")
        await until(pilot, lambda: screen.body.view.position.focus == 5)
        await pilot.press("ampersand", *"failed", "enter")
        await until(pilot, lambda: "line 6" not in in_sight(screen))
        await pilot.press("n", "n")
        await until(pilot, lambda: screen.body.view.position.focus == 180)
        await pilot.press("escape", "escape")
        await until(pilot, lambda: "line 181" in in_sight(screen))
        assert "line 180 failed" in in_sight(screen)


async def test_a_filter_that_is_cleared_leaves_the_line_one_was_at(tmp_path: Path) -> None:
    """The line that was read is not among those of the filter; nobody moved there."""
    path = tmp_path / "many.log"
    path.write_text("".join(f"line {n}{' failed' * (n in {5, 90})}\n" for n in range(200)))
    async with viewer(path).run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        await pilot.press("g", "slash", *"line 150", "enter")
        await until(pilot, lambda: screen.body.view.position.focus == 150)
        before = screen.body.view.position.lines
        await pilot.press("ampersand", *"failed", "enter")
        await until(pilot, lambda: "line 150" not in in_sight(screen))
        await pilot.press("escape", "escape")  # the search, too
        await until(pilot, lambda: "line 150" in in_sight(screen))
        assert screen.body.view.position.lines == before
        assert screen.body.view.position.focus == 150


def megabyte(path: Path) -> str:
    """Write a log with a line of a megabyte, and return that; in it is what is sought."""
    rows = [f'{{"id": {number}, "name": "größe {number}"}}' for number in range(30_000)]
    rows[29_000] = '{"id": 0, "name": "needle"}'
    line = f"[{', '.join(rows)}]end"
    path.write_text(f"one\n{line}\nthree\n")
    return line


@pytest.mark.parametrize("wraps", [False, True])
async def test_what_is_found_far_out_in_a_long_line_comes_in_sight(
    tmp_path: Path,
    wraps: bool,  # noqa: FBT001  (parametrized)
) -> None:
    """By words and by expressions; a filter finds the line, too."""
    path = tmp_path / "json.log"
    megabyte(path)
    async with viewer(path).run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        await pilot.press(*("w" if wraps else ""), "g", "slash")
        await until(pilot, lambda: screen.prompt.is_open)
        await pilot.press(*"needle", "enter")
        await until(pilot, lambda: '"name": "needle"' in in_sight(screen))
        assert screen.body.view.position.focus == 1
        await until(pilot, lambda: "1 of 1" in below(screen))
        await pilot.press("escape", *(() if wraps else ("circumflex_accent",)), "g", "slash")
        await until(pilot, lambda: screen.prompt.is_open and "needle" not in in_sight(screen))
        await pilot.press("tab", *"e[n]d$", "enter")
        await until(pilot, lambda: "]end" in in_sight(screen))
        await pilot.press("escape", "ampersand")
        await until(pilot, lambda: screen.prompt.is_open)
        await pilot.press(*"needle", "enter")
        await until(pilot, lambda: screen.body.view.position.lines == (1, 2))


async def test_a_long_line_is_seen_to_its_end(tmp_path: Path) -> None:
    """With one key to its end, back from there with another; no frame shows what is not there."""
    path = tmp_path / "json.log"
    line = megabyte(path)
    async with viewer(path).run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        await pilot.press("dollar_sign")
        await until(pilot, lambda: "]end" in in_sight(screen))
        assert "‹" + line[-77:] in in_sight(screen)
        await pilot.press("left")
        assert "‹" + line[-85:-9] + "›" in in_sight(screen)
        await pilot.press("right", "right", "right")
        assert "‹" + line[-77:] in in_sight(screen)
        await pilot.press("circumflex_accent")
        await until(pilot, lambda: line[:70] in in_sight(screen))
        await pilot.press("w", "G")
        await until(pilot, lambda: "]end" in in_sight(screen) and "three" in in_sight(screen))
        await pilot.press("g", "j", "j")
        assert screen.body.view.position.lines[0] == 1


async def test_a_filter_without_a_match_says_so_and_loses_no_place(tmp_path: Path) -> None:
    """In the middle of the page, with the key that clears it; one reads on where one was."""
    path = tmp_path / "numbers.log"
    path.write_text("".join(f"line {number}\n" for number in range(301)))
    async with viewer(path).run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        await pilot.press("g", *"jjjjj", "ampersand")
        await until(pilot, lambda: screen.prompt.is_open)
        await pilot.press(*"nothing", "enter")
        await until(pilot, lambda: CLEAR_FILTER in in_sight(screen))
        assert "No line matches." in in_sight(screen)
        await pilot.press("escape")
        await until(pilot, lambda: not screen.body.view.content.is_empty)
        assert screen.body.view.position.top_line == 5
        assert "No line matches." not in in_sight(screen)


async def test_an_inverted_filter_counts_what_it_shows(tmp_path: Path) -> None:
    """On the prompt as below."""
    path = tmp_path / "two.log"
    path.write_text("keep\n" * 5 + "drop\n" * 2)
    async with viewer(path).run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        await pilot.press("ampersand")
        await until(pilot, lambda: screen.prompt.is_open)
        await pilot.press("exclamation_mark", *"drop")
        await until(pilot, lambda: screen.body.view.position.lines == (0, 5))
        hunt = screen.body.line_filter.runner.now
        assert hunt is not None
        await until(pilot, lambda: hunt.state is not None and hunt.state.is_whole)
        assert filter_counter(hunt.state, inverse=True) == (("5 lines", "text"),)


async def test_the_line_below_says_what_is_chosen_and_keys_say_what_is_missing(
    tmp_path: Path,
) -> None:
    """A key that has nothing to do says why."""
    path = tmp_path / "plain.log"
    path.write_text("line\n" * 50)
    app = viewer(path)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        screen = await opened(pilot)
        await pilot.press("g", "space", "j", "j")
        await until(pilot, lambda: "3 lines selected  y copies  esc ends" in below(screen))
        await pilot.press("escape")
        await until(pilot, lambda: "selected" not in below(screen))

        def said(words: str) -> bool:
            return any(words in note.message for note in app._notifications)

        await pilot.press("t")
        await until(pilot, lambda: said("no timestamps"))
        await pilot.press("z")
        await until(pilot, lambda: said("No sections in this log."))


async def test_f_follows_a_file_that_grows_after_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That it grows is said, and what is added is there; it is not called ended."""
    monkeypatch.setattr(log_file, "CALM", 0.05)
    path = tmp_path / "grows.log"
    path.write_text("line\n" * 50)
    async with viewer(path).run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        await until(pilot, lambda: "of 50  whole file" in below(screen))
        with path.open("a") as file:
            file.write("more\n" * 20)
        await until(pilot, lambda: "of 50  100 bytes added since  f follows" in below(screen))
        await pilot.press("g", "f")
        await until(pilot, lambda: "–70 of 70  following" in below(screen))
        with path.open("a") as file:
            file.write("last\n")
        await until(pilot, lambda: "of 71  following" in below(screen))
        assert "last" in in_sight(screen)


async def test_what_only_a_platform_has_is_no_key_of_a_file(tmp_path: Path) -> None:
    """Neither is it listed in the help."""
    path = tmp_path / "plain.log"
    path.write_text("line\n" * 50)
    async with viewer(path).run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        keys = screen.active_bindings
        assert "f" in keys
        assert not {"c", "J", "K", "M", "d", "backslash"}.intersection(keys)


async def test_lines_in_folds_are_not_counted_as_seen(tmp_path: Path) -> None:
    """How many of a range are folded is told with it."""
    path = tmp_path / "folds.log"
    inner = "line\n" * 100
    path.write_text(
        f"one\nsection_start:1:a\r\x1b[0KA\n{inner}section_end:2:a\r\x1b[0K" + "x\n" * 40
    )
    async with viewer(path).run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        await pilot.press("g")
        await until(pilot, lambda: " lines 1–" in below(screen))
        await pilot.press("Z")
        await until(pilot, lambda: " of 142, 100 folded" in below(screen))
        await pilot.press("G")
        await until(pilot, lambda: "–142 of 142" in below(screen))


async def test_an_own_pattern_that_takes_too_long_is_told_once() -> None:
    """By its name, with what to do; not with every line that comes."""
    own = [ErrorPattern("pump", r"stalled (a|a)+$")]
    async with told_log() as driver:
        log = Log(b"stalled " + b"a" * 60 + b"!\n", errors=error_rules(own))
        driver.feed.tell(log, LogState.FOLLOWING)
        await driver.until_told("error pattern pump")
        await driver.until_told("under [[errors]].")
        log.append(b"a line more\n")
        driver.feed.tell(log, LogState.FOLLOWING)
        await driver.until("a line more")
        assert driver.told.count("pump") == 1


async def test_an_error_out_of_sight_is_not_where_one_is(tmp_path: Path) -> None:
    """`from the top` is said until one moves; far from the error they are only counted."""
    path = tmp_path / "failed.log"
    path.write_text("fine\n" * 200 + "ERROR: Job failed (system failure): no host\n")
    async with viewer(path).run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        await pilot.press("g", "e", "e")
        await until(pilot, lambda: "error 1 of 1 · runner from the top" in below(screen))
        await pilot.press("number_sign")
        await until(pilot, lambda: "from the top" not in below(screen))
        assert "error 1 of 1 · runner" in below(screen)
        await pilot.press("g")
        await until(pilot, lambda: "  1 error" in below(screen))
        assert "error 1 of 1" not in below(screen)


async def test_a_hit_in_a_long_line_is_in_sight_however_the_line_is_shown(tmp_path: Path) -> None:
    """Wrapped, and not."""
    path = tmp_path / "long.log"
    path.write_text(f"one\n{'x' * 9000} needle {'y' * 9000}\nlast\n")
    async with viewer(path).run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        await pilot.press("slash")
        await until(pilot, lambda: screen.prompt.is_open)
        await pilot.press(*"needle", "enter")
        await until(pilot, lambda: "needle" in in_sight(screen))
        await pilot.press("w")
        await until(pilot, lambda: screen.body.view.wraps and "needle" in in_sight(screen))
        await pilot.press("w")
        await until(pilot, lambda: not screen.body.view.wraps and "needle" in in_sight(screen))


async def test_a_fold_that_is_opened_again_leads_back(tmp_path: Path) -> None:
    """To the line one was at, where it stood."""
    path = tmp_path / "folds.log"
    inner = "".join(f"line {number}\n" for number in range(100))
    path.write_text(
        f"one\nsection_start:1:a\r\x1b[0KA\n{inner}section_end:2:a\r\x1b[0K" + "x\n" * 40
    )
    async with viewer(path).run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        view = screen.body.view
        view.position.reveal(60)
        before = (view.position.lines, view.position.focus)
        await pilot.press("z")
        assert view.position.focus == 1
        await pilot.press("z")
        assert (view.position.lines, view.position.focus) == before
        await pilot.press("z", "j", "z")
        assert view.position.focus == 1


async def test_a_filter_at_the_end_leaves_the_last_line_in_sight(tmp_path: Path) -> None:
    """Also one that leaves lines out."""
    path = tmp_path / "end.log"
    steps = "".join(
        f"section_start:1:s{number}\r\x1b[0Ks{number}\nwork\ncheckpoint\nwork\n"
        f"section_end:2:s{number}\r\x1b[0K"
        for number in range(50)
    )
    path.write_text(steps + "work\nthe last line\n")
    async with viewer(path).run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        await pilot.press("G", "ampersand")
        await until(pilot, lambda: screen.prompt.is_open)
        await pilot.press("exclamation_mark", *"checkpoint", "enter")
        await until(pilot, lambda: "checkpoint" not in in_sight(screen))
        await until(pilot, lambda: "the last line" in in_sight(screen))


async def test_an_open_prompt_says_nothing_of_the_search_before(tmp_path: Path) -> None:
    """Until something is typed."""
    path = tmp_path / "one.log"
    path.write_text("needle\n" + "line\n" * 50)
    async with viewer(path).run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        told = "#status"
        await pilot.press("slash")
        await until(pilot, lambda: screen.prompt.is_open)
        await pilot.press(*"needle")
        await until(pilot, lambda: "1 of 1" in screen.prompt.query_one(told).text)  # type: ignore[attr-defined]
        await pilot.press("enter", "slash")
        await until(pilot, lambda: screen.prompt.is_open)
        assert screen.prompt.query_one(told).text.strip() == "plain"  # type: ignore[attr-defined]


async def test_lines_that_do_not_match_go_before_a_filter_has_found_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How far it has looked is said in their place, and one is where one was when it is done."""
    monkeypatch.setattr(line_filter, "SOON", 0.0)
    path = tmp_path / "long.log"
    path.write_text("".join(f"line {number}\n" for number in range(200_000)) + "needle\n")
    said: list[str] = []
    async with viewer(path).run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        await until(pilot, lambda: not screen.body.text.is_tail)
        shown = screen.body.line_filter
        show = shown.show_empty_message

        def note() -> None:
            show()
            said.extend(screen.body.view.empty_message[:1])

        monkeypatch.setattr(shown, "show_empty_message", note)
        await pilot.press("ampersand")
        await until(pilot, lambda: screen.prompt.is_open)
        await pilot.press(*"needle", "enter")
        await until(pilot, lambda: in_sight(screen).strip().startswith("needle"))
        assert any(words.startswith("Searching … ") for words in said)


async def test_q_stops_what_is_written_for_another_program(
    saved_long: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And only the next one leaves."""
    monkeypatch.setenv("PAGER", "true")
    started, stopped = asyncio.Event(), asyncio.Event()

    async def write(*_: object) -> int:
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()
        return 0

    monkeypatch.setattr(log_saving, "save_log", write)
    app = viewer(saved_long)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await opened(pilot)
        await pilot.press("v")
        await until(pilot, started.is_set)
        await pilot.press("q")
        await until(pilot, stopped.is_set)
        await until(pilot, lambda: any("Stopped:" in note.message for note in app._notifications))
        assert app.is_running
        assert app.return_code is None


@pytest.fixture
def saved_long(tmp_path: Path) -> Path:
    """Return a log of many lines."""
    path = tmp_path / "long.log"
    path.write_text("line\n" * 1000)
    return path


async def test_a_filter_that_excludes_shows_no_line_that_is_not_searched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A search stops at a million matches: what is below them may have to be hidden, too."""
    monkeypatch.setattr(text_search, "MOST_HITS", 5)
    path = tmp_path / "debug.log"
    path.write_text("INFO begins\n" + "DEBUG noise\n" * 300_000)
    async with viewer(path).run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        await pilot.press("g", "ampersand", *"!DEBUG", "enter")
        await until(pilot, lambda: screen.body.view.content.filter_result is not None)
        await pilot.pause(0.3)
        assert "INFO begins" in in_sight(screen)
        assert "DEBUG" not in in_sight(screen)
