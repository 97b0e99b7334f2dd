"""What tools say that jobs are made of: git, package managers, containers, clouds, clients."""

from __future__ import annotations

from typing import Final

from platui.analysis.errors.rule import Rank, Rule, Shape

TOOLS: Final = (
    Rule(
        "ansible",
        Rank.TOOL,
        ("fatal", "failed"),
        r"^(?:fatal|failed): \[\S+\].*(?:FAILED!|UNREACHABLE!|=>)",
    ),
    Rule("git", Rank.TOOL, ("fatal",), r"^(?:remote: )?fatal: \S"),
    Rule(
        "git", Rank.TOOL, ("error",), r"^error: (?:failed to push|pathspec|src refspec|Your local)"
    ),
    Rule(
        "git",
        Rank.TOOL,
        ("remote error", "http basic access denied"),
        r"^remote: (?:ERROR|error|HTTP Basic: Access denied)",
    ),
    Rule(
        "pip",
        Rank.TOOL,
        (
            "error could not",
            "error no matching",
            "error cannot",
            "error failed building",
            "error resolution",
            "subprocess exited with error",
            "error invalid requirement",
        ),
        r"^(?:  )?(?:ERROR|error): (?:Could not|No matching|Cannot install|Failed building|"
        r"ResolutionImpossible|Invalid requirement|subprocess-exited-with-error)|"
        r"error: subprocess-exited-with-error",
    ),
    Rule(
        "npm",
        Rank.TOOL,
        ("npm err", "error command failed"),
        r"^npm (?:ERR!|error) |^error Command failed",
        shape=Shape.FOLLOWED,
        goes_on=r"npm (?:ERR!|error)(?: |$)",
    ),
    Rule(
        "docker",
        Rank.TOOL,
        (
            "error response from daemon",
            "failed to solve",
            "failed to compute",
            "pull access denied",
            "error",
            "failed to build",
        ),
        r"Error response from daemon: |failed to solve|failed to compute cache|pull access denied|"
        r"manifest (?:for .* )?(?:unknown|not found)|did not complete successfully: exit code|"
        r"^Failed to build ",
    ),
    Rule(
        "kubernetes",
        Rank.TOOL,
        ("error from server", "refused"),
        r"^Error from server(?: \(\w+\))?: |^The connection to the server .* was refused",
    ),
    Rule(
        "helm",
        Rank.TOOL,
        ("upgrade failed", "installation failed"),
        r"\b(?:UPGRADE|INSTALLATION|ROLLBACK) FAILED\b",
    ),
    Rule(
        "terraform",
        Rank.CAUSE,
        ("error",),
        r"^(?:│ |\| )?Error: \S",
        shape=Shape.FOLLOWED,
        goes_on=r"│|\|\s",
        unless=r"^Error: ",
    ),
    Rule(
        "curl",
        Rank.TOOL,
        ("could not", "failed", "failure", "error", "timed out", "unable to", "denied"),
        r"^curl: \(\d+\) ",
    ),
    Rule(
        "http",
        Rank.TOOL,
        ("client error", "server error", "httperror"),
        r"\b[45]\d\d (?:Client|Server) Error\b|\bHTTP Error [45]\d\d\b",
    ),
    Rule(
        "wget",
        Rank.TOOL,
        ("error", "unable to"),
        r"\bERROR \d{3}: \S|^wget: (?:unable|server returned error)",
        also=("ERROR ", "wget"),
    ),
    Rule("aws", Rank.TOOL, ("an error occurred",), r"An error occurred \(\w+\) when calling"),
    Rule("gcloud", Rank.TOOL, ("error gcloud",), r"^ERROR: \(gcloud\.[\w.-]+\)"),
    Rule("make", Rank.SUMMARY, ("error",), r"^g?make(?:\[\d+\])?: \*\*\* "),
    Rule(
        "gradle",
        Rank.TOOL,
        ("build failed", "build failure"),
        r"^(?:FAILURE: Build failed|BUILD FAILED|\[INFO\] BUILD FAILURE)",
        calm=True,
    ),
    Rule("maven", Rank.TOOL, ("error",), r"^\[ERROR\] (?:Failed to execute|COMPILATION ERROR|\S)"),
    Rule("compiler", Rank.TOOL, ("error",), r"^\S+[:(]\d+(?:[:,]\d+)?\)?: (?:fatal )?error\b"),
    Rule(
        "ssh",
        Rank.TOOL,
        ("host key verification failed", "permission denied publickey"),
        r"^Host key verification failed|Permission denied \(publickey",
    ),
    Rule(
        "apt",
        Rank.TOOL,
        ("unable to", "failed", "could not", "error"),
        r"^E: (?:Unable to|Package|Failed|Could not|Sub-process)",
    ),
    Rule("tls", Rank.TOOL, ("certificate verify failed",), r"(?i:certificate verify failed)"),
)
