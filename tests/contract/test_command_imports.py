"""What a command imports, seen in the real program: a tenth of a second is soon imported."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui_emulator.server import RunningEmulator

_RUN = """
import sys
from platui.cli.main import run

code = run()
print(*(name for name, module in sys.modules.items() if module), file=sys.stderr)
sys.exit(code)
"""

_WITHOUT_CLICK = ("platui.config", "platui.service", "click", "dataclasses", "pathlib", "asyncio")

_NOT_FOR_A_LIST = (
    "keyring", "msgspec", "platui.analysis.errors", "platui.analysis.triage",
    "platui.api.admin_api", "platui.api.write_guard",
    "platui.api.write_sender", "platui.logs", "platui.models.values.triage",
    "platui.models.values.triage_board", "platui.models.values.writes",
    "platui.models.wire.tests", "platui.report", "platui.service.feeds.polled",
    "platui.service.files",
    "platui.service.local_state", "platui.service.logs", "platui.service.tests",
    "platui.service.triage", "platui.service.writes", "platui.ui.addresses", "regex", "rich",
    "starlette", "statistics", "textual", "uvicorn",
)  # fmt: skip


def loaded_by(*words: str, **environ: str) -> set[str]:
    """Return the modules that the program has loaded when the command ends."""
    ended = subprocess.run(
        [sys.executable, "-c", _RUN, *words],
        env={**os.environ, **environ},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    return set(ended.stderr.splitlines()[-1].split())


def among(loaded: set[str], unwanted: Sequence[str]) -> list[str]:
    """Return what is of the unwanted packages."""
    return sorted(name for name in loaded if name.startswith(tuple(f"{one}." for one in unwanted))
                  or name in unwanted)  # fmt: skip


@pytest.mark.parametrize(
    "words", [("--version",), ("--help",), ("completion", "words", "pi")], ids=" ".join
)
def test_version_help_and_the_first_word_of_a_completion_need_no_click(
    words: tuple[str, ...],
) -> None:
    """Nor the configuration: what a shell asks at each tab must come at once."""
    assert among(loaded_by(*words), _WITHOUT_CLICK) == []


@pytest.mark.variants("default", reason="imports are the same on every platform")
@pytest.mark.parametrize(
    ("words", "other"),
    [
        (("pipelines", "{project}"), ("projects", "schedules", "jobs", "files")),
        (("jobs", "{project}"), ("projects", "schedules", "files")),
        (("projects", "--limit", "3"), ("pipelines", "jobs", "files")),
    ],
    ids=["pipelines", "jobs", "projects"],
)
def test_a_list_imports_what_it_shows(
    platform: RunningEmulator, words: tuple[str, ...], other: tuple[str, ...]
) -> None:
    """No triage, no logs, no writes, and no records of other endpoints."""
    typed = [word.format(project=platform.project) for word in words]
    environ = {"PLATUI_URL": platform.base_url, "PLATUI_TOKEN": platform.token}
    loaded_by(*typed, **environ)  # the first of a day cleans up as well
    loaded = loaded_by(*typed, **environ)
    assert {"httpx", "pydantic"} <= loaded
    records = [f"platui.models.wire.{one}" for one in other]
    assert among(loaded, (*_NOT_FOR_A_LIST, *records)) == []
