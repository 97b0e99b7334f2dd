"""A second client that we did not write walks the emulator: npm's gitbeaker, on node.

Runs where the environment variable PLATUI_GITBEAKER names a folder with
`node_modules/@gitbeaker/rest` (`npm install @gitbeaker/rest@43` makes one), and node is there.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.support.platform import PlatformFactory

_WALK = Path(__file__).parents[1] / "support" / "gitbeaker.mjs"
_FOLDER = Path(os.environ.get("PLATUI_GITBEAKER", "")).absolute()
_NODE = shutil.which("node")

pytestmark = [
    pytest.mark.skipif(
        not os.environ.get("PLATUI_GITBEAKER")
        or not (_FOLDER / "node_modules" / "@gitbeaker" / "rest").is_dir(),
        reason="PLATUI_GITBEAKER names no folder with node_modules/@gitbeaker/rest",
    ),
    pytest.mark.skipif(_NODE is None, reason="there is no node"),
    pytest.mark.variants("default", reason="gitbeaker stands on the neighbours"),
]

_STEPS = 59


def test_gitbeaker_walks_through_its_operations(platform_with: PlatformFactory) -> None:
    """Every step comes back with what it should; the last takes its own token away."""
    platform = platform_with()
    said = subprocess.run(
        [str(_NODE), str(_WALK)],
        env={
            "PLATUI_GITBEAKER": str(_FOLDER),
            "HOST": platform.base_url,
            "TOKEN": platform.token,
            "PROJECT": platform.project,
            "TRIGGER": platform.trigger_token,
        },
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (said.returncode, said.stderr) == (0, "")
    told = json.loads(said.stdout)
    assert told["failed"] == []
    assert len(told["done"]) == _STEPS
    answers = platform.platform.journal.entries()
    assert {one.tokens for one in answers if one.server == "storage"} == {()}
    assert [one for one in answers if one.status >= 500] == []
