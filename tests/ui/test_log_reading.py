"""The log on a screen: folds, filters, wrapped lines, times, marks, and lines that are chosen."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from tests.ui.test_log_view import FOLLOWING, HEIGHT, PAUSED, LogApp, WatchedLogView, lines, names

from platui.logs import Log
from platui.models.values.search import SearchQuery
from platui.ui.themes import default_theme, palette_of
from platui.ui.widgets.log_content import FilterResult
from platui.ui.widgets.log_position import Follow
from platui.ui.widgets.log_view import LogView

if TYPE_CHECKING:
    from rich.style import Style


# Folds


def sections(*shapes: tuple[str, int], stamped: bool = False) -> bytes:
    """Return a log of sections by name and number of lines; `…` in a name: it has no end."""
    pieces: list[str] = []
    now = 1_790_000_000

    def line(text: str) -> None:
        stamp = datetime.fromtimestamp(now, UTC).strftime("%Y-%m-%dT%H:%M:%S.500000Z 00O ")
        pieces.append((stamp if stamped else "") + text + "\n")

    for name, size in shapes:
        word = name.removesuffix("…")
        line(f"section_start:{now}:{word}\r\x1b[0K{word}")
        for number in range(size):
            now += 1
            line(f"{word} {number}")
        if name == word:
            line(f"section_end:{now}:{word}\r\x1b[0K")
    return "".join(pieces).encode()


def header(left: str, right: str) -> str:
    """Return how the header of a section looks: a blank stands behind its duration."""
    return left + right.rjust(37 - len(left))


def folding(*shapes: tuple[str, int], ended: bool = True) -> LogApp:
    """Return an app on such a log."""
    return LogApp(Log(sections(*shapes)), ended=ended)


async def test_a_section_folds_and_opens() -> None:
    """Its header stays where it is, says how much it hides and how long it took."""
    app = folding(("get", 12), ("run", 75), ("clean", 2))
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        await pilot.press("g")
        assert app.shown()[:2] == [header("▾ get", "12s"), "get 0"]
        await pilot.press("z")
        assert app.shown()[:3] == [
            header("▸ get  12 lines", "12s"),
            header("▾ run", "1m15s"),
            "run 0",
        ]
        await pilot.press("z")
        assert app.shown()[:2] == [header("▾ get", "12s"), "get 0"]
        await pilot.press("Z")
        assert [line.split()[:2] for line in app.shown()[:4]] == [
            ["▸", "get"], ["▸", "run"], ["▸", "clean"], [],
        ]  # fmt: skip
        await pilot.press("Z")
        assert app.shown()[1] == "get 0"


async def test_the_header_of_the_section_one_reads_stays_in_sight() -> None:
    """In the first row; `z` brings one to it."""
    app = folding(("get", 12), ("run", 75))
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        app.view.position.go_to(40)
        assert app.shown()[:2] == [header("▾ run", "1m15s"), "run 26"]
        assert app.view.position.top_line == 40
        assert app.view.position.lines == (40, 49)
        await pilot.press("z")
        assert app.shown()[9] == header("▸ run  75 lines", "1m15s")
        assert app.view.position.top_line == 5


async def test_what_is_read_stays_where_it_is_when_others_fold() -> None:
    """All of them but one, by whoever knows which one failed."""
    app = folding(("get", 30), ("run", 75), ("clean", 30))
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        app.view.position.reveal(60)
        row = app.shown().index("run 28")
        app.view.folds.fold_all_but([1])
        await pilot.pause()
        assert app.shown()[row] == "run 28"
        app.view.position.go_to(0)
        assert app.shown()[0].startswith("▸ get  30 lines")
        assert app.view.position.focus == 60


async def test_revealing_unfolds() -> None:
    """The sections that hide the line, and no other; the line is in sight and in focus."""
    app = folding(("get", 30), ("run", 75), ("clean", 30))
    async with app.run_test(size=(40, HEIGHT)):
        app.view.folds.fold([0, 1, 2])
        app.view.position.reveal(60)
        assert app.shown()[3] == "run 28"
        assert app.view.position.focus == 60
        app.view.position.go_to(0)
        assert app.shown()[:2] == [
            header("▸ get  30 lines", "30s"),
            header("▾ run", "1m15s"),
        ]
        app.view.position.reveal(1_000_000)
        assert app.shown()[9] == "clean 29"


async def test_a_log_can_open_at_a_line() -> None:
    """Told before there is a layout, it is in sight with the first one."""

    class Opening(LogApp):
        def on_mount(self) -> None:
            super().on_mount()
            self.view.highlight(Words("line"))
            self.view.position.reveal(60)

    app = Opening(Log(lines(1, 100)), ended=True)
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        await pilot.pause()
        assert app.shown()[3] == "line 61"
        assert (app.view.position.focus, app.view.left) == (60, 0)


async def test_finished_sections_start_folded_where_all_went_well() -> None:
    """The one that runs is open, and how long it takes is not known yet."""
    app = LogApp(Log(sections(("get", 30), ("run…", 5))))
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        app.view.content.set_folding(finished=True, stays_open=False)
        app.view.show(Log(sections(("get", 30), ("run…", 5))), ended=False)
        await pilot.pause()
        assert app.shown()[:3] == [
            header("▸ get  30 lines", "30s"),
            header("▾ run", "…"),
            "run 0",
        ]
        assert app.view.position.follow == Follow(FOLLOWING)


async def test_what_is_read_as_it_comes_never_folds() -> None:
    """Sections that end while one watches stay open, those that ask to be folded too."""
    first = sections(("get", 3))
    whole = sections(("get", 3), ("run[collapsed=true]", 2), ("clean", 1))
    app = LogApp(Log(first), ended=False)
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        app.view.content.set_folding(finished=True, stays_open=False)
        log = Log(first)
        app.view.show(log, ended=False)
        app.view.content.set_folding(finished=True, stays_open=True)
        log.append(whole[len(first) :])
        app.view.grew()
        await pilot.pause()
        assert [line for line in app.shown() if line.startswith(("▸", "▾"))] == [
            header("▸ get  3 lines", "3s"),
            header("▾ run[collapsed=true]", "2s"),
            header("▾ clean", "1s"),
        ]


async def test_a_section_without_a_header_hides_nothing() -> None:
    """Its first line shows the last state of a long progress bar, and no sign of a fold."""
    bar = b"".join(b"pulling %d of 9000\r" % number for number in range(9000))
    log = Log(
        b"section_start:1700000000:pull[collapsed=true]\r\x1b[0K" + bar + b"pulled\n"
        + lines(1, 20) + b"section_end:1700000009:pull\r\x1b[0K\nend\n"
    )  # fmt: skip
    app = LogApp(log, ended=True)
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        content = app.view.content
        assert [one.has_header for one in log.sections] == [False]
        assert content.shown.count == content.lines == 22
        await pilot.press("g", "z")
        assert content.shown.count == 22
        await pilot.press("Z")
        assert content.shown.count == 22


async def test_folding_while_following() -> None:
    """A fold goes on following; who opens a section to read it is left alone."""
    app = LogApp(Log(sections(("get", 30), ("run…", 30))))
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        await pilot.press("z")
        assert app.view.position.follow == Follow(FOLLOWING)
        assert app.shown()[-1].startswith("▸ run  30 lines")
        app.grow(1, 5)
        assert app.shown()[-1].startswith("▸ run  35 lines")
        assert app.view.position.follow.new_lines == 0
        await pilot.press("}", "z")
        assert app.view.position.follow.state is PAUSED
        assert app.shown()[-1].startswith("▾ run")


async def test_sections_are_gone_through_by_their_headers() -> None:
    """Those in sight first; headers in a fold are passed by."""
    app = folding(("get", 30), ("run", 75), ("clean", 30))
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        await pilot.press("g", "}")
        assert app.view.position.focus == 0
        await pilot.press("}")
        assert app.view.position.focus == 31
        assert app.shown()[3].startswith("▾ run")
        await pilot.press("{")
        assert app.view.position.focus == 0
        await pilot.press("Z", "}", "}")
        assert app.view.position.focus == 107
        assert app.shown()[2].startswith("▸ clean")


async def test_nothing_is_folded_under_a_filter() -> None:
    """The keys are grey there; without sections or times they say so."""
    app = LogApp(Log(lines(1, 100)), ended=True)
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        await pilot.press("z", "Z", "{", "}", "t")
        for command in ("fold", "fold_all", "next_section", "stamps"):
            assert app.view.check_action("run", (f"log.{command}",)) is True
        app.view.show(Log(sections(("get", 30), stamped=True)), ended=True)
        for command in ("fold", "fold_all", "next_section", "stamps"):
            assert app.view.check_action("run", (f"log.{command}",)) is True
        app.view.filter_lines(FilterResult([3]))
        assert app.view.check_action("run", ("log.fold",)) is None


# Filter


async def test_a_filter_shows_some_lines_and_goes_on() -> None:
    """With what is around them; the sequence may grow as the log does, and as it is searched."""
    app = LogApp(Log(lines(1, 100)))
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        found = [10, 50]
        app.view.filter_lines(FilterResult(found))
        assert app.shown()[:3] == ["line 11", "line 51", ""]
        found.append(99)
        app.view.filter_lines(FilterResult(found))
        assert app.shown()[:3] == ["line 11", "line 51", "line 100"]
        app.grow(101, 200)
        assert app.shown()[:4] == ["line 11", "line 51", "line 100", ""]
        found.extend(range(100, 200))
        app.view.filter_lines(FilterResult(found))
        assert app.shown()[-1] == "line 200"
        await pilot.press("g")
        assert app.view.position.follow == Follow(PAUSED)
        app.grow(201, 203)
        found.extend((200, 201, 202))
        app.view.filter_lines(FilterResult(found))
        assert app.view.position.follow.new_lines == 3
        app.view.filter_lines(FilterResult([10, 12], context=1))
        assert app.shown()[:6] == [*names(10, 14), ""]
        app.view.filter_lines(FilterResult(range(5, 200), inverse=True))
        assert app.shown()[:9] == [*names(1, 5), *names(201, 203), ""]
        app.view.filter_lines(FilterResult(range(5, 200), inverse=True, until=201))
        assert app.shown()[:7] == [*names(1, 5), "line 201", ""]


async def test_what_a_filter_found_stands_out_from_what_is_around_it() -> None:
    """Lines around are muted, whatever colours they have; a break tells how many are left out."""
    data = "".join(f"\x1b[1;31mline {number}\x1b[0m\n" for number in range(1, 101)).encode()
    app = LogApp(Log(data), ended=True)
    async with app.run_test(size=(40, HEIGHT)):
        app.view.filter_lines(FilterResult([9, 19], context=1))
        assert app.shown()[:8] == [*names(9, 11), "┄┄┄ 7 lines", *names(19, 21), ""]
        palette = palette_of(app)
        strips = app.view.render_lines(app.view.size.region)
        around, found = (
            next(style for text, style, _ in strips[y] if style and text.startswith("line"))
            for y in (0, 1)
        )
        assert around == palette.base + palette.muted
        assert found.bold
        assert found.color == palette.ink("failed").color


async def test_going_to_a_line_under_a_filter_passes_breaks() -> None:
    """By rows as by lines: the line one is at is one of the log's, and all of them are reached."""
    app = LogApp(Log(lines(1, 200)), ended=True)
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        app.view.filter_lines(FilterResult(range(9, 200, 10), context=1))
        await pilot.press("g")
        assert app.shown()[:4] == [*names(9, 11), "┄┄┄ 7 lines"]
        await pilot.press("j", "j", "j")
        assert app.shown()[1:4] == names(19, 21)
        await pilot.press("G")
        assert app.shown()[-3:] == ["┄┄┄ 7 lines", *names(199, 200)]
        await pilot.press("pageup", "pagedown")
        assert app.shown()[-1] == "line 200"


async def test_without_its_filter_a_log_is_where_the_reader_is() -> None:
    """The line that was read stays in sight."""
    app = LogApp(Log(lines(1, 1000)), ended=True)
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        app.view.filter_lines(FilterResult(range(0, 1000, 10)))
        app.view.position.reveal(500)
        row = app.shown().index("line 501")
        app.view.filter_lines(None)
        await pilot.pause()
        assert app.shown()[row] == "line 501"


# Wrap, times, numbers


async def test_long_lines_can_be_wrapped() -> None:
    """What goes on stands further in; headers and sideways keys are of one row, and grey."""
    app = LogApp(Log(b"first\n" + b"x" * 45 + b"\nlast\n"), ended=True)
    async with app.run_test(size=(22, 6)) as pilot:
        await pilot.press("right", "w")
        assert app.shown() == ["first", "x" * 20, "  " + "x" * 18, "  " + "x" * 7, "last", ""]
        assert app.view.check_action("sideways", ()) is None
        await pilot.resize_terminal(52, 6)
        await pilot.pause()
        assert app.shown()[1:3] == ["x" * 45, "last"]
        await pilot.press("w")
        assert app.view.check_action("sideways", ()) is True


async def test_a_line_in_focus_stays_in_sight_when_lines_are_wrapped() -> None:
    """Others take more rows then; whoever follows is at the end."""
    app = LogApp(Log(b"".join(b"%03d " % number * 20 + b"\n" for number in range(50))))
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        await pilot.press("w")
        assert app.view.position.follow == Follow(FOLLOWING)
        assert app.view.position.lines[1] == 50
        await pilot.press("w")
        app.view.position.reveal(20)
        await pilot.press(*["k"] * 6, "w")
        assert any(row.startswith("020 ") for row in app.shown())


async def test_times_of_day_and_since_the_section_began() -> None:
    """`t` goes round; lines that go on have none of their own."""
    app = LogApp(Log(sections(("get", 3), ("run", 70), stamped=True)), ended=True)
    app.document.finish()
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        app.view.utc = True
        await pilot.press("g", "t")
        assert app.shown()[:3] == [
            header("14:13:20 ▾ get", "3s"),
            "14:13:21 get 0",
            "14:13:22 get 1",
        ]
        await pilot.press("t")
        assert app.shown()[3:6] == [
            "  +0:03.0 get 2",
            header("  +0:00.0 ▾ run", "1m10s"),
            "  +0:01.0 run 0",
        ]
        await pilot.press("#", "G")
        assert app.shown()[-1] == "  75   +1:10.0 run 69"
        await pilot.press("t")
        assert app.shown()[-1] == "  75 run 69"


# Hits, the edge, choosing


class Words:
    """A pattern: a word, wherever it stands."""

    def __init__(self, word: str) -> None:
        self.query = SearchQuery(word)

    def ranges(self, line: str) -> list[tuple[int, int]]:
        """Return where it stands."""
        return [found.span() for found in re.finditer(self.query.text, line)]


def painted(app: LogApp, row: int, style: Style) -> str:
    """Return what of a row is painted in a style."""
    return "".join(part.text for part in app.view.render_line(row) if part.style == style)


async def test_what_is_found_is_highlighted() -> None:
    """More so where one is; a cut goes through a style, a wrapped row and a wide character."""
    data = "\x1b[31mab\x1b[0mab 日本 ab\n" * 3 + "-" * 17 + "abab\n"
    app = LogApp(Log(data.encode()), ended=True)
    palette = default_theme().palette
    async with app.run_test(size=(22, 6)) as pilot:
        app.view.highlight(Words("ba|本|-a"))
        app.view.position.reveal(1)
        assert [painted(app, row, palette.found) for row in (0, 2)] == ["ba本", "ba本"]
        assert painted(app, 1, palette.hit) == "ba本"
        await pilot.press("w")
        assert [painted(app, row, palette.found) for row in (3, 4)] == ["-aba", ""]
        app.view.highlight(None)
        assert painted(app, 0, palette.found) == painted(app, 1, palette.hit) == ""


async def test_a_hit_at_the_side_comes_in_sight() -> None:
    """Where lines are cut, the window moves to it, and back."""
    app = LogApp(Log(b"x" * 100 + b"here\nhere\n"), ended=True)
    async with app.run_test(size=(30, 5)):
        app.view.highlight(Words("here"))
        app.view.position.reveal(0)
        assert "here" in app.shown()[0]
        app.view.position.reveal(1)
        assert app.view.left == 0
        app.view.wraps = True
        app.view.position.reveal(0)
        assert any(row.endswith("here") for row in app.shown())


async def test_the_edge_shows_hits_of_the_whole_log_and_leads_to_them() -> None:
    """A click goes to the hit, or to that part of the log."""
    app = LogApp(Log(lines(1, 1000)), ended=True)
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        app.view.mark_hits([350, 999])
        edge = [strip.text[-1] for strip in app.view.render_lines(app.view.size.region)]
        assert edge == [*"   ━     ━"]
        await pilot.click(LogView, offset=(39, 3))
        assert app.view.position.focus == 350
        await pilot.click(LogView, offset=(39, 5))
        assert app.view.position.top_line == 500


async def test_marks_stand_beside_their_lines_where_all_is_in_sight() -> None:
    """Also where some of them take several rows."""
    app = LogApp(Log(b"x" * 50 + b"\n" + lines(1, 3)), ended=True)
    async with app.run_test(size=(40, HEIGHT)):
        app.view.mark_hits([2])
        for wraps, row in ((False, 2), (True, 3)):
            app.view.wraps = wraps
            strips = app.view.render_lines(app.view.size.region)
            assert [y for y, strip in enumerate(strips) if strip.text.endswith("━")] == [row]


async def test_a_click_on_a_mark_leads_to_the_line_beside_it() -> None:
    """Also where lines take several rows, or a filter leaves some out."""
    app = LogApp(Log(b"x" * 50 + b"\n" + lines(1, 3)), ended=True)
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        app.view.mark_hits([2])
        app.view.wraps = True
        await pilot.click(LogView, offset=(39, 3))
        assert app.view.position.focus == 2
        app.view.position.focus_on(None)
        await pilot.click(LogView, offset=(39, 9))
        assert app.view.position.focus is None
    app = LogApp(Log(lines(1, 100)), ended=True)
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        app.view.mark_hits([80])
        app.view.filter_lines(FilterResult([10, 80], context=1))
        assert app.view.render_line(5).text.endswith("━")
        await pilot.click(LogView, offset=(39, 5))
        assert app.view.position.focus == 80


async def test_marks_that_come_while_one_is_elsewhere_move_nothing() -> None:
    """The map is of what was there when the reader let go."""
    app = LogApp(Log(lines(1, 1000)))
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        hits = [350, 990]
        app.view.mark_hits(hits)
        await pilot.press("pageup")
        await pilot.pause()
        app.view.repaints.clear()
        hits.extend(range(1000, 50_000))
        app.grow(1001, 50_000)
        app.view.mark_hits(hits)
        await pilot.pause()
        assert app.view.repaints == []


async def test_a_click_takes_a_line_in_focus_and_folds_a_header() -> None:
    """On the header that stays in sight, it leads to the real one."""
    app = folding(("get", 30), ("run", 75))
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        await pilot.press("g")
        await pilot.click(LogView, offset=(5, 3))
        assert app.view.position.focus == 3
        strip = app.view.render_line(3)
        assert strip.text.startswith("▎get 2")
        await pilot.click(LogView, offset=(5, 0))
        assert app.shown()[:2] == [
            header("▸ get  30 lines", "30s"),
            header("▾ run", "1m15s"),
        ]
        app.view.position.go_to(60)
        await pilot.click(LogView, offset=(5, 0))
        assert app.view.position.top_line == 31


async def test_lines_are_chosen() -> None:
    """From the line in focus, or the first in sight, to where one moves; `esc` lets go."""
    app = LogApp(Log(lines(1, 100)))
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        await pilot.press("space")
        assert app.view.selection.span == (90, 91)
        assert app.view.position.follow.state is PAUSED
        await pilot.press("k", "k")
        assert app.view.selection.span == (88, 91)
        assert app.shown()[0] == "line 89"
        await pilot.press("j", "j", "j", "j")
        assert app.view.selection.span == (90, 93)
        await pilot.press("G")
        assert app.view.selection.span == (90, 100)
        await pilot.press("g")
        assert app.view.selection.span == (0, 91)
        await pilot.click(LogView, offset=(5, 4))
        assert app.view.selection.span == (4, 91)
        await pilot.press("escape")
        assert app.view.selection.span is None
        app.view.position.reveal(7)
        await pilot.press("space", "pagedown")
        assert app.view.selection.span == (7, 17)
        assert "line 17" in app.shown()
        await pilot.press("space")
        assert app.view.selection.span is None


async def test_a_fast_log_is_painted_a_few_times_a_second() -> None:
    """What comes within a tenth of a second comes at once."""

    class Slow(WatchedLogView):
        FRAME = 0.1

    app = LogApp(Log(lines(1, 100)))
    app.kind = Slow
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        await pilot.pause()
        app.view.repaints.clear()
        for number in range(101, 201):
            app.grow(number, number)
        assert len(app.view.repaints) == 1
        while app.shown()[-1] != "line 200":
            await pilot.pause(0.02)
        assert len(app.view.repaints) == 2
