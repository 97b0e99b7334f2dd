"""Many lines at once are the lines one by one."""

from __future__ import annotations

import pytest

from platui.logs import Log
from platui.logs.cleaning import lines_of, read_full_lines

STAMP = "2026-09-25T07:33:00.992977Z 00O"
PLAIN = "\n".join(f"line {n}" for n in range(450))
MIXED = "\n".join(
    "\x1b[31mred\x1b[0m" if n % 90 == 0 else "tab\there" if n % 70 == 1 else f"größe {n} ✔\r"
    for n in range(450)
)
SECTIONS = "".join(
    f"section_start:1:s{n}\r\x1b[0Ktitle {n}\nbody\nsection_end:2:s{n}\r\x1b[0K\n"
    for n in range(90)
)
STAMPED = "\n".join(f"{STAMP}{'+' if n % 150 == 149 else ' '}line {n}" for n in range(450))
PROGRESS = "\n".join(f"{n}\r{n + 1}\r" for n in range(300))
BROKEN = b"\n".join(b"%d \x9b31m \xff\xed\xa0\x80 \xc3" % n for n in range(450))


@pytest.mark.parametrize(
    "data",
    [text.encode() for text in ("", "one", PLAIN, MIXED, SECTIONS, STAMPED, PROGRESS)] + [BROKEN],
)
def test_many_lines_are_the_lines_one_by_one(data: bytes) -> None:
    """Of every kind of log, from anywhere to anywhere."""
    log = Log(data)
    log.finish()
    count = log.line_count
    texts = [log.text(y) for y in range(count)]
    for start, end in ((0, count), (count // 3, count), (count // 4, count // 2)):
        if start < end:
            assert lines_of(log, start, end).decode() == "\n".join(texts[start:end])


WORDS = "".join(f"{n} größe " for n in range(30_000))


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (WORDS.encode(), WORDS),
        (b"x" * 30_000, "x" * 30_000),
        (b"\t" * 3_000 + b"x", " " * 24_000 + "x"),
        (b"\x1b[31m\x1b]0;title\x07word\x1b[0m " * 20_000, "word " * 20_000),
        (b"50%\r" + WORDS.encode() + b"\r", WORDS),
        (WORDS.encode() + b"section_end:2:none\r\x1b[0K", WORDS),
        (b"x\x9by\xff" * 40_000, "x�y�" * 40_000),
    ],
)
def test_long_lines_are_written_whole(raw: bytes, text: str) -> None:
    """In pieces, with nothing torn where two of them meet; on the screen they are cut."""
    log = Log(b"before\n" + raw + b"\nafter\n" + raw)
    log.finish()
    pieces = list(read_full_lines(log, 0, log.line_count))
    assert b"".join(pieces).decode().split("\n") == ["before", text, "after", text, ""]
    assert max(map(len, pieces)) < 600_000
    shown, _, more = log.text(1).rpartition("…")
    assert len(shown) <= 20_000
    assert more.endswith("more")


def test_long_lines_that_a_runner_broke_are_whole_again() -> None:
    """Stamps undo the line breaks, wherever a piece ends."""
    data = f"{STAMP} one\n{STAMP} " + f"\n{STAMP}+".join(["word " * 1_000] * 40) + "\n"
    log = Log(data.encode())
    log.finish()
    assert b"".join(read_full_lines(log, 0, 2)).decode() == "one\n" + "word " * 40_000 + "\n"


@pytest.mark.parametrize("size", [30_000, 100_000, 1_000_000])
def test_lines_that_differ_far_behind_are_not_taken_for_equal(size: int) -> None:
    """However long they are, and however they were coloured and cut into pieces."""
    one, other = "x" * size + "one", "x" * size + "two"
    coloured = one.replace("x", "\x1b[31mx", 900)
    log = Log(f"{one}\n{other}\n{coloured}\n{one}\n".encode())
    first, second, third, fourth = lines_of(log, 0, 4).split(b"\n")
    assert first == third == fourth
    assert first != second
    assert len(first) < 100_000 + 50
