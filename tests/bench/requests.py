"""Requests that the dashboard sends: `python -m tests.bench requests`.

The emulator counts what comes of each step within a set time after it, by kind of request, and the
bytes of its responses. Polls that fall into that time count too. The company's time stands still
but for the running log: what changes there would make each run another one. "With something new"
are all but those answered with 304.
"""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

import httpx
from tests.bench.figures import Figure, Table
from tests.bench.program import accept_watch_list, dashboard, emulator
from tests.bench.tail import running_job

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tests.bench.figures import Options
    from tests.bench.terminal import Terminal

_DOWN: Final = b"\x1b[B"
_PAGE_DOWN: Final = b"\x1b[6~"
_ENTER: Final = b"\r"
_ESCAPE: Final = b"\x1b"
_STEP: Final = 5.0
"""Seconds that count as a step's."""
_START: Final = 10.0
_LETTER: Final = 0.12
_PROJECT: Final = re.compile(r"projects/(?:\d+|[^/]*%2F[^/]*)/")
_ID: Final = re.compile(r"(?<=/)(?:\d+|[0-9a-f]{40}|[^/]*%2F[^/]*)(?=/|$)")
_API: Final = re.compile(r"^/(?:api/v4|admin/api/v1)/")
_UNCHANGED: Final = 304
_POLLS: Final = 3
"""Requests by which steps differ, as polls fall into one step or into the next."""
_SIZE: Final = 10
"""Kilobytes by which they differ."""


@dataclass
class Sent:
    """What was requested in a step."""

    kinds: Counter[str] = field(default_factory=Counter)
    unchanged: int = 0
    size: int = 0

    @classmethod
    def of(cls, entries: Iterable[Mapping[str, Any]]) -> Self:
        """Return the sums of entries of the emulator's journal."""
        sent = cls()
        for entry in entries:
            sent.kinds[kind(entry["path"])] += 1
            sent.unchanged += entry["status"] == _UNCHANGED
            sent.size += entry["size"]
        return sent


def kind(path: str) -> str:
    """Return what a path requests, without which one of them."""
    plain = _API.sub("", path.partition("?")[0])
    return _ID.sub(":id", _PROJECT.sub("", plain))


class Journal:
    """Takes what the emulator has heard, step by step."""

    def __init__(self, platform: Mapping[str, str], client: httpx.Client) -> None:
        self._url = f"{platform['base_url']}/-/emulator/requests"
        self._client = client
        self._seen: set[int] = set()

    def taken(self) -> Sent:
        """Return what has been answered since this was called before."""
        found = self._client.get(self._url).raise_for_status().json()["requests"]
        new = [entry for entry in found if entry["number"] not in self._seen]
        self._seen.update(entry["number"] for entry in new)
        return Sent.of(new)


Step = tuple[str, Sent]


def tables(options: Options) -> Iterator[Table]:
    """Count the requests of each step."""
    seconds = options.size(60, 15)
    found: dict[str, list[Sent]] = {}
    for _ in range(options.turns(1)):
        for name, sent in (*steps(seconds), *running_log(seconds)):
            found.setdefault(name, []).append(sent)
    for name, turns in found.items():
        yield table(name, turns)


def table(name: str, turns: Iterable[Sent]) -> Table:
    """Return the figures of a step."""
    turns = list(turns)
    counts = {
        "all": [sent.kinds.total() for sent in turns],
        "with something new": [sent.kinds.total() - sent.unchanged for sent in turns],
    }
    for one in sorted({one for sent in turns for one in sent.kinds}):
        counts[f"  {one}"] = [sent.kinds[one] for sent in turns]
    size = Figure("responses", "kB", None, [sent.size / 1000 for sent in turns], chance=_SIZE)
    return Table(
        f"Requests, {name}",
        [
            *(
                Figure(name, "requests", None, [*count], chance=_POLLS)
                for name, count in counts.items()
            ),
            size,
        ],
    )


def steps(seconds: float) -> Iterator[Step]:
    """Walk through the views, from the first start on."""
    with (
        emulator("--speed", "0", "--rate-limit", "100000") as platform,
        httpx.Client(trust_env=False) as client,
        tempfile.TemporaryDirectory() as folder,
    ):
        home, journal = Path(folder), Journal(platform, client)
        with dashboard(platform, home) as terminal:
            accept_watch_list(terminal)
            terminal.listen(_START)
            yield "start with an empty cache", journal.taken()
            _quit(terminal)
        with dashboard(platform, home) as terminal:
            terminal.listen(_START)
            yield "start with a cache", journal.taken()
            terminal.listen(seconds)
            yield f"board at rest for {seconds:g} s", journal.taken()
            for name, keys in (
                ("a finished log, from the board", [_ENTER]),
                ("back to the board", [_ESCAPE]),
                ("projects", [b":projects\r"]),
                ("letters after :", [b":", *(letter.encode() for letter in "ledger")]),
                ("pipelines", [_ESCAPE, _ENTER]),
                ("preview, next row", [_DOWN]),
                ("preview, ten rows in haste", [_DOWN] * 10),
                ("five pages of pipelines", [_PAGE_DOWN] * 5),
                ("jobs", [_ENTER]),
                ("access report", [b":access\r", b"r"]),
            ):
                for key in keys:
                    terminal.write(key)
                    terminal.listen(_LETTER)
                terminal.listen(_STEP)
                yield name, journal.taken()
            _quit(terminal)


def running_log(seconds: float) -> Iterator[Step]:
    """Follow a log that grows by ten lines a second."""
    with (
        emulator(
            *("--scenario", "huge-log", "--log-bytes", "1000000"),
            *("--rate-limit", "100000", "--lines-per-second", "10"),
        ) as platform,
        httpx.Client(trust_env=False) as client,
        tempfile.TemporaryDirectory() as home,
    ):
        job, journal = running_job(platform), Journal(platform, client)
        journal.taken()
        with dashboard(platform, Path(home), job.url) as terminal:
            terminal.wait_for("following", limit=30)
            terminal.listen(seconds)
            yield f"a running log for {seconds:g} s", journal.taken()


def _quit(terminal: Terminal) -> None:
    terminal.write(b":q\r")
    terminal.wait_end()
