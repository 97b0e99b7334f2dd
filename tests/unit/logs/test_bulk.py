"""Many lines at once are the lines one by one."""

from __future__ import annotations

import pytest

from platui.logs import Log
from platui.logs.bulk import lines_of

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
