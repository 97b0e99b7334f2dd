"""Whether an installation has its bytecode."""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING

from platui.cli.commands.doctor.finding import Level
from platui.cli.commands.doctor.machine import check_bytecode

if TYPE_CHECKING:
    from pathlib import Path


def loaded(name: str, cached: Path | None) -> ModuleType:
    """Return a module as Python leaves it, with the place of its bytecode."""
    module = ModuleType(name)
    vars(module)["__cached__"] = None if cached is None else str(cached)
    return module


def test_modules_that_each_start_compiles_are_counted(tmp_path: Path) -> None:
    """Only ours; a checkout is its owner's business, and a module without a file has none."""
    folder = tmp_path / "platui"
    there, missing = tmp_path / "there.pyc", tmp_path / "missing.pyc"
    there.touch()
    modules = [
        loaded("platui", there),
        loaded("platui.core", missing),
        loaded("platui.cli", missing),
        loaded("platui.built", None),
        loaded("platuis", missing),
        loaded("other.platui", missing),
        None,  # how Python is told not to import a module
    ]
    assert check_bytecode(modules, folder) == []
    (folder / "themes").mkdir(parents=True)
    (finding,) = check_bytecode(modules, folder)
    assert finding.level is Level.WARNING
    assert finding.facts == {"missing": 2, "folder": str(folder)}
    assert "2 modules of platui" in finding.what
    assert "--compile-bytecode" in finding.remedy
    assert check_bytecode([loaded("platui", there)], folder) == []
