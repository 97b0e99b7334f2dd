"""The completion script, read by a real zsh in both of the ways that its help names."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from tests.support.session import at_home

if TYPE_CHECKING:
    from pathlib import Path

_BEFORE = """
program=$1
_describe() { print -l -- "${found[@]}" }
compdef() { print compdef "$@" }
"""
_OF_A_FILE = """
"$program" completion zsh > _platui
fpath=("$PWD")
autoload -Uz _platui
"""
_SOURCED = """
source <("$program" completion zsh)
"""
_TAB = """
words=("$program" pipelines etl --status fa)
CURRENT=5
_platui
"""


@pytest.mark.skipif(shutil.which("zsh") is None, reason="there is no zsh on this machine")
@pytest.mark.parametrize(
    ("script", "lines"),
    [(_OF_A_FILE, ["failed"]), (_SOURCED, ["compdef _platui platui", "failed"])],
    ids=["file", "sourced"],
)
def test_the_first_tab_is_offered_words(tmp_path: Path, script: str, lines: list[str]) -> None:
    """Also where the shell reads the file only then."""
    program = tmp_path / "platui"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m platui "$@"\n')
    program.chmod(0o700)
    done = subprocess.run(
        ["zsh", "-f", "-c", _BEFORE + script + _TAB, "zsh", str(program)],
        cwd=tmp_path,
        env={**os.environ, **at_home(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )
    assert done.stdout.splitlines() == lines, done.stderr
