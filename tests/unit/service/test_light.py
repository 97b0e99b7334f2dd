"""The door of the service costs nothing before the first frame."""

from __future__ import annotations

import subprocess
import sys

HEAVY = ("httpx", "pydantic", "sqlite3", "click", "textual", "platui.api", "platui.models.wire")

OPENED = f"""
import asyncio, sys
before = set(sys.modules)
from platui.service import PlatformService, resources
from platui.config.profile import Profile
from platui.config.settings import Settings
from platui.ui.addresses import route_of
service = PlatformService(Profile("test", "https://data.example.com"), Settings())
service.local_state.saved_route()
service.triage_state.memory.value
route_of("https://data.example.com/acme/etl/-/pipelines/7", service.profile.url)
service.watch(resources.projects.namespaces()).load_all()
heavy = [name for name in {HEAVY!r} if name in sys.modules]
# asyncio itself imports ssl; no more than that may come.
print(*heavy, *({{"ssl", "_ssl"}} & (set(sys.modules) - before)))
"""


def test_opening_the_service_imports_nothing_heavy() -> None:
    """Reading what the first frame needs comes before httpx, pydantic and SQLite."""
    done = subprocess.run(
        [sys.executable, "-c", OPENED], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == ""
