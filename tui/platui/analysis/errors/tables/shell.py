"""What shells, the kernel and plain commands say."""

from __future__ import annotations

from typing import Final

from platui.analysis.errors.rule import Rank, Rule

SHELL: Final = (
    Rule(
        "memory",
        Rank.CAUSE,
        ("killed", "out of memory"),
        r"\bline \d+: +\d+ Killed\b|^Killed$|\bOOMKilled\b|(?i:\bout of memory\b)|oom-kill",
    ),
    Rule(
        "crash",
        Rank.CAUSE,
        ("segmentation fault", "core dumped", "bus error"),
        r"Segmentation fault|\(core dumped\)|\bBus error\b",
    ),
    Rule("disk", Rank.CAUSE, ("no space left",), r"(?i:no space left on device)", calm=True),
    Rule(
        "shell",
        Rank.TOOL,
        ("not found",),
        r"(?:^|: )(?:\S*sh|\S+\.sh): (?:line )?(?:\d+: )?.+: (?:command )?not found|"
        r": command not found\b|executable file not found in",
    ),
    Rule(
        "shell",
        Rank.TOOL,
        ("no such file",),
        r"\bNo such file or directory\b",
        unless=r"\(ignored\)",
    ),
    Rule("shell", Rank.TOOL, ("permission denied",), r"(?i:\bpermission denied\b)"),
    Rule("shell", Rank.TOOL, ("unbound variable",), r": unbound variable$"),
    Rule(
        "shell",
        Rank.TOOL,
        ("syntax error",),
        r": syntax error (?:near unexpected token|: unexpected)|: [Ss]yntax error: ",
    ),
    Rule("shell", Rank.TOOL, ("cannot",), r"^\S+: cannot \w+ .*: \S|: cannot execute"),
    Rule(
        "network",
        Rank.TOOL,
        (
            "connection refused",
            "connection timed out",
            "could not resolve",
            "temporary failure in name",
        ),
        r"(?i:connection (?:refused|timed out)|could not resolve (?:host|proxy)|"
        r"temporary failure in name resolution)",
    ),
)
