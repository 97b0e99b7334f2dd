"""What is closed before anything else starts."""

from __future__ import annotations

import json
import subprocess
import sys


def test_secrets_key_loggers_and_cores_are_gone_for_what_comes_later() -> None:
    """The caller keeps what was there; the process and its children don't."""
    code = """
import json, os, resource, subprocess, sys
from platui.config.environment import harden
before = harden()
child = subprocess.run(["env"], capture_output=True, text=True, check=True).stdout
print(json.dumps({
    "kept": before.get("PLATUI_TOKEN"), "own": dict(os.environ), "child": child,
    "core": resource.getrlimit(resource.RLIMIT_CORE)[0],
    "textual": [name for name in sys.modules if name.startswith("textual")],
}))
"""
    env = {
        "PLATUI_TOKEN": "hush-a", "PLATUI_ADMIN_KEY": "hush-b", "PLATUI_TRIGGER_TOKEN": "hush-c",
        "TEXTUAL_LOG": "keys.log", "PLATUI_URL": "https://h.example", "PATH": "/usr/bin:/bin",
    }  # fmt: skip
    ran = subprocess.run(
        [sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True
    )
    seen = json.loads(ran.stdout)
    assert seen["kept"] == "hush-a"
    assert "hush" not in seen["child"]
    assert "hush" not in json.dumps(seen["own"])
    assert "TEXTUAL_LOG" not in seen["own"]
    assert seen["own"]["PLATUI_URL"] == "https://h.example"
    assert seen["core"] == 0
    assert seen["textual"] == []
