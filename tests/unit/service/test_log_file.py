"""A log from a file or a pipe: its end first, then all of it, then what is added."""

from __future__ import annotations

import errno
import os
import sys
from typing import TYPE_CHECKING

import pytest
from tests.support.service import viewing_any

from platui.core.clock import SystemClock
from platui.core.errors import FileReadError
from platui.core.open_file import OpenFile
from platui.logs.preview import MIN_PREVIEW_BYTES
from platui.models.values.log import LogState
from platui.service.logs import file as log_file
from platui.service.logs.file import FileFeed, follow_file

if TYPE_CHECKING:
    from pathlib import Path

    from platui.models.values.log import LogFeed, LogUpdate

LINE = b"\x1b[32mline\x1b[0m %07d\n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a file with three lines."""
    path = tmp_path / "job.log"
    path.write_bytes(b"one\ntwo\nthree")
    return path


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_file, "QUICK", 0.01)
    monkeypatch.setattr(log_file, "CALM", 0.02)


def following(path: Path) -> LogFeed:
    """Return the feed of a file that is expected to grow."""
    return follow_file(path, SystemClock(), follow=True)


def lines(update: LogUpdate) -> list[str]:
    """Return every line of a document."""
    return [update.document.text(y) for y in range(update.document.line_count)]


async def test_a_saved_log_is_there_and_ends(path: Path) -> None:
    """Whole at once, and nothing more is expected of it."""
    async with viewing_any(follow_file(path, SystemClock())) as viewer:
        update = await viewer.until(lambda u: u.state is LogState.ENDED)
        assert lines(update) == ["one", "two", "three"]
        assert update.is_current
        assert len(viewer.seen) == 1


async def test_a_saved_log_that_was_written_on_is_whole_at_the_next_look(path: Path) -> None:
    """Its last line too, which has no end."""
    feed = follow_file(path, SystemClock())
    async with viewing_any(feed) as viewer:
        await viewer.until(lambda u: u.state is LogState.ENDED)
        with path.open("ab") as file:
            file.write(b" and\nsection_start:1:four")
        feed.refresh()
        update = await viewer.until(lambda u: u.document.line_count > 3)
        assert lines(update) == ["one", "two", "three and", "four"]


async def test_a_line_of_a_saved_log_that_goes_on_is_one_line(path: Path) -> None:
    """Its stamp says so, when the line was taken for complete."""
    stamp = b"2026-09-25T07:33:00.992977Z 00O"
    path.write_bytes(stamp + b" one\n")
    feed = follow_file(path, SystemClock())
    async with viewing_any(feed) as viewer:
        ended = await viewer.until(lambda u: u.state is LogState.ENDED)
        assert lines(ended) == ["one"]
        with path.open("ab") as file:
            file.write(stamp + b"+and more\n" + stamp + b" two\n")
        feed.refresh()
        await viewer.until(lambda u: lines(u) == ["oneand more", "two"])


async def test_a_saved_log_that_grows_is_noticed_and_followed_when_it_is_wanted(path: Path) -> None:
    """What was added is counted and not read; then it is read, and all that comes."""
    feed = follow_file(path, SystemClock())
    assert isinstance(feed, FileFeed)
    async with viewing_any(feed) as viewer:
        await viewer.until(lambda u: u.state is LogState.ENDED)
        with path.open("ab") as file:
            file.write(b"\nfour\n")
        update = await viewer.until(lambda u: u.unread > 0)
        assert (update.unread, update.state) == (6, LogState.ENDED)
        assert lines(update) == ["one", "two", "three"]
        feed.go_on()
        update = await viewer.until(lambda u: u.state is LogState.FOLLOWING)
        assert (update.unread, lines(update)) == (0, ["one", "two", "three", "four"])
        with path.open("ab") as file:
            file.write(b"five\n")
        await viewer.until(lambda u: u.document.line_count == 5)


async def test_a_saved_log_is_followed_before_it_grows(path: Path) -> None:
    """That it is, is told at once."""
    feed = follow_file(path, SystemClock())
    assert isinstance(feed, FileFeed)
    async with viewing_any(feed) as viewer:
        await viewer.until(lambda u: u.state is LogState.ENDED)
        feed.go_on()
        update = await viewer.until(lambda u: u.state is LogState.FOLLOWING)
        assert lines(update) == ["one", "two", "three"]


async def test_the_end_of_a_long_one_is_shown_first(path: Path) -> None:
    """As a document of its own, whose lines stand in the whole where it says."""
    count = MIN_PREVIEW_BYTES // 20
    path.write_bytes(b"".join(LINE % number for number in range(count)))
    async with viewing_any(follow_file(path, SystemClock())) as viewer:
        whole = await viewer.until(lambda u: u.state is LogState.ENDED)
        first = viewer.seen[0]
        assert (first.state, first.is_tail, first.is_current) == (LogState.OPENING, True, False)
        assert (whole.is_tail, whole.reset, whole.document.line_count) == (False, False, count)
        shown = first.document.line_count
        assert whole.shift == count - shown
        for y in (0, shown // 2, shown - 1):
            assert first.document.spans(y) == whole.document.spans(whole.shift + y)


async def test_what_is_added_is_shown(path: Path) -> None:
    """The same document grows, and looking again goes on with it."""
    feed = following(path)
    async with viewing_any(feed) as viewer:
        first = await viewer.until(lambda u: u.state is LogState.FOLLOWING)
        with path.open("ab") as file:
            file.write(b" and more\nfour\n")
        grown = await viewer.until(lambda u: u.document.line_count == 4)
        assert grown.document is first.document
        assert lines(grown) == ["one", "two", "three and more", "four"]
        assert grown.last_growth is not None
    with path.open("ab") as file:
        file.write(b"five\n")
    async with viewing_any(feed) as viewer:
        again = await viewer.until(lambda u: u.document.line_count == 5)
        assert again.document is first.document


@pytest.mark.parametrize("follow", [True, False])
@pytest.mark.parametrize("content", [b"", b"one\ntw", b"ONE\ntwo\nthree and more", b"other\n" * 9])
async def test_a_file_that_was_written_anew_is_a_reset(
    path: Path, content: bytes, *, follow: bool
) -> None:
    """Cut, or with another beginning; nothing of before is left."""
    async with viewing_any(follow_file(path, SystemClock(), follow=follow)) as viewer:
        first = await viewer.until(lambda u: u.state is not LogState.OPENING)
        path.write_bytes(content)
        anew = await viewer.until(lambda u: u.reset and u.document.size == len(content))
        assert anew.document is not first.document
        assert lines(anew) == content.decode().splitlines()


async def test_a_file_of_that_name_that_is_another_one_is_a_reset(path: Path) -> None:
    """As when logs are rotated: by its number, whatever it holds; the gap is told."""
    async with viewing_any(following(path)) as viewer:
        await viewer.until(lambda u: u.state is LogState.FOLLOWING)
        path.rename(path.with_name("job.log.1"))
        gone = await viewer.until(lambda u: u.error is not None)
        assert "No such file" in str(gone.error)
        assert lines(gone) == ["one", "two", "three"]
        path.write_bytes(b"one\ntwo\nthree\nfour\n")
        back = await viewer.until(lambda u: u.reset)
        assert back.error is None
        assert lines(back)[-1] == "four"


async def test_what_was_written_before_a_file_was_rotated_is_told(path: Path) -> None:
    """Between two checks: its last lines first, then the file that has its name now."""
    feed = following(path)
    async with viewing_any(feed) as viewer:
        await viewer.until(lambda u: u.state is LogState.FOLLOWING)
        feed.hold(held=True)
        with path.open("ab") as file:
            file.write(b"\nfour\nfive")
        path.rename(path.with_name("job.log.1"))
        path.write_bytes(b"another\n")
        feed.refresh()
        old = await viewer.until(lambda u: u.document.line_count == 5)
        assert not old.reset
        assert lines(old) == ["one", "two", "three", "four", "five"]
        assert old.document.settled_count == 5
        feed.hold(held=False)
        feed.refresh()
        new = await viewer.until(lambda u: u.reset)
        assert lines(new) == ["another"]


@pytest.mark.parametrize("follow", [False, True])
async def test_a_file_whose_handle_is_stale_is_opened_again(
    path: Path, monkeypatch: pytest.MonkeyPatch, *, follow: bool
) -> None:
    """A network file system has forgotten it; what was read stays."""
    feed = follow_file(path, SystemClock(), follow=follow)
    assert isinstance(feed, FileFeed)
    stale = feed._file

    def status(file: OpenFile) -> os.stat_result:
        if file is stale:
            raise OSError(errno.ESTALE, os.strerror(errno.ESTALE))
        return os.fstat(file.fileno())

    async with viewing_any(feed) as viewer:
        first = await viewer.until(lambda u: u.is_current)
        path.unlink()
        monkeypatch.setattr(OpenFile, "status", property(status))
        feed.refresh()
        failed = await viewer.until(lambda u: u.error is not None)
        assert failed.document is first.document
        path.write_bytes(b"another\n")
        await viewer.until(lambda u: u.error is None and lines(u) == ["another"])


async def test_held_it_looks_only_when_it_is_told_to(path: Path) -> None:
    """A view that is not shown costs nothing."""
    feed = following(path)
    async with viewing_any(feed) as viewer:
        await viewer.until(lambda u: u.state is LogState.FOLLOWING)
        feed.hold(held=True)
        with path.open("ab") as file:
            file.write(b"\nfour\n")
        feed.refresh()
        grown = await viewer.until(lambda u: u.document.line_count == 4)
        assert lines(grown)[-1] == "four"


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (bytes(range(256)) * 20, "binary"),
        ("Größe\n".encode("utf-16") * 20, "binary"),
        (b"\x7fELF\x02\x01\x01" + bytes(200), "binary"),
    ],
)
def test_what_is_no_text_is_refused(path: Path, content: bytes, says: str) -> None:
    """In a sentence, before anything is shown."""
    path.write_bytes(content)
    with pytest.raises(FileReadError, match=says):
        follow_file(path, SystemClock())


@pytest.mark.parametrize(
    "content", [b"", b"a\0b\n" * 3 + b"text\n" * 40, "Größe\n".encode("latin-1")]
)
def test_odd_text_is_text(path: Path, content: bytes) -> None:
    """NULs here and there, another encoding, nothing at all."""
    path.write_bytes(content)
    assert follow_file(path, SystemClock()) is not None


def test_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    """A folder, a name that is not there, and one that can be none."""
    for path, says in (
        (tmp_path, "is a folder"),
        (tmp_path / "nothing", "No such file"),
        (tmp_path / "a\0b", "cannot be read"),
        (tmp_path / "x\x1b[31m", "cannot be read"),
    ):
        with pytest.raises(FileReadError, match=says) as refused:
            follow_file(path, SystemClock())
        assert str(refused.value).isprintable()


async def test_what_comes_through_a_pipe_is_shown_as_it_comes(tmp_path: Path) -> None:
    """Until its writer closes it; looking again shows what came."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    feed = follow_file(pipe, SystemClock())
    writer = os.open(pipe, os.O_WRONLY)
    async with viewing_any(feed) as viewer:
        os.write(writer, b"one\ntw")
        update = await viewer.until(lambda u: u.document.line_count == 2)
        assert (update.state, lines(update)) == (LogState.FOLLOWING, ["one", "tw"])
        os.write(writer, b"o\n")
        await viewer.until(lambda u: lines(u) == ["one", "two"])
    os.write(writer, b"three")
    os.close(writer)
    async with viewing_any(feed) as viewer:
        ended = await viewer.until(lambda u: u.state is LogState.ENDED)
        assert lines(ended) == ["one", "two", "three"]


async def test_standard_input_is_a_log(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file or a device that stands there; closing theirs does not hurt ours."""
    for name, shown in ((path, ["one", "two", "three"]), ("/dev/null", [])):
        with open(name, encoding="utf-8") as file:  # noqa: ASYNC230, PTH123  (as the shell does)
            monkeypatch.setattr(sys, "__stdin__", file)
            feed = follow_file(None, SystemClock(), follow=True)
        async with viewing_any(feed) as viewer:
            ended = await viewer.until(lambda u: u.state is LogState.ENDED)
            assert lines(ended) == shown


def test_the_terminal_is_no_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever forgets the pipe is told so, in place of a program that waits for ever."""
    ours, theirs = os.openpty()
    with open(theirs, encoding="utf-8") as terminal:  # noqa: PTH123  (a descriptor)
        monkeypatch.setattr(sys, "__stdin__", terminal)
        with pytest.raises(FileReadError, match="terminal"):
            follow_file(None, SystemClock())
    os.close(ours)
    monkeypatch.setattr(sys, "__stdin__", None)
