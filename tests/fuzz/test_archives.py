"""Artifacts of any bytes are listed and read, or refused; nothing is written elsewhere."""

from __future__ import annotations

import io
import tempfile
import zipfile
from functools import lru_cache
from pathlib import Path
from typing import Final

from hypothesis import example, given
from hypothesis import strategies as st
from tests.fuzz.bounds import in_time, tries
from tests.fuzz.checks import check_cell, check_error
from tests.fuzz.strategies import NASTY, damaged

from platui.core.errors import PlatuiError
from platui.present.tables.artifacts import ARCHIVE_FILES
from platui.service.files.archives import JobArchive

_NAMES: Final = (
    "a/b.txt",
    "../../evil",
    "/etc/passwd",
    "C:\\x",
    "c\x1b[31m",
    "日本",
    "a" * 300,
    "d/",
)


@lru_cache(maxsize=4)
def zipped(method: int) -> bytes:
    """Return an archive with odd names."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name in _NAMES:
            archive.writestr(zipfile.ZipInfo(name), b"text of a file " * 20, method)
        archive.comment = b"PK\x05\x06 a comment"
    return file.getvalue()


signs = st.sampled_from(
    [
        b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06", b"PK\x06\x06", b"PK\x06\x07", b"\xff" * 4,
        bytes(4), b"\xff\xff", b"\x01\x00", b"\x63\x00", bytes(20),
        *(text.encode("utf-8", "replace") for text in NASTY[:9]),
    ]
)  # fmt: skip
archives = st.sampled_from([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED]).map(zipped).flatmap(
    damaged
) | st.lists(signs | st.binary(max_size=12), max_size=30).map(b"".join)


@st.composite
def overwritten(draw: st.DrawFn) -> bytes:
    """Return an archive in whose structures a few fields have other values."""
    data = bytearray(zipped(draw(st.sampled_from([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED]))))
    heads = [at for at in range(len(data)) if data[at : at + 2] == b"PK"]
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.sampled_from(heads)) + draw(st.integers(0, 45))
        new = draw(signs)
        data[at : at + len(new)] = new
    return bytes(data)


@tries(150)
@given(archives | overwritten())
@example(zipped(zipfile.ZIP_STORED))
def test_an_archive_is_read_or_refused(data: bytes) -> None:
    """Each of its files, too; what is saved is the whole file or nothing, and only there."""
    with tempfile.TemporaryDirectory() as name, tempfile.TemporaryFile() as file, in_time(4):
        folder = Path(name)
        file.write(data)
        try:
            archive = JobArchive(file)
        except PlatuiError as error:
            check_error(error)
            return
        for cell in (cell for one in archive.entries for cell in ARCHIVE_FILES.cells(one)):
            check_cell(cell)
        for entry in archive.entries:
            check_entry(archive, entry.name, folder)


def check_entry(archive: JobArchive, name: str, folder: Path) -> None:
    """Check that reading and saving a file of an archive agree."""
    content: bytes | None = None
    try:
        content = archive.read(name)
    except PlatuiError as error:
        check_error(error)
    try:
        archive.save(name, folder / "saved", replace=True)
    except PlatuiError as error:
        check_error(error)
        assert content is None
    else:
        assert (folder / "saved").read_bytes() == content
        (folder / "saved").unlink()
    assert list(folder.iterdir()) == []
