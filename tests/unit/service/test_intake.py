"""What cannot be a report is refused at once, not when all of it is stored."""

from __future__ import annotations

import gzip
import io
from typing import TYPE_CHECKING

import pytest

from platui.core.errors import ReportError
from platui.service.access.intake import Intake
from platui.service.access.report_files import opened_file, piped_file

if TYPE_CHECKING:
    from pathlib import Path

MEGABYTE = 1 << 20


@pytest.mark.parametrize("text", [b"\0" * 9, b"<html>", b"\xff\xfe{", b" \n\xef\xbb\xbf{", b"x"])
def test_the_first_byte_decides(text: bytes) -> None:
    """Blanks and a byte order mark may come first."""
    with pytest.raises(ReportError, match=r"^Invalid JSON at byte \d: invalid character\.$"):
        Intake().take(text, len(text))


def test_blanks_do_not_hide_the_first_byte() -> None:
    """It may come in a later piece, and is told with its place."""
    intake = Intake()
    intake.take(b"\xef\xbb", 2)
    intake.take(b"\xbf \n", 5)
    intake.take(b"\t" * 100, 105)
    with pytest.raises(ReportError, match="at byte 105:"):
        intake.take(b"?{}", 108)


@pytest.mark.parametrize("text", [b"{}", b"[]", b"null", b'"text"', b"-1", b"\xef\xbb\xbf {}", b""])
def test_what_may_be_json_is_left_to_the_reader(text: bytes) -> None:
    """It tells better what is wrong."""
    Intake().take(text, len(text))


def test_a_text_that_does_not_compress_like_a_report_is_refused() -> None:
    """Its size alone is no reason."""
    intake = Intake()
    for number in range(1, 200):
        intake.take(b"{" * MEGABYTE, number * MEGABYTE // 100)
    with pytest.raises(ReportError, match=r"bytes decompress to more than"):
        intake.take(b"{" * MEGABYTE, MEGABYTE // 2)


async def test_a_bomb_is_not_stored(tmp_path: Path) -> None:
    """Nothing is left of it, from a file or from a pipe."""
    bomb = gzip.compress(b'{"users":{"' + b"a" * (100 * MEGABYTE))
    file, folder = tmp_path / "bomb.json.gz", tmp_path / "reports"
    file.write_bytes(bomb)
    with pytest.raises(ReportError, match="this is no report"):
        async with opened_file(file, folder):
            pass
    with (
        pytest.raises(ReportError, match="this is no report"),
        piped_file(io.BytesIO(bomb), folder) as piped,
    ):
        async with opened_file(piped, folder):
            pass
    assert list(folder.iterdir()) == []


def test_a_pipe_without_end_is_left_at_its_first_byte(tmp_path: Path) -> None:
    """As that of `yes`, which would fill the disk."""

    class Endless(io.RawIOBase):
        read_count = 0

        def read(self, size: int = -1) -> bytes:
            self.read_count += 1
            return b"y\n" * (size // 2)

    endless = Endless()
    with pytest.raises(ReportError, match="Invalid JSON at byte 0"), piped_file(endless, tmp_path):  # type: ignore[arg-type]
        pass
    assert endless.read_count == 1
    assert list(tmp_path.iterdir()) == []
