"""What importing a package costs: looked at in a fresh interpreter, where lazy imports show."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import platui
from platui.ui.terminal.app import TerminalApp
from platui.ui.terminal.unused_textual import COMMAND_PALETTE

_ROOT = Path(platui.__file__).parents[1]

HEAVY = frozenset(
    {
        "asyncio", "click", "cronsim", "cryptography", "email", "h11", "httpcore", "httpx",
        "keyring", "msgspec", "pydantic", "pydantic_core", "regex", "rich",
        "sqlite3", "ssl", "starlette", "textual", "tomli_w", "uvicorn",
    },
)  # fmt: skip

ALLOWED: dict[str, frozenset[str]] = {
    "platui": frozenset(),
    "platui.core.clock": frozenset({"asyncio", "ssl"}),  # asyncio brings it
    "platui.core.errors": frozenset(),
    "platui.core.locks": frozenset(),
    "platui.core.observers": frozenset(),
    "platui.core.paths": frozenset(),
    "platui.core.secrets": frozenset(),
    "platui.core.text": frozenset(),
    "platui.models": frozenset(),
    "platui.models.values.feeds": frozenset(),
    "platui.models.values.routes": frozenset(),
    "platui.models.values.table": frozenset(),
    "platui.models.wire": frozenset({"pydantic", "pydantic_core", "email"}),
    "platui.config": frozenset(),
    "platui.config.load": frozenset(),
    "platui.config.credentials": frozenset(),
    "platui.logs": frozenset(),
    "platui.report.importing": frozenset({"asyncio", "ssl"}),
    "platui.report.saved_report": frozenset(),
    "platui.report.worker": frozenset({"msgspec"}),
    "platui.store.saved_views": frozenset(),
    "platui.store.pages": frozenset({"sqlite3"}),
    "platui.store.triage": frozenset(),
    "platui.api": frozenset(),
    "platui.api.transport": frozenset({"asyncio", "email", "h11", "httpcore", "httpx", "ssl"}),
    "platui.analysis.schedules.cron": frozenset(),
    "platui.analysis.schedules.due_times": frozenset(),
    "platui.present.chrome": frozenset(),
    "platui.present.triage.handoff": frozenset(),
    "platui.present.jobs": frozenset(),
    "platui.present.triage.notices": frozenset(),
    "platui.present.pipelines": frozenset(),
    "platui.present.projects": frozenset(),
    "platui.service": frozenset({"asyncio", "ssl"}),
    "platui.service.access.reports": frozenset({"asyncio", "ssl"}),
    "platui.cli": frozenset(),
    "platui.cli.options": frozenset(),
    "platui.cli.main": frozenset(),
    "platui.cli.commands.completion": frozenset({"click"}),
    "platui.cli.commands.config.command": frozenset({"click"}),
    "platui.cli.commands.config.check": frozenset({"ssl"}),
    "platui.cli.commands.config.show": frozenset(),
    "platui.cli.commands.docs": frozenset({"click"}),
    "platui.cli.commands.keys": frozenset({"click"}),
    "platui.cli.output.stdout": frozenset(),
    "platui.cli.commands.report.command": frozenset({"click"}),
    "platui.cli.commands.triage.command": frozenset({"click"}),
    "platui.cli.commands.report.show": frozenset({"asyncio", "ssl"}),
}


def loaded_after(statements: str) -> set[str]:
    """Return the modules that a fresh interpreter has imported after some statements."""
    code = (
        # The tree that is tested, even where another one is installed.
        f"import sys; sys.path.insert(0, {str(_ROOT)!r})\n"
        "before = set(sys.modules)\n"
        f"{statements}\n"
        "loaded = {name for name, module in sys.modules.items() if module} - before\n"
        "print(*loaded)"
    )
    answer = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, check=True, text=True
    )
    return set(answer.stdout.split())


def loaded_by(module: str) -> set[str]:
    """Return the top-level modules in a fresh interpreter that has imported one of ours."""
    return {name.partition(".")[0] for name in loaded_after(f"import {module}")}


@pytest.mark.parametrize("module", sorted(ALLOWED))
def test_importing_a_headless_package_loads_nothing_heavy_but_its_own(module: str) -> None:
    """Each package loads only the heavy modules that are its own business."""
    assert (loaded_by(module) & HEAVY) - ALLOWED[module] == set()


def test_the_dashboard_imports_nothing_for_the_command_palette_of_textual() -> None:
    """Its trees, selects and option lists would be 7 % of the start; no app of ours has it."""
    loaded = loaded_after("from platui.cli.app_runner import import_app; import_app()")
    assert {"platui.ui.app", COMMAND_PALETTE} <= loaded
    assert not loaded & {"textual.types", "textual.widgets._select", "textual.widgets._tree"}
    assert TerminalApp.ENABLE_COMMAND_PALETTE is False
