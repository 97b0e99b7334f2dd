"""`platui emulator --help`, for somebody who sees it for the first time."""

from __future__ import annotations

from click.testing import CliRunner

from platui.cli.commands.emulator import emulator_command
from platui_emulator.faults.fault import KINDS
from platui_emulator.scenarios import SCENARIOS


def test_help_says_what_each_scenario_and_fault_is() -> None:
    """Each has a line of its own, and the way to the control desk is there."""
    lines = [
        line.split() for line in CliRunner().invoke(emulator_command, ["--help"]).stdout.split("\n")
    ]
    for scenario in SCENARIOS.values():
        assert [scenario.name, *scenario.summary.split()] in lines
    for name, kind in KINDS.items():
        assert [name, *kind.about.split()] in lines
    assert ["curl", "BASE_URL/-/emulator/"] in lines
