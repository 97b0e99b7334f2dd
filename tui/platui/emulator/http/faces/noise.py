"""Hostile bytes: lines between those of a log, and around the content of a file."""

from __future__ import annotations

from typing import Final

from platui.emulator.http.faces.payloads import MARKUP, SEQUENCES, SHAPES

LINES: Final = (
    *(f"hostile {payload} line".encode() for payload in SEQUENCES if payload != "\x00"),
    *(f"hostile {payload} line".encode() for payload in (*MARKUP, *SHAPES)),
    b"hostile \xff\xfe\xc3\x28\xe2\x82 bytes that are no text",
    b"hostile \x9b2J\x9d0;owned\x9c bare C1",
    b"hostile \x00\x00\x00 zeros",
    b"hostile \x1b]0;this never ends",
    b"hostile \x1bP and neither does this",
    b"hostile \x1b[38;2;1;2;3;4;5;6;7;8;9;10;11;12;13;14;15;16;17;18;19;99999999999999m colours",
    b"hostile 10 %\r20 %\r30 %\r\x1b[Khostile 100 %",
    b"section_start:1773457920:\x1b]52;c;aGFja2Vk\x07[/nope]\r\x1b[0Khostile section",
    b"section_start:99999999999999999999:huge\r\x1b[0Kafter the end of time",
    b"section_end:-1:never_begun\r\x1b[0K",
    b"section_start:1773457920:same\r\x1b[0Ksection_start:1773457920:same\r\x1b[0Ktwice",
    "hostile \u202eturned\u2028 and \u200bhidden \U000e0041".encode(),
    b"hostile " + b"giant " * 12_000,
)
"""Lines of a log that attack whoever shows them."""

_EVERY: Final = 5

HEAD: Final = b"# \x1b]52;c;aGFja2Vk\x07\x1b[2J\x9b2J [@click=app.quit]x[/nope] \xff\xfe\x00\n"
TAIL: Final = "\n# \u202e\u2028\x1b]0;without an end".encode()


def noisy_log(log: bytes) -> bytes:
    """Return a log with a hostile line after every few of its own, and before the first.

    A log that has grown begins with what it was before: the last line, which may still be
    written, has nothing behind it.
    """
    if not log:
        return log
    lines = log.split(b"\n")
    found = [LINES[0]]
    for number, line in enumerate(lines[:-1]):
        found.append(line)
        if number % _EVERY == 0:
            found.append(LINES[(number // _EVERY + 1) % len(LINES)])
    return b"\n".join([*found, lines[-1]])


def noisy_content(content: bytes) -> bytes:
    """Return the content of a file between hostile bytes."""
    return HEAD + content + TAIL
