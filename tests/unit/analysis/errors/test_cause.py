"""Which line failed a job: that of a rule, a new one, the last of the script, or its end."""

from __future__ import annotations

from typing import Final

import pytest
from tests.support.invented_logs import invented_log

from platui.analysis.errors.cause import LAST_LINE, NEW_LINE, find_cause
from platui.analysis.errors.matcher import ErrorMatcher
from platui.analysis.errors.novelty import KnownLines
from platui.logs import Log
from platui.models.values.log import CauseSource, Confidence
from platui.service.logs.cause import cause_in

RULES: Final = ErrorMatcher()
FAILED: Final = "ERROR: Job failed: exit code 1"


def log_of(*lines: str) -> Log:
    """Return a log that is at its end."""
    log = Log("\n".join(lines).encode(), errors=RULES)
    log.finish()
    return log


def cause_of(*lines: str) -> tuple[str, CauseSource]:
    """Return the message of a log's cause, and what found it."""
    found = cause_in(log_of(*lines))
    assert found is not None
    return log_of(*lines).text(found.line).strip(), found.signature.source


def test_the_last_line_of_the_script_is_better_than_its_exit_code() -> None:
    """Where no rule knows a line; what comes after the script is no reason."""
    lines = (
        "$ docker login", "username is empty", "Running after_script", "$ docker logout",
        "Removing login credentials", "Cleaning up file based variables", FAILED,
    )  # fmt: skip
    assert cause_of(*lines) == ("username is empty", CauseSource.LAST_LINE)


def test_the_last_line_counts_as_an_error_of_the_log() -> None:
    """So it is found where errors are listed; the end stays one too."""
    log = log_of("$ x", "username is empty", FAILED)
    assert [mark.rule for mark in log.errors] == [LAST_LINE, "job"]
    assert log.error_count == 2


@pytest.mark.parametrize(
    ("end", "wanted"),
    [
        (["flux lost its core", "  depth = 3", "  field = x"], "flux lost its core"),
        (["Where:", "    in a.b : 3", "flux lost its core"], "flux lost its core"),
        (["The core:", "  flux is lost", "  field = x"], "flux is lost"),
        (["*** no such core ***", "make: *** [Makefile:3: x] Error 2"], "*** no such core ***"),
        (["core is cold", "+ rm -rf tmp", "exit 1"], "core is cold"),
        (["core is cold", "", "-----------"], "core is cold"),
        (["$ test -f core"], "$ test -f core"),
    ],
)
def test_of_the_last_lines_the_one_that_gives_the_reason(end: list[str], wanted: str) -> None:
    """Not its details, not the traces around it, not what only reports an end."""
    assert cause_of("$ ./run", "one of two done", *end, FAILED) == (wanted, CauseSource.LAST_LINE)


@pytest.mark.parametrize(
    ("lines", "wanted"),
    [
        (["Database Error in model a (a.sql)", "  Access Denied: x"], "Access Denied: x"),
        (["Encountered an error while running operation: Database Error", "  No core"], "No core"),
        (
            [
                "[2026-04-17, 07:41:45 UTC] {taskinstance.py:31} ERROR - Task failed with exception",
                "Traceback (most recent call last):",
                '  File "a.py", line 1, in x',
                "acme.CoreError: flux is lost",
            ],
            "acme.CoreError: flux is lost",
        ),
        (
            [
                "[2026-04-17, 07:41:45 UTC] {subprocess.py:94} INFO - 07:41:45  Database Error in model a",
                "[2026-04-17, 07:41:45 UTC] {subprocess.py:94} INFO -   no relation named b",
            ],
            "[2026-04-17, 07:41:45 UTC] {subprocess.py:94} INFO -   no relation named b",
        ),
        (
            ["FAILURE: Build failed with an exception.", "", "* What went wrong:", "No flux in core"],
            "No flux in core",
        ),
        (["ERROR: YOUR SITE COULD NOT BE BUILT:", "  ------", "  No name"], "No name"),
        (
            ["npm ERR! code ENOENT", "npm ERR! syscall open", "npm ERR! enoent no package.json"],
            "npm ERR! enoent no package.json",
        ),
    ],
)  # fmt: skip
def test_a_heading_is_no_cause(lines: list[str], wanted: str) -> None:
    """The message is below it."""
    assert cause_of("$ ./run", *lines, FAILED) == (wanted, CauseSource.RULE)


def test_what_only_reports_an_end_is_no_cause() -> None:
    """Not even as an exception: the reason is in the lines before it."""
    lines = (
        "ERROR - the core is cold", "Traceback (most recent call last):", '  File "a.py", line 1',
        "subprocess.CalledProcessError: Command '['x']' returned non-zero exit status 1.",
    )  # fmt: skip
    assert cause_of("$ ./run", *lines, FAILED) == ("ERROR - the core is cold", CauseSource.RULE)


def test_a_killed_script_says_no_more() -> None:
    """But its exit code does; an error of an engine says more still."""
    killed = "ERROR: Job failed: exit code 137"
    assert cause_of("$ ./run", "one of two done", killed) == (killed, CauseSource.VERDICT)
    memory = "java.lang.OutOfMemoryError: Java heap space"
    assert cause_of("$ ./run", memory, killed) == (memory, CauseSource.RULE)


def test_a_script_that_never_began_has_no_last_line() -> None:
    """Nor has a job whose results could not be uploaded: its script succeeded."""
    lines = ("Running with gitlab-runner 17.4.0 (b)", "Preparing environment", FAILED)
    assert cause_of(*lines) == (FAILED, CauseSource.VERDICT)
    text = "ERROR: Uploading artifacts to coordinator... too large archive"
    uploads = "Uploading artifacts for successful job"
    assert cause_of("$ ./run", "all done", uploads, text, FAILED) == (text, CauseSource.RULE)


def test_a_log_without_a_failure_has_no_cause() -> None:
    """Also where something was said to have failed on the way."""
    assert find_cause(log_of("all done")).error is None
    assert find_cause(log_of("ERROR: no cache", "all done", "Job succeeded")).error is None
    assert cause_in(log_of("")) is None


def test_an_error_of_every_run_is_no_cause() -> None:
    """The line that the last successful run did not have is."""
    before = log_of("$ ./run", "ERROR: no cache at 03:12:44", "12 rows", "all done")
    log = log_of("$ ./run", "ERROR: no cache at 04:20:11", "the core is cold", "9 rows", FAILED)
    found = find_cause(log, KnownLines(before))
    assert found.error is not None
    assert (found.error.rule, found.source) == (NEW_LINE, CauseSource.NOVELTY)
    assert log.text(found.error.message_line) == "the core is cold"


def test_a_rule_that_is_certain_needs_no_earlier_run() -> None:
    """What others say on the way does not matter."""
    log = log_of("$ ./run", "something new", "ORA-00942: table or view does not exist", FAILED)
    assert find_cause(log).confidence is Confidence.HIGH
    known = KnownLines(log_of("$ ./run"))
    assert find_cause(log, known)[0] == find_cause(log)[0]


@pytest.mark.parametrize(("with_success", "least"), [(False, 0.65), (True, 0.95)])
def test_causes_in_words_that_no_rule_knows_are_named(least: float, *, with_success: bool) -> None:
    """Most by the script's last line; nearly all beside the log of a success."""
    right = 0
    for seed in range(100):
        one = invented_log(seed)
        log = Log(one.failed, errors=RULES)
        log.finish()
        found = cause_in(log, known=KnownLines(Log(one.successful)) if with_success else None)
        right += found is not None and one.cause in found.text
    assert right / 100 >= least
