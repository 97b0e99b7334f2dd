"""Freed memory is given back, and shared by all threads."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

_SCRIPT = """
import resource
from pathlib import Path
from platui.api.address import project_address
from platui.api.transport import Credential, open_client

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4 // 1024

open_client(project_address("http://127.0.0.1:9"), Credential("PRIVATE-TOKEN", None))
before = resident()
bytearray(20_000_000)  # By default, the library keeps all up to this size from now on
bodies, records = [], []
for _ in range(5):
    bodies.append(bytearray(20_000_000))
    records.append(bytes(2_000))
bodies.clear()
print(resident() - before)

for number in range(100):
    if number == 1:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    bytearray(1_000_000)
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


_THREADS = """
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from platui.core.memory import share_free_memory

if sys.argv[1] == "shared":
    share_free_memory()
together = Barrier(4)

def allocate():
    together.wait(20)
    return bytes(50_000)

with ThreadPoolExecutor(4) as pool:
    kept = [one.result() for one in [pool.submit(allocate) for _ in range(4)]]
    print(sum("---p" in line for line in Path("/proc/self/maps").read_text().splitlines()))
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another C library")
def test_freed_responses_leave_no_memory_between_their_records() -> None:
    """In a fresh interpreter, as the library keeps what it is told."""
    ran = subprocess.run(
        [sys.executable, "-c", _SCRIPT], capture_output=True, text=True, check=True, timeout=60
    )
    megabytes, pages = map(int, ran.stdout.split())
    assert megabytes < 10, "MB are still resident"
    assert pages < 1_000, "smaller blocks are returned, too"


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another C library")
def test_threads_allocate_from_one_arena() -> None:
    """Each further arena reserves addresses that have no access yet."""
    reserved = [
        int(subprocess.check_output([sys.executable, "-c", _THREADS, how], text=True, timeout=60))
        for how in ("shared", "apart")
    ]
    assert reserved[0] < reserved[1]
