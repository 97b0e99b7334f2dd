"""What the runner says of its own."""

from __future__ import annotations

from typing import Final

from platui.analysis.errors.rule import Rank, Rule

_VERDICT: Final = r"^(?:ERROR|FATAL): Job failed"

RUNNER: Final = (
    Rule(
        "timeout",
        Rank.STOPPED,
        ("job failed",),
        _VERDICT + r": (?:execution took longer than|.*(?:timeout|deadline exceeded))",
        calm=True,
    ),
    Rule(
        "canceled", Rank.VERDICT, ("job failed",), _VERDICT + r": (?:canceled|aborted)", calm=True
    ),
    Rule("runner", Rank.STOPPED, ("job failed",), _VERDICT + r" \(system failure\)", calm=True),
    Rule(
        "runner",
        Rank.STOPPED,
        ("job failed",),
        _VERDICT + r": (?:failed to pull|prepare environment|adding volume|no space)",
        calm=True,
    ),
    Rule("job", Rank.VERDICT, ("job failed",), _VERDICT, calm=True),
    Rule(
        "runner",
        Rank.NOTICE,
        ("preparation failed", "failed to pull image"),
        r"(?:ERROR|WARNING): (?:Preparation failed|Failed to pull image)",
        unless=r"^WARN",
    ),
    Rule(
        "artifacts",
        Rank.TOOL,
        ("error", "fatal"),
        r"^(?:ERROR|FATAL): (?:Uploading artifacts|No files to upload)",
    ),
    Rule(
        "artifacts",
        Rank.TOOL,
        ("error", "fatal"),
        r"^(?:ERROR|FATAL): Downloading artifacts",
    ),
)
