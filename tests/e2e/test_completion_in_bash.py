"""The completion script, evaluated by a real bash."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

from tests.support.session import at_home

if TYPE_CHECKING:
    from pathlib import Path

_ASK = """
source <("$1" completion bash) || exit 9
shift
COMP_WORDS=("$@")
COMP_CWORD=$(( $# - 1 ))
_platui
printf '%s\\n' "${COMPREPLY[@]}"
complete -p platui
"""


def test_bash_is_offered_words(tmp_path: Path) -> None:
    """An option's value, with the program that stands on the line asked for it."""
    program = tmp_path / "platui"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m platui "$@"\n')
    program.chmod(0o700)
    typed = [str(program), "pipelines", "etl", "--status", "fa"]
    done = subprocess.run(
        ["bash", "--norc", "-c", _ASK, "bash", str(program), *typed],
        env={**os.environ, **at_home(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
        timeout=30,
    )
    assert done.stdout.splitlines() == ["failed", "complete -F _platui platui"]
    assert done.stderr == ""
