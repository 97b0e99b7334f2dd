"""The memory of large responses is given back when they are freed."""

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


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another C library")
def test_freed_responses_leave_no_memory_between_their_records() -> None:
    """In a fresh interpreter, as the library keeps what it is told."""
    ran = subprocess.run(
        [sys.executable, "-c", _SCRIPT], capture_output=True, text=True, check=True, timeout=60
    )
    megabytes, pages = map(int, ran.stdout.split())
    assert megabytes < 10, "MB are still resident"
    assert pages < 1_000, "smaller blocks are returned, too"
