"""Sections by line: the innermost, the headers, and what a fold hides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import example, given
from hypothesis import strategies as st

from platui.logs import Log
from platui.models.values.log import ErrorMark, Section
from platui.present.logs.lines import SectionMap
from platui.ui.widgets.log_content import LogContent

if TYPE_CHECKING:
    from collections.abc import Iterable

NAMES = "abc"


def log_of(steps: Iterable[str]) -> Log:
    """Return a log: a small letter begins a section, a large one ends it, `.` is a line."""
    pieces: list[str] = []
    for number, step in enumerate(steps):
        if step == ".":
            pieces.append(f"line {number}\n")
        elif step == "/":
            pieces.append("\n")
        else:
            kind = "start" if step.islower() else "end"
            pieces.append(f"section_{kind}:{number}:{step.lower()}\r\x1b[0K")
    # A marker counts when its line has ended.
    log = Log("".join([*pieces, "\n"]).encode())
    log.finish()
    return log


def holds(section: Section, line: int) -> bool:
    """Return whether a section holds a line."""
    return section.start <= line and (section.end is None or line < section.end)


@given(steps=st.text(alphabet="..//aAbBcC", max_size=40), cut=st.integers(0, 40))
@example(steps="b/aBbA/", cut=0)
@example(steps="a/cAbC//B", cut=0)
def test_sections_are_found_by_line(steps: str, cut: int) -> None:
    """As by looking at each of them, however they nest, repeat and stay open."""
    log = log_of(steps)
    sections = log.sections
    known = SectionMap()
    early = log_of(steps[:cut]).sections
    known.take(early)
    known.take(sections)
    assert len(known) == len(sections)
    for line in range(log.line_count):
        around = [at for at, one in enumerate(sections) if holds(one, line)]
        assert known.at(line) == (around[-1] if around else None)
        if (at := known.at(line)) is not None:
            assert set(known.around(at)) <= set(around)
        headers = [
            one.start
            for one in sections
            if one.has_header and (one.end is None or one.end > one.start)
        ]
        assert known.header_from(line) == min((y for y in headers if y >= line), default=None)
        assert known.header_before(line) == max((y for y in headers if y < line), default=None)
        assert (known.header_at(line) is not None) == (line in headers)
        assert log.is_section(line) or line not in headers


@given(steps=st.text(alphabet="..//aAbBcC", max_size=40), folds=st.sets(st.integers(0, 12)))
def test_a_fold_hides_what_is_below_its_header(steps: str, folds: set[int]) -> None:
    """All of it, what is nested included, and no header that is not in a fold itself."""
    log = log_of(steps)
    known = SectionMap()
    known.take(log.sections)
    folded = {at for at in folds if at < len(known)}
    shown = known.folded(folded, log.line_count)
    hidden = {
        line for at in folded for line in range(known[at].start + 1, known.end(at, log.line_count))
    }
    assert [shown.line(place) for place in range(shown.count)] == [
        line for line in range(log.line_count) if line not in hidden
    ]


def test_an_open_section_goes_on_hiding() -> None:
    """What comes to a running section in a fold is in the fold, until it ends."""
    known = SectionMap()
    known.take([Section("a", 1, 0, 100)])
    shown = known.folded({0}, 5)
    assert shown.count == 2
    shown.grow(500)
    assert shown.count == 2
    assert known.take([Section("a", 1, 0, 100, 130, 400)]) == [0]
    assert known.folded({0}, 500).count == 102


def test_what_ended_well() -> None:
    """It ended, by a marker of its own, and no error begins in it."""
    known = SectionMap()
    known.take(
        [
            Section("well", 0, 0, 100, 101, 10),
            Section("with an error", 10, 0, 101, 102, 20),
            Section("its end is missing", 20, 0, 102, None, 30),
            Section("runs", 30, 0, 103),
        ]
    )
    errors = [ErrorMark(12, 15, "rule"), ErrorMark(29, 30, "rule")]
    assert [known.ended_well(at, errors) for at in range(4)] == [True, False, False, False]
    assert [known.ended_well(at, ()) for at in range(4)] == [True, True, False, False]


def test_the_section_of_a_line_that_goes_on_is_gone() -> None:
    """A writer that flushes in blocks cuts its last line, which had ended the log."""
    log = Log(b"one\nsection_start:1:a\r\x1b[0KHead")
    log.finish()
    known, content = SectionMap(), LogContent()
    known.take(log.sections)
    assert known.header_at(1) == 0
    content.show(log)
    content.grow()
    content.fold([0])
    log.append(b"er")
    assert len(log.sections) == 0
    known.take(log.sections)
    assert (len(known), known.at(1), known.header_at(1)) == (0, None, None)
    content.grow()
    assert (content.folded, content.shown.count) == (set(), 2)
    log.append(b"\nmore\n")
    content.grow()
    assert len(content.sections) == 1
    assert content.sections.header_at(1) == 0
