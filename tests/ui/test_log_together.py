"""Search, filter, folds, marks and growth at once: none forgets what another one needs."""

from __future__ import annotations

from functools import partial
from threading import Event
from typing import TYPE_CHECKING

import pytest
from tests.support.told_feed import log_of, told_log

from platui.logs import Log
from platui.models.values.log import LogState, LogUpdate
from platui.models.values.routes import Route
from platui.service.logs.errors import error_rules
from platui.ui.command_app import ClipboardAndBrowser
from platui.ui.screens.logs.log_file import LogFileScreen
from platui.ui.widgets.log_view import LogView

if TYPE_CHECKING:
    from tests.support.told_feed import LogDriver


def is_at(driver: LogDriver, line: int) -> bool:
    """Return whether a line is the one that was gone to."""
    return driver.view.position.focus == line


async def test_a_filter_that_is_not_kept_leaves_one_where_one_was() -> None:
    """Also where the only line that it shows is far away; esc and an emptied prompt alike."""
    async with told_log() as driver:
        driver.feed.tell(log_of(2000, lambda y: "match" if y == 1500 else f"line {y}"))
        await driver.until(" of 2,000")
        driver.view.position.go_to(500)
        await driver.typing("&", "match")
        await driver.wait(lambda: driver.view.position.lines == (1500, 1501))
        await driver.press("escape")
        await driver.wait(lambda: driver.view.position.lines == (500, 520))
        await driver.typing("&", "match")
        await driver.wait(lambda: driver.view.position.lines == (1500, 1501))
        await driver.press(*["backspace"] * len("match"))
        await driver.wait(lambda: driver.view.position.top_line == 500)


async def test_another_filter_that_is_not_kept_brings_the_one_of_before_back() -> None:
    """With the hit at which one was, and its place among them."""

    def line(y: int) -> str:
        return f"line {y}" + " even" * (y % 2 == 0) + " match" * (y == 1500)

    async with told_log() as driver:
        driver.feed.tell(log_of(2000, line))
        await driver.until(" of 2,000")
        driver.view.position.go_to(500)
        await driver.typing("&", "even")
        await driver.press("enter")
        await driver.until("&even  1,000 of 2,000 lines")
        assert driver.view.position.top_line == 500
        await driver.typing("/", "line 5")
        await driver.press("enter", "n", "n")
        await driver.until("/line 5  16 of 111")
        before = driver.text
        await driver.press("ampersand", *["backspace"] * 4)
        await driver.type("match")
        await driver.wait(lambda: driver.view.position.lines == (1500, 1501))
        await driver.press("escape")
        await driver.until(before)
        await driver.typing("/", "nowhere")
        await driver.until("no hit")
        await driver.press("escape")
        await driver.until(before)


async def test_a_search_that_is_not_kept_leaves_folds_as_they_were() -> None:
    """It opened the one in which it found something."""
    log = Log(
        b"section_start:1700000000:get[collapsed=true]\r\x1b[0Kget\n"
        + b"".join(b"needle %d\n" % y for y in range(50))
        + b"section_end:1700000009:get\r\x1b[0K\n"
        + b"".join(b"line %d\n" % y for y in range(100))
    )
    log.finish()
    async with told_log() as driver:
        driver.feed.tell(log)
        await driver.until(" of 151")
        await driver.press("g")
        await driver.until("▸ get  50 lines")
        before = driver.text
        await driver.typing("/", "needle")
        await driver.until("1 of 50")
        assert "▾ get" in driver.text
        await driver.press("escape")
        await driver.until(before)


async def test_n_finds_what_the_filter_shows_however_much_it_hides() -> None:
    """Thousands of hits lie between two that are shown; so it is at the ends."""
    shown = {10, 2510, 4010}
    async with told_log() as driver:
        driver.feed.tell(log_of(5000, lambda y: f"line {y}" + " rare" * (y in shown)))
        await driver.until(" of 5,000")
        await driver.typing("&", "rare")
        await driver.press("enter")
        await driver.until("&rare  3 of 5,000 lines")
        await driver.typing("/", "line")
        await driver.press("enter")
        await driver.wait(lambda: driver.view.position.focus == 10)
        for key, line in (("n", 2510), ("n", 4010), ("n", 10), ("N", 4010), ("N", 2510)):
            await driver.press(key)
            await driver.wait(partial(is_at, driver, line))


async def test_n_finds_what_the_filter_shows_behind_thousands_of_hidden_hits() -> None:
    """Each alone between two lines that are shown."""
    async with told_log() as driver:
        lines = dict.fromkeys((7000, 7400), "even odd")
        driver.feed.tell(log_of(8000, lambda y: lines.get(y, "odd" if y % 2 else "even")))
        await driver.until(" of 8,000")
        await driver.typing("&", "even")
        await driver.press("enter")
        await driver.until("&even  4,000 of 8,000 lines")
        await driver.press("g")
        await driver.typing("/", "odd")
        await driver.press("enter")
        await driver.wait(partial(is_at, driver, 7000))
        for key, line in (("n", 7400), ("n", 7000), ("N", 7400)):
            await driver.press(key)
            await driver.wait(partial(is_at, driver, line))


async def test_hits_that_the_filter_hides_are_told_apart() -> None:
    """They are counted, and never reached; of many it is only said that there are some."""
    async with told_log() as driver:
        lines = {3: "merge INFO", 7: "merge"}
        driver.feed.tell(log_of(1000, lambda y: lines.get(y, "many" + " INFO" * (y % 2))))
        await driver.until(" of 1,000")
        await driver.typing("&", "!INFO")
        await driver.press("enter")
        await driver.typing("/", "merge")
        await driver.press("enter")
        await driver.until(", 1 hidden by the filter")
        await driver.typing("/", "many")
        await driver.press("enter")
        await driver.until(", some hidden by the filter")


async def test_n_says_where_the_filter_hides_every_hit() -> None:
    """And stays."""
    async with told_log() as driver:
        driver.feed.tell(log_of(50, lambda y: "even" if y % 2 == 0 else "odd"))
        await driver.until(" of 50")
        await driver.typing("&", "even")
        await driver.press("enter")
        await driver.until("25 of 50")
        await driver.typing("/", "odd")
        await driver.press("enter", "n")
        await driver.until("hidden by the filter")
        assert driver.view.position.focus is None


async def test_the_number_of_a_line_that_the_filter_hides_says_so() -> None:
    """It goes to where the line would be."""
    async with told_log() as driver:
        driver.feed.tell(log_of(50, lambda y: "even" if y % 2 == 0 else "odd"))
        await driver.until(" of 50")
        await driver.typing("&", "even")
        await driver.press("enter")
        await driver.until("25 of 50")
        await driver.enter(":", "4")
        await driver.until_told("The filter hides line 4.")
        driver.app.clear_notifications()
        await driver.enter(":", "5")
        await driver.wait(partial(is_at, driver, 4))
        assert "hides" not in driver.told


async def test_e_goes_on_from_what_is_in_sight() -> None:
    """An error that was scrolled away from is not where one is any more."""
    errors = {100, 200, 3000}
    async with told_log() as driver:
        driver.feed.tell(log_of(4000, lambda y: "ERROR: bad" if y in errors else f"line {y}"))
        await driver.until(" of 4,000")
        await driver.press("g", "e")
        await driver.until("error 1 of 3")
        driver.view.position.go_to(2500)
        await driver.press("e")
        await driver.until("error 3 of 3")
        driver.view.position.go_to(150)
        await driver.press("E")
        await driver.until("error 1 of 3")


async def test_e_passes_errors_that_the_filter_hides() -> None:
    """Where it hides all of them, that is said."""
    errors = {100: "ERROR: red", 200: "ERROR: blue", 300: "ERROR: red"}
    async with told_log() as driver:
        driver.feed.tell(log_of(400, lambda y: errors.get(y, f"line {y} red")))
        await driver.until(" of 400")
        await driver.press("g", "e")
        await driver.until("error 1 of 3")
        await driver.typing("&", "red")
        await driver.press("enter")
        await driver.until("399 of 400")
        await driver.press("e")
        await driver.until("error 3 of 3")
        await driver.press("ampersand", *["backspace"] * 3)
        await driver.type("line")
        await driver.press("enter")
        await driver.until("397 of 400")
        await driver.press("e")
        await driver.until_told("The filter hides every error.")


async def test_the_end_alone_has_no_numbers_and_keeps_what_was_chosen() -> None:
    """When the rest is there, lines chosen in the end are those lines still."""

    def line(y: int) -> str:
        return f"line {y}"

    async with told_log() as driver:
        end = log_of(10_000, line, first=8001)
        driver.feed.tell(end, LogState.OPENING, is_tail=True, progress=0.5)
        await driver.until("end of the log")
        assert "1,999" not in driver.text
        await driver.press("number_sign")
        await driver.until(" line 9999")
        assert "1999" not in driver.text
        await driver.press("colon")
        await driver.type("100")
        await driver.press("enter")
        await driver.until_told("Only the end of the log is loaded")
        await driver.press("k", "k", "space", "j")
        await driver.until("2 lines selected")
        first, last = driver.view.selection.span or (0, 0)
        driver.feed.tell(log_of(10_000, line), shift=8001)
        await driver.until("of 10,000")
        assert driver.view.selection.span == (first + 8001, last + 8001)
        await driver.until(f" {first + 8002} line {first + 8001}")


async def test_a_place_with_a_line_waits_until_lines_can_be_counted() -> None:
    """The end alone has other numbers."""

    def line(y: int) -> str:
        return f"line {y}"

    async with told_log() as driver:
        screen = driver.app.screen
        assert isinstance(screen, LogFileScreen)
        end = log_of(10_000, line, first=8001)
        driver.feed.tell(end, LogState.OPENING, is_tail=True, progress=0.5)
        await driver.until("end of the log")
        screen.body.visit(Route("log", line=100))
        await driver.rest()
        assert driver.view.position.focus is None
        driver.feed.tell(log_of(10_000, line), shift=8001)
        await driver.wait(lambda: driver.view.position.focus == 100)


async def test_what_needs_a_platform_is_refused_of_a_file() -> None:
    """Rather than not answered."""
    async with told_log() as driver:
        driver.feed.tell(log_of(10, str))
        await driver.until(" of 10")
        for command in ("grep words", "compare", "retry", "watch", "jobs group/project"):
            await driver.enter(":", command)
            await driver.until_told("Not supported for a file: no platform.")
            driver.app.clear_notifications()


async def test_a_filter_that_shows_no_line_says_so() -> None:
    """Below the empty page, instead of lines from 1 to 0."""
    async with told_log() as driver:
        driver.feed.tell(log_of(50, str))
        await driver.until(" lines 31–50 of 50")
        await driver.typing("&", "nowhere")
        await driver.press("enter")
        await driver.until("&nowhere  0 of 50 lines")
        assert " no visible line " in driver.where
        await driver.press("escape")
        await driver.until(" of 50")


async def test_the_footer_says_how_to_let_go_of_lines() -> None:
    """As long as any are chosen."""
    async with told_log() as driver:
        driver.feed.tell(log_of(50, str))
        await driver.until(" lines 31–50 of 50")
        assert "esc" not in driver.text.splitlines()[-1]
        await driver.press("space")
        await driver.wait(lambda: driver.text.splitlines()[-1].startswith(" esc deselect"))
        await driver.press("escape")
        await driver.wait(lambda: "esc" not in driver.text.splitlines()[-1])


@pytest.mark.parametrize(("count", "shift"), [(10_000, 8001), (3, 0)])
async def test_the_copy_menu_copies_from_the_log_it_was_opened_for(
    monkeypatch: pytest.MonkeyPatch, count: int, shift: int
) -> None:
    """Also if the rest of it came meanwhile, or it was rewritten and is shorter now."""
    copied: list[str] = []

    async def note(_: ClipboardAndBrowser, text: str, what: str) -> None:
        copied.append(f"{what}: {text}")

    monkeypatch.setattr(ClipboardAndBrowser, "_copy", note)

    def line(y: int) -> str:
        return f"line {y}"

    async with told_log() as driver:
        view, screen = driver.view, driver.app.screen
        end = log_of(10_000, line, first=8001)
        driver.feed.tell(end, LogState.OPENING, is_tail=True, progress=0.5)
        await driver.until("end of the log")
        view.position.reveal(1990)
        await driver.press("Y")
        await driver.until("the visible lines")
        other = log_of(count, line)
        driver.feed.tell(other, shift=shift, reset=not shift)
        await driver.wait(lambda: view.document is other)
        await driver.press("enter")
        await driver.wait(lambda: driver.app.screen is screen)
        await driver.wait(lambda: bool(copied))
        assert copied == ["1 line: line 9991"]


class LateErrors(Log):
    """A log whose errors are found when a test says so."""

    told: Event | None = None
    is_sought = False  # Whether they were asked for

    @property
    def has_all_errors(self) -> bool:
        """Return whether they are found."""
        return self.told is None or self.told.is_set()

    def find_errors(self) -> None:
        """Wait for the test; before it, find them as ever."""
        if self.told is None:
            super().find_errors()
        else:
            self.is_sought = True
            self.told.wait()


def late_errors(lines: int) -> tuple[LateErrors, Event]:
    """Return a log with an error in its last line, and what finds it."""
    log = LateErrors(b"fine\n" * lines + b"ERROR: no such table\n", errors=error_rules())
    log.finish()
    log.told = Event()
    return log, log.told


async def test_an_e_is_not_lost_while_errors_of_another_log_are_searched() -> None:
    """It waits for those of the log in sight."""
    (first, first_found), (second, second_found) = late_errors(50), late_errors(70)
    async with told_log() as driver:
        driver.feed.tell(first, LogState.FOLLOWING)
        await driver.until(" of 51")
        await driver.press("e")
        driver.feed.tell(second, LogState.FOLLOWING, reset=True)
        await driver.until(" of 71")
        await driver.press("e")
        first_found.set()
        second_found.set()
        await driver.wait(partial(is_at, driver, 70))


async def test_who_leaves_the_end_by_a_key_sees_all_errors_at_the_edge() -> None:
    """They are searched then, not while lines come."""
    log, found = late_errors(50)
    async with told_log() as driver:
        driver.feed.tell(log, LogState.FOLLOWING)
        await driver.until(" of 51")
        assert not log.is_sought
        await driver.press("k")
        await driver.wait(lambda: log.is_sought)
        found.set()


async def test_what_is_read_in_the_end_is_in_no_fold_when_the_rest_comes() -> None:
    """A section whose beginning was not loaded starts open there."""
    line = "line {}\n".format
    whole = Log(
        b"section_start:1700000000:run[collapsed=true]\r\x1b[0Krun\n"
        + "".join(map(line, range(9000))).encode()
        + b"section_end:1700000009:run\r\x1b[0K\n"
        + "".join(map(line, range(9000, 9100))).encode()
    )
    whole.finish()
    async with told_log() as driver:
        end = log_of(9100, lambda y: f"line {y}", first=8000)
        driver.feed.tell(end, LogState.OPENING, is_tail=True, progress=0.5)
        await driver.until("end of the log")
        driver.view.position.reveal(500)
        await driver.until("line 8500")
        read = driver.view.position.top_line
        driver.feed.tell(whole, shift=8001)
        await driver.until(" of 9,101")
        assert driver.view.position.top_line == read + 8001
        assert driver.view.position.focus_in_sight == 8501


async def test_who_reads_elsewhere_is_not_taken_to_a_line_that_comes_late() -> None:
    """They did not wait for it."""
    async with told_log() as driver:
        screen = driver.app.screen
        assert isinstance(screen, LogFileScreen)
        log = Log("".join(f"line {y}\n" for y in range(100)).encode())
        driver.feed.tell(log, LogState.FOLLOWING)
        await driver.until(" of 100")
        screen.body.visit(Route("log", line=200))
        await driver.press("g")
        await driver.wait(lambda: driver.view.position.top_line == 0)
        log.append("".join(f"line {y}\n" for y in range(100, 300)).encode())
        driver.feed.tell(log, LogState.FOLLOWING)
        await driver.wait(lambda: driver.view.content.lines == 300)
        await driver.rest()
        assert (driver.view.position.top_line, driver.view.position.focus) == (0, None)


async def test_e_goes_to_an_error_that_the_view_has_not_drawn_yet(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A followed log is drawn at most so often, with reduced motion every few seconds."""
    monkeypatch.setattr(LogView, "FRAME", 1000.0)
    async with told_log() as driver:
        log = Log(b"fine\n" * 100, errors=error_rules())
        driver.feed.tell(log, LogState.FOLLOWING)
        await driver.until(" of 100")
        log.append(b"fine\n")
        driver.feed.tell(log, LogState.FOLLOWING)
        await driver.until(" of 101")
        log.append(b"fine\n" * 49 + b"ERROR: no such table\n" + b"fine\n")
        driver.feed.tell(log, LogState.FOLLOWING)
        await driver.rest()
        assert driver.view.content.lines == 101
        await driver.press("e")
        await driver.wait(lambda: driver.view.position.focus is not None)
        assert driver.view.position.focus == 150


async def test_a_search_that_was_begun_in_the_end_goes_on_from_there() -> None:
    """The lines of the end have other numbers once the rest is there."""

    def line(y: int) -> str:
        return f"line {y}"

    async with told_log() as driver:
        end = log_of(10_000, line, first=8001)
        driver.feed.tell(end, LogState.OPENING, is_tail=True, progress=0.5)
        await driver.until("end of the log")
        await driver.typing("/", "")
        driver.feed.tell(log_of(10_000, line), shift=8001)
        await driver.wait(lambda: driver.view.content.lines == 10_000)
        await driver.type("line 9")
        await driver.wait(lambda: driver.view.position.focus is not None)
        assert driver.view.position.focus == 9980


async def test_the_number_of_a_hit_is_known_when_the_rest_has_come() -> None:
    """One is at it still."""
    async with told_log() as driver:
        end = log_of(10_000, lambda y: f"line {y}", first=8001)
        driver.feed.tell(end, LogState.OPENING, is_tail=True, progress=0.5)
        await driver.until("end of the log")
        await driver.typing("/", "line 9950")
        await driver.press("enter")
        await driver.until("/line 9950  1 of 1")
        driver.feed.tell(log_of(10_000, lambda y: f"line {y}"), shift=8001)
        await driver.wait(partial(is_at, driver, 9950))
        await driver.until(" of 10,000")
        await driver.rest()
        assert "/line 9950  1 of 1" in driver.text


async def test_how_a_job_failed_is_found_in_what_comes_after_its_end() -> None:
    """The last lines of a log may come late."""
    async with told_log() as driver:
        screen = driver.app.screen
        assert isinstance(screen, LogFileScreen)
        text = screen.body.text
        log = Log(b"$ run\nboom\n", errors=error_rules())
        for more, exit_code in ((b"", None), (b"ERROR: Job failed: exit code 3\n", 3)):
            log.append(more)
            log.finish()
            update = LogUpdate(log, LogState.ENDED, "failed")
            driver.feed._updates.put_nowait(update)
            await driver.wait(lambda update=update: text.update is update)  # type: ignore[misc]
            assert text.facts().exit_code == exit_code


async def test_a_key_of_sections_says_where_there_is_no_further_one() -> None:
    """Rather than to do nothing."""
    log = Log(
        b"section_start:1700000000:get\r\x1b[0Kget\none\nsection_end:1700000009:get\r\x1b[0K\ntwo\n"
    )
    log.finish()
    async with told_log() as driver:
        driver.feed.tell(log)
        await driver.until(" of 3")
        driver.view.position.reveal(2)
        await driver.press("right_curly_bracket")
        await driver.until_told("No section after this one.")
        await driver.press("left_curly_bracket")
        await driver.wait(partial(is_at, driver, 0))
        await driver.press("left_curly_bracket")
        await driver.until_told("No section before this one.")


async def test_of_sections_that_are_not_loaded_nothing_is_claimed() -> None:
    """The end alone may have none."""
    async with told_log() as driver:
        end = log_of(100, lambda y: f"line {y}", first=50)
        driver.feed.tell(end, LogState.OPENING, is_tail=True, progress=0.5)
        await driver.until("end of the log")
        for key in ("z", "Z", "right_curly_bracket"):
            await driver.press(key)
            await driver.until_told("the rest is not loaded yet.")
            driver.app.clear_notifications()
        driver.feed.tell(log_of(100, lambda y: f"line {y}"), shift=50)
        await driver.until(" of 100")
        await driver.press("z")
        await driver.until_told("No sections in this log.")
