"""Section markers: what they hide, what they head, and the table they make."""

from __future__ import annotations

import pytest

from platui.logs.markers import (
    MAX_SECTIONS,
    Marker,
    SectionTable,
    read_markers,
    strip_partial_marker,
)

CLEAR = b"\r\x1b[0K"


def start(name: bytes, time: int = 100, options: bytes = b"") -> bytes:
    """Return a marker as a runner writes it."""
    return b"section_start:%d:%s%s" % (time, name, options) + CLEAR


def end(name: bytes, time: int = 100) -> bytes:
    """Return the marker of an end."""
    return b"section_end:%d:%s" % (time, name) + CLEAR


@pytest.mark.parametrize(
    ("line", "rest", "header", "hidden"),
    [
        (b"plain", b"plain", None, False),
        (b"", b"", None, False),
        (start(b"a"), b"", "a", False),
        (start(b"a") + b"Header", b"Header", "a", False),
        (b"\x1b[0K" + start(b"a") + b"\x1b[0KHeader", b"\x1b[0K\x1b[0KHeader", "a", False),
        (end(b"a"), b"", None, True),
        (end(b"a") + b"\x1b[0;m", b"\x1b[0;m", None, True),
        (end(b"a") + b"left", b"left", None, False),
        (start(b"a") + end(b"a"), b"", None, True),
        (end(b"a") + start(b"b") + end(b"b") + start(b"c") + b"$ x", b"$ x", "c", False),
        (start(b"a") + start(b"b") + end(b"a"), b"", None, True),
        (start(b"a") + start(b"b"), b"", "b", False),
        (start(b"a", options=b"[collapsed=true]") + b"H", b"H", "a", False),
        (start(b"a", options=b"[collapsed=true, hide=x]") + b"H", b"H", "a", False),
        (b"section_start:100:a", b"", "a", False),
        (b"section_end:100:a\r", b"", None, True),
        (b"the column section_name", b"the column section_name", None, False),
        (b"section_start:x:a" + CLEAR, b"section_start:x:a" + CLEAR, None, False),
        (b"section_start:1:a b" + CLEAR, b"section_start:1:a b" + CLEAR, None, False),
        (b"section_start:" + b"9" * 40 + b":a", b"section_start:" + b"9" * 40 + b":a", None, False),
    ],
)
def test_a_line_is_taken_apart(line: bytes, rest: bytes, header: str | None, hidden: bool) -> None:  # noqa: FBT001  (a column of the table)
    """Markers leave; what stays is text, a header, or nothing at all."""
    marked = read_markers(line)
    assert (marked.rest, marked.header_of, marked.is_hidden) == (rest, header, hidden)


def test_half_a_marker_is_recognised_at_every_cut() -> None:
    """Wherever a stream is cut inside a marker, nothing of it is left."""
    marker = start(b"step_script", options=b"[collapsed=true]")
    for length in range(len(b"section_"), len(marker)):
        assert strip_partial_marker(b"text " + marker[:length]) == b"text "
    assert strip_partial_marker(b"text " + marker) == b"text " + marker
    assert strip_partial_marker(b"section_names") == b"section_names"


def table(*steps: tuple[str, str, int, int]) -> list[tuple[str, int, int | None, int, int | None]]:
    """Return the sections that markers make: name, start, end, depth, seconds."""
    sections = SectionTable()
    for kind, name, time, line in steps:
        sections.take(Marker(kind == "start", time, name), line)
    return [(s.name, s.start, s.end, s.depth, s.seconds) for s in sections.snapshot()]


def test_sections_nest_repeat_and_stay_open() -> None:
    """Each beginning is one section; ends find the innermost open one of their name."""
    assert table(("start", "a", 5, 0), ("end", "a", 9, 4)) == [("a", 0, 4, 0, 4)]
    assert table(("end", "a", 9, 4)) == []
    assert table(("start", "a", 5, 0)) == [("a", 0, None, 0, None)]
    assert table(
        ("start", "a", 0, 0), ("start", "b", 1, 1), ("end", "b", 3, 2), ("end", "a", 7, 3)
    ) == [("a", 0, 3, 0, 7), ("b", 1, 2, 1, 2)]
    assert table(
        ("start", "a", 0, 0), ("start", "a", 1, 1), ("end", "a", 3, 2), ("end", "a", 7, 3)
    ) == [("a", 0, 3, 0, 7), ("a", 1, 2, 1, 2)]
    assert table(
        ("start", "a", 0, 0), ("end", "a", 2, 1), ("start", "a", 3, 1), ("end", "a", 3, 1)
    ) == [("a", 0, 1, 0, 2), ("a", 1, 1, 0, 0)]


def test_an_outer_end_closes_what_was_left_open_inside() -> None:
    """The inner one has an end line then, but no duration: nobody said when."""
    assert table(("start", "a", 0, 0), ("start", "b", 1, 1), ("end", "a", 7, 3)) == [
        ("a", 0, 3, 0, 7),
        ("b", 1, 3, 1, None),
    ]


def test_a_clock_that_went_back_gives_no_negative_duration() -> None:
    """Runners' clocks are corrected while jobs run."""
    assert table(("start", "a", 50, 0), ("end", "a", 40, 1)) == [("a", 0, 1, 0, 0)]


def test_the_table_has_an_end() -> None:
    """A log made of markers does not fill the memory."""
    sections = SectionTable()
    for number in range(MAX_SECTIONS + 10):
        sections.take(Marker(starts=True, time=1, name="s"), number)
        sections.take(Marker(starts=False, time=1, name="s"), number)
    assert len(sections.snapshot()) == MAX_SECTIONS
