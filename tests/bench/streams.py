"""What long answers of the emulator cost: `python -m tests.bench streams`.

The log of `huge-log` and the report of `huge-report` are fetched whole. Told are the time to the
first byte, the speed beside that of a process that sends zeros over loopback, the memory that the
emulator takes for it, and how late a small request is meanwhile; of the log also a range near its
end beside one at its begin.
"""

from __future__ import annotations

import http.client
import json
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import urlsplit

import psutil
from tests.bench.figures import Comparison, Figure, Table
from tests.bench.program import emulator

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tests.bench.figures import Options

_MEGA: Final = 1e6
_READ: Final = 1 << 18
_RANGE: Final = 100_000
_SMALL: Final = "/-/emulator/report"
_PAUSE: Final = 0.005
_REFERENCE: Final = "loopback | alone"

# Reads what it is told the address and headers of, and drops it: a client without our own GIL.
_READER: Final = """
import http.client, json, sys
host, path, headers = json.loads(sys.argv[1])
connection = http.client.HTTPConnection(host)
while True:
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    while answer.read(262144):
        pass
"""
# Sends zeros to whoever connects, as fast as they are taken.
_SENDER: Final = """
import socket, sys
listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
zeros = bytes(65536)
while True:
    taker, _ = listener.accept()
    for _ in range(int(sys.argv[1]) // len(zeros)):
        taker.sendall(zeros)
    taker.close()
"""


class Address(NamedTuple):
    """Where a long answer comes from."""

    host: str
    path: str
    headers: Mapping[str, str]


class Fetched(NamedTuple):
    """How one answer came."""

    first: float
    """Seconds to the first byte of the body."""
    seconds: float
    size: int

    @property
    def speed(self) -> float:
        """Return megabytes a second."""
        return self.size / self.seconds / _MEGA


def fetch(address: Address, **headers: str) -> Fetched:
    """Read an answer to its end and drop it."""
    connection = http.client.HTTPConnection(address.host)
    start = time.perf_counter()
    connection.request("GET", address.path, headers={**address.headers, **headers})
    answer = connection.getresponse()
    size = len(answer.read(1))
    first = time.perf_counter() - start
    while chunk := answer.read(_READ):
        size += len(chunk)
    seconds = time.perf_counter() - start
    connection.close()
    return Fetched(first, seconds, size)


@contextmanager
def _reader(address: Address) -> Iterator[None]:
    """Let another process read an answer again and again."""
    process = subprocess.Popen([sys.executable, "-c", _READER, json.dumps(address)])
    try:
        yield
    finally:
        process.kill()
        process.wait()


def loopback(size: int) -> float:
    """Return the megabytes a second that another process can send us."""
    process = subprocess.Popen(
        [sys.executable, "-c", _SENDER, str(size)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        port = int(process.stdout.readline())
        return _drain(port)
    finally:
        process.kill()
        process.wait()


def _drain(port: int) -> float:
    with socket.create_connection(("127.0.0.1", port)) as connection:
        start, size = time.perf_counter(), 0
        while chunk := connection.recv(_READ):
            size += len(chunk)
        return size / (time.perf_counter() - start) / _MEGA


def small_requests(host: str, seconds: float) -> list[float]:
    """Return the milliseconds that small requests take, one after the other."""
    connection = http.client.HTTPConnection(host)
    end, taken = time.perf_counter() + seconds, []
    while time.perf_counter() < end:
        start = time.perf_counter()
        connection.request("GET", _SMALL)
        connection.getresponse().read()
        taken.append((time.perf_counter() - start) * 1000)
        time.sleep(_PAUSE)
    return taken


class Memory(threading.Thread):
    """Watches how much memory a process has at most."""

    def __init__(self, process: psutil.Process) -> None:
        super().__init__(daemon=True)
        self._process = process
        self._done = threading.Event()
        self._before = process.memory_info().rss
        self._most = self._before

    def run(self) -> None:
        """Look twenty times a second."""
        while not self._done.wait(0.05):
            self._most = max(self._most, self._process.memory_info().rss)

    def growth(self) -> float:
        """End, and return the megabytes it grew by at most."""
        self._done.set()
        self.join()
        return (self._most - self._before) / _MEGA


def _emulator_process() -> psutil.Process:
    [process] = psutil.Process().children()
    return process


def measure(address: Address, turns: int, aim: float) -> list[Figure]:
    """Fetch an answer some times; returns what it cost.

    The aim is how many megabytes a second of the emulator's processor should make and send.
    """
    plain = {"Accept-Encoding": "identity"}
    fetch(address, **plain)
    process = _emulator_process()
    memory = Memory(process)
    memory.start()
    speed = Comparison("speed", "MB/s", at_least=True)
    late = Comparison("small request, p95", "ms")
    firsts, packed, work = [], [], []
    for _ in range(turns):
        worked = sum(process.cpu_times()[:2])
        got = fetch(address, **plain)
        work.append(got.size / (sum(process.cpu_times()[:2]) - worked) / _MEGA)
        firsts.append(got.first * 1000)
        speed.add(got.speed, loopback(got.size))
        gzipped = fetch(address, **{"Accept-Encoding": "gzip"})
        packed.append(got.size / gzipped.seconds / _MEGA)
        alone = small_requests(address.host, 1)
        with _reader(address._replace(headers={**address.headers, **plain})):
            time.sleep(0.5)
            busy = small_requests(address.host, 2)
        late.add(sorted(busy)[len(busy) * 95 // 100], sorted(alone)[len(alone) * 95 // 100])
    return [
        speed,
        late,
        Figure("first byte", "ms", None, firsts),
        Figure("work", "MB/s", aim, work, at_least=True),
        Figure("gzipped", "MB/s", None, packed, at_least=True),
        Figure("memory, more", "MB", 30, [memory.growth()]),
    ]


def ranges(address: Address, size: int, turns: int) -> Figure:
    """Ask for parts near the end and at the begin."""
    parts = Comparison("range at 90 % | at 0 %", "ms", aim=2)
    for _ in range(turns * 10):
        times = [
            fetch(address, Range=f"bytes={start}-{start + _RANGE - 1}").seconds * 1000
            for start in (size * 9 // 10, 0)
        ]
        parts.add(*times)
    return parts


def log_address(platform: Mapping[str, str]) -> tuple[Address, int]:
    """Return where the finished long log is, and its size."""
    host = urlsplit(platform["base_url"]).netloc
    connection = http.client.HTTPConnection(host)
    connection.request("GET", "/-/emulator/logs")
    [log] = json.load(connection.getresponse())["logs"]
    path = f"/api/v4/projects/{log['project_id']}/jobs/{log['job_id']}/trace"
    return Address(host, path, {"PRIVATE-TOKEN": platform["token"]}), log["size"]


def tables(options: Options) -> Iterator[Table]:
    """Measure both scenarios."""
    turns = options.turns(3)
    log_bytes = options.size(100_000_000, 20_000_000)
    users = options.size(50_000, 10_000)
    free = ("--rate-limit", "1000000")
    with emulator("--scenario", "huge-log", "--log-bytes", str(log_bytes), *free) as one:
        address, size = log_address(one)
        found = [*measure(address, turns, aim=100), ranges(address, size, turns)]
        yield Table(f"A log of {log_bytes / _MEGA:,.0f} MB", found, "emulator", _REFERENCE)
    with emulator("--scenario", "huge-report", "--report-users", str(users), *free) as other:
        key = {"Authorization": f"Bearer {other['admin_key']}"}
        host = urlsplit(other["base_url"]).netloc
        address = Address(host, "/admin/api/v1/reporting/report", key)
        found = measure(address, turns, aim=25)
        yield Table(f"A report of {users:,} users", found, "emulator", _REFERENCE)
