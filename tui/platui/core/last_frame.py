"""The last frame of the dashboard as terminal output, which the next start shows at once.

Imported before everything else, so it imports nothing that takes time: no typing, pathlib, json.
"""

from __future__ import annotations

import os
import stat
from binascii import crc32

TYPE_CHECKING = False  # The constant of typing, whose import takes 2 ms
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    Size = tuple[int, int]  # Columns and lines

FRAMES, SUFFIX = "frames", ".frame"  # Folder of the state, and end of its files
_FORMAT = b"platui frame 1"
_LARGEST = 1_000_000  # Bytes above which a file is invalid
_MOST = 8  # Files; the oldest are deleted
_PREFIXES = ("PLATUI_", "XDG_", "LC_", "TERM", "COLOR", "CLICOLOR", "TEXTUAL")
_NAMES = frozenset(
    {"HOME", "LANG", "TZ", "NO_COLOR", "ESCDELAY", "CI_SERVER_URL", "TEXTUAL_DISABLE_KITTY_KEY"}
)
_MULTIPLEXERS = ("TMUX", "STY")  # Set by tmux and GNU screen; the values name a session
_SECRET = ("TOKEN", "KEY", "SECRET", "PASS")
_OF_SESSION = frozenset(
    {"TERM_SESSION_ID", "TERMINATOR_UUID", "XDG_SESSION_ID", "XDG_VTNR", "XDG_SEAT"}
)
"""Variables that differ from login to login, or from window to window."""


class LastFrame:
    """A frame as output."""

    def __init__(self, shown: bytes, restored: bytes, cells: bytes, *, dark: bool) -> None:
        """Take what to write, at the start and if no app follows.

        `cells` is what the terminal shows then, as JSON; `dark` whether its background was dark.
        """
        self.shown, self.restored, self.cells, self.dark = shown, restored, cells, dark


class LastFrames:
    """The frames of starts with the same arguments and environment, one per terminal size."""

    def __init__(self, arguments: Sequence[str], environ: Mapping[str, str], version: str) -> None:
        self._folder = frames_folder(environ)
        named = (f"{name}={value}" for name, value in sorted(environ.items()) if _matters(name))
        inside = (name for name in _MULTIPLEXERS if environ.get(name))
        self._key = "\n".join((version, *arguments, "", *named, *inside))

    def load(self, size: Size) -> LastFrame | None:
        """Return the frame of this size; None: none is stored, or its configuration changed."""
        key = self._key_of(size)
        try:
            for path in self._paths(key):
                return _read(path, key)
        except (OSError, ValueError):
            pass  # missing, damaged, or of another version: start without it
        return None

    def delete(self, size: Size) -> None:
        """Delete the frame of this size. Raises OSError."""
        for path in self._paths(self._key_of(size)):
            os.unlink(path)  # noqa: PTH108  (no pathlib yet)

    def save(self, owner: str, size: Size, frame: LastFrame, depends_on: Iterable[Path]) -> None:
        """Replace the frame of this size. Raises OSError.

        `owner`: stem of the profile's files; `depends_on`: files whose change makes it invalid.
        """
        from pathlib import Path  # noqa: PLC0415  (not before the first frame)

        from platui.core.paths import write_private  # noqa: PLC0415  (the same)

        key = self._key_of(size)
        files = "\n".join(state_of(str(path)) for path in depends_on)
        dark = b"dark" if frame.dark else b"light"
        parts = (key, os.fsencode(files), frame.shown, frame.restored, frame.cells, dark)
        body = b"".join(parts)
        lengths = b" ".join(b"%d" % len(part) for part in parts)
        path = Path(self._folder) / f"{owner}{_end_of(key)}"
        write_private(path, b"%s %d %s\n%s" % (_FORMAT, crc32(body), lengths, body), durable=False)
        for other in self._paths(key):
            if not other.endswith(f"/{path.name}"):  # of another profile: `load` reads one
                os.unlink(other)  # noqa: PTH108  (no pathlib at the start)
        for old in sorted(path.parent.glob(f"*{SUFFIX}"), key=_changed_at)[:-_MOST]:
            old.unlink(missing_ok=True)

    def _paths(self, key: bytes) -> list[str]:
        end = _end_of(key)
        names = os.listdir(self._folder)  # noqa: PTH208  (no pathlib yet)
        return [f"{self._folder}/{name}" for name in names if name.endswith(end)]

    def _key_of(self, size: Size) -> bytes:
        return os.fsencode(f"{self._key}\n{size[0]}x{size[1]}")


def frames_folder(environ: Mapping[str, str]) -> str:
    base = environ.get("XDG_STATE_HOME", "").strip() or os.path.expanduser("~/.local/state")  # noqa: PTH111  (no pathlib yet)
    return f"{base}/platui/{FRAMES}"


def _matters(name: str) -> bool:
    """Return whether a variable decides what the first frame shows; a secret never does."""
    if name in _NAMES:
        return True
    if name in _OF_SESSION or any(word in name for word in _SECRET):
        return False
    return name.startswith(_PREFIXES)


def _end_of(key: bytes) -> str:
    return f".{crc32(key):08x}{SUFFIX}"


def _read(path: str, key: bytes) -> LastFrame | None:
    """Return the frame in a file. Raises OSError or ValueError: unreadable or damaged."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOFOLLOW)
    try:
        status = os.fstat(descriptor)
        is_private = status.st_uid == os.geteuid() and not status.st_mode & 0o077
        if not stat.S_ISREG(status.st_mode) or not is_private or status.st_size > _LARGEST:
            return None
        content = os.read(descriptor, _LARGEST)
    finally:
        os.close(descriptor)
    head, _, body = content.partition(b"\n")
    if not head.startswith(_FORMAT + b" "):
        return None
    checksum, *lengths = map(int, head[len(_FORMAT) :].split())
    if checksum != crc32(body) or sum(lengths) != len(body):
        return None
    stored_key, files, shown, restored, cells, dark = _parts(body, lengths)
    if stored_key != key:
        return None
    for line in os.fsdecode(files).splitlines():
        if line != state_of(line.split(" ", 3)[-1]):
            return None
    return LastFrame(shown, restored, cells, dark=dark == b"dark")


def _parts(body: bytes, lengths: Iterable[int]) -> Iterator[bytes]:
    start = 0
    for length in lengths:
        yield body[start : start + length]
        start += length


def state_of(path: str) -> str:
    """Return a line that changes whenever the file does."""
    try:
        found = os.stat(path)  # noqa: PTH116  (no pathlib yet)
    except OSError:
        return f"0 0 0 {path}"
    return f"{found.st_mtime_ns} {found.st_size} {found.st_ino} {path}"


def _changed_at(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:  # deleted meanwhile
        return 0.0
