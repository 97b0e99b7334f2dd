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
        (
            [
                "a.py:1:8: F401 `os` imported but unused",
                "Found 1 error.",
                "[*] 1 fixable with the `--fix` option.",
            ],
            "a.py:1:8: F401 `os` imported but unused",
        ),
        (
            [
                "F401 [*] `os` imported but unused",
                " --> a.py:1:8",
                "  |",
                "1 | import os",
                "  |        ^^",
                "  |",
                "help: Remove unused import: `os`",
                "",
                "Found 2 errors (1 fixed, 1 remaining).",
            ],
            "F401 [*] `os` imported but unused",
        ),
        (
            [
                "app/a.py:4:4: E1101: Instance of 'A' has no 'b' member (no-member)",
                "",
                "-----",
                "Your code has been rated at 5.00/10",
            ],
            "app/a.py:4:4: E1101: Instance of 'A' has no 'b' member (no-member)",
        ),
        (
            [
                "depth is 3",
                "ERR_PNPM_RECURSIVE_RUN_FIRST_FAIL  acme@1.0.0 build: `tsc`",
                " ELIFECYCLE  Command failed.",
            ],
            "depth is 3",
        ),
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


@pytest.mark.parametrize(
    "end",
    [
        "subprocess.CalledProcessError: Command '['dbt', 'run']' returned non-zero exit status 2.",
        "airflow.exceptions.AirflowException: Pod x returned a failure.",
        "ERROR: export.sh failed with exit code 1",
    ],
)
def test_an_end_is_a_better_cause_than_progress(end: str) -> None:
    """But not than a last message of bad news."""
    trace = ("Traceback (most recent call last):", '  File "a.py", line 1, in x')
    last = "INFO starting export"
    assert cause_of("$ ./run", last, *trace, end, FAILED) == (end, CauseSource.RULE)
    assert find_cause(log_of("$ ./run", last, end, FAILED)).confidence is Confidence.LOW
    last = "table orders is missing"
    assert cause_of("$ ./run", last, *trace, end, FAILED) == (last, CauseSource.LAST_LINE)


def test_an_end_that_the_script_survived_is_no_cause() -> None:
    """Nor one of the last successful run."""
    end = "subprocess.CalledProcessError: Command '['x']' returned non-zero exit status 1."
    rows = [f"row {number}" for number in range(40)]
    last = "the core is cold"
    assert cause_of("$ ./run", end, *rows, last, FAILED) == (last, CauseSource.LAST_LINE)
    log = log_of("$ ./run", "one of two", end, FAILED)
    assert find_cause(log).source is CauseSource.RULE
    known = KnownLines(log_of("$ ./run", "one of two", end))
    assert find_cause(log, known).source is CauseSource.LAST_LINE


@pytest.mark.parametrize(
    "end",
    [
        ["npm error code 1", "npm error command sh -c ./lint.sh"],
        [
            'ERROR: failed to solve: process "/bin/sh -c make" did not complete successfully: exit code: 2'
        ],
    ],
)
def test_a_tool_reports_an_end_below_the_message(end: list[str]) -> None:
    assert cause_of("$ ./run", "row 3 has two owners", *end, FAILED)[0] == "row 3 has two owners"


@pytest.mark.parametrize(
    "line",
    [
        "RuntimeError: BigQuery job failed with error code 400: quota exceeded for table orders",
        "RuntimeError: Step load failed with code 400: invalid schema for column price",
        "ERROR: quality gate failed for orders: 3 rows violate not_null, exit code 3",
        "ERROR: dbt Cloud job 12 finished with status: 20 (Error): model orders failed",
        "load.sh: ERROR: checksum mismatch for orders.csv (script terminated, exit status 4)",
    ],
)
def test_an_end_with_its_reason_is_a_cause(line: str) -> None:
    """The reason is behind the code, or before an aside with the code."""
    assert cause_of("$ ./run", "one of two", line, "goodbye", FAILED) == (line, CauseSource.RULE)


@pytest.mark.parametrize(
    "line",
    [
        "Error: Command failed with exit code 1: yarn build",
        "ERROR: Command failed: npm test (exit status 1)",
        "ERROR: dbt run failed for target prod, exit code 1",
        "ERROR: aborting; exit code 1",
        "[ERROR] Process exited with an error: 1 (Exit value: 1) -> [Help 1]",
    ],
)
def test_the_command_of_an_end_is_no_reason(line: str) -> None:
    assert cause_of("$ ./run", "orders is missing", line, FAILED)[0] == "orders is missing"


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


def test_a_killed_script_is_not_explained_by_what_it_survived() -> None:
    """A shell's message far from the end is none of an engine's."""
    killed = "ERROR: Job failed: exit code 137"
    rows = [f"row {number}" for number in range(700)]
    lines = ("$ ./run", "rm: cannot remove 'tmp/x': No such file or directory", *rows, killed)
    assert cause_of(*lines) == (killed, CauseSource.VERDICT)


def test_an_error_far_from_the_end_is_less_certain() -> None:
    """So it is compared with a successful run, which may have had it too."""
    rows = [f"row {number}" for number in range(700)]
    missing = "ls: cannot access '/x': No such file or directory"
    log = log_of("$ ./run", missing, *rows, "no flux in the core", FAILED)
    assert find_cause(log).confidence is Confidence.MEDIUM
    known = KnownLines(log_of("$ ./run", missing, *rows, "all done"))
    found = find_cause(log, known)
    assert found.error is not None
    assert log.text(found.error.message_line) == "no flux in the core"


@pytest.mark.parametrize(
    "heading", ["ERROR:", "An error occurred.", "Details:", "Traceback (most recent call last):"]
)
def test_two_reasons_above_an_empty_heading_have_two_signatures(heading: str) -> None:
    """A heading with nothing below it says nothing."""
    found = [cause_in(log_of("$ ./x", reason, heading, FAILED)) for reason in ("no core", "cold")]
    assert {None if one is None else one.text for one in found} == {"no core", "cold"}
    assert len({one.signature.key for one in found if one is not None}) == 2


@pytest.mark.parametrize(
    "line",
    [
        "Done with 3 tables, orders is locked",
        "Finished: row count mismatch in orders",
        "Completed with status: rejected by validator",
    ],
)
def test_a_message_that_begins_like_an_end_is_a_message(line: str) -> None:
    """Only `Done`, `Finished in 3 s` and their like say nothing more."""
    assert cause_of("$ ./run", "one of two", line, FAILED) == (line, CauseSource.LAST_LINE)
    for end in ("Done.", "Finished in 3.2 s", "Completed with 1 error and 0 warnings:"):
        assert cause_of("$ ./run", line, end, FAILED)[0] == line


def test_what_runs_after_a_script_that_was_cut_off_is_no_cause() -> None:
    """The runner opened its section although that of the script never ended."""
    lines = (
        "section_start:1:step_script\r\x1b[0KScript", "$ ./run", "no flux here",
        "section_start:2:after_script\r\x1b[0KAfter", "FATAL: cleanup failed",
        "section_end:3:after_script\r\x1b[0K", FAILED,
    )  # fmt: skip
    assert cause_of(*lines) == ("no flux here", CauseSource.LAST_LINE)
    after = ("Running after script...", "FATAL: cleanup failed")
    assert cause_of("$ ./run", "no flux here", *after, FAILED) == (
        "no flux here",
        CauseSource.LAST_LINE,
    )


def test_the_runners_words_in_a_longer_line_are_the_scripts() -> None:
    """Only its own lines end a script."""
    lines = ("$ ./run", "Saving cache for failed job list", "broken flux here", FAILED)
    assert cause_of(*lines) == ("broken flux here", CauseSource.LAST_LINE)


TRACEBACK: Final = (
    "Traceback (most recent call last):", '  File "/app/a.py", line 3, in go', "    call()",
    "ValueError: no flux in the core",
)  # fmt: skip


@pytest.mark.parametrize(
    "prefix",
    [
        "",
        "2026-03-14T03:12:44.123456789Z stderr F ",
        "2026-03-14T03:12:44.123Z ",
        "2026-03-14 03:12:44,210 - root - ERROR - ",
        "[2026-03-14, 03:12:44 UTC] {subprocess.py:93} INFO - ",
        "2026-03-14 03:12:44.210 | ERROR    | app:main:12 - ",
        "loader-1  | ",
        "#9 3.210 ",
        "ERROR:root:",
    ],
)
def test_a_reason_has_one_signature_behind_every_logger(prefix: str) -> None:
    """What the logger writes before each line is none of it."""
    plain = cause_in(log_of(*TRACEBACK, FAILED))
    found = cause_in(log_of(*(prefix + line for line in TRACEBACK), FAILED))
    assert found is not None
    assert plain is not None
    assert found.signature.key == plain.signature.key


def test_bad_news_beat_a_later_new_line() -> None:
    """The last block of new lines may only say goodbye."""
    known = KnownLines(log_of("$ ./run", "one", "two", "three", "four", "all done"))
    log = log_of(
        "$ ./run", "one", "peer rejected the ticket of alice", "two", "three", "four", "one",
        "goodbye from node seven", FAILED,
    )  # fmt: skip
    found = find_cause(log, known)
    assert found.error is not None
    assert log.text(found.error.message_line) == "peer rejected the ticket of alice"


def test_an_erased_log_is_no_baseline() -> None:
    """Every line would be new."""
    log = log_of("$ ./run", "9 rows", "no flux", FAILED)
    assert find_cause(log, KnownLines(log_of(""))) == find_cause(log)


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


def test_the_log_of_another_program_is_no_baseline() -> None:
    """Where nearly every line is new, none of them is the reason."""
    other = KnownLines(log_of("$ make test", "compiled 12 files", "linked", "all tests passed"))
    log = log_of("$ ./load", "expected 31 partitions, got 30", FAILED)
    assert find_cause(log, other) == find_cause(log)


def test_a_fatal_error_comes_before_one_that_was_lived_with() -> None:
    """Both are marked by their level alone."""
    lines = (
        "$ ./load", "ERROR could not parse row 17 (row skipped)", "12 rows",
        "FATAL too many bad rows: 2 > 1", FAILED,
    )  # fmt: skip
    assert cause_of(*lines) == ("FATAL too many bad rows: 2 > 1", CauseSource.RULE)


def test_a_traceback_with_empty_lines_has_its_exception() -> None:
    """As Loguru writes one, with the values of names between the frames."""
    lines = (
        "Traceback (most recent call last):", "", '> File "/app/main.py", line 9, in <module>',
        "    main()", "    └ <function main at 0x7f>", "", '  File "/app/main.py", line 5, in main',
        "    return 1 / 0", "", "ZeroDivisionError: division by zero",
    )  # fmt: skip
    assert cause_of(*lines, FAILED) == ("ZeroDivisionError: division by zero", CauseSource.RULE)


@pytest.mark.parametrize(
    ("lines", "wanted"),
    [
        (
            [
                "ERROR: pip's dependency resolver does not currently take into account all the packages that are installed.",
                "E       assert 3 == 4",
                "tests/test_a.py:7: AssertionError",
                "------- Captured log call -------",
                "ERROR    app.client:client.py:31 simulated outage",
                "==== short test summary info ====",
                "FAILED tests/test_a.py::test_b - assert 3 == 4",
                "==== 1 failed, 1 passed in 0.10s ====",
            ],
            "FAILED tests/test_a.py::test_b - assert 3 == 4",
        ),
        (
            [
                "____ ERROR at setup of test_db ____",
                "  def test_db(dbconn):",
                "E       fixture 'dbconn' not found",
                ">       available fixtures: cache, capfd",
                "ERROR tests/test_a.py::test_db",
            ],
            "E       fixture 'dbconn' not found",
        ),
        (
            [
                "--- FAIL: TestAdd (0.00s)",
                "    add_test.go:9: ",
                "        \tError Trace:\t/app/add_test.go:9",
                "        \t            \t/app/check_test.go:12",
                "        \tError:      \tNot equal: ",
                "        \t            \texpected: 4",
                "        \tTest:       \tTestAdd",
                "FAIL",
                "FAIL\tacme/x\t0.002s",
            ],
            "Error:          Not equal:",
        ),
        (
            [
                "=== RUN   TestAdd",
                "    add_test.go:4: connected",
                "    add_test.go:9: got 3, want 4",
                "--- FAIL: TestAdd (0.00s)",
                "=== RUN   TestSub",
                "--- PASS: TestSub (0.00s)",
                "FAIL",
                "FAIL\tacme/x\t0.002s",
                "FAIL",
            ],
            "add_test.go:9: got 3, want 4",
        ),
        (
            [
                "=== RUN   TestSub",
                "    sub_test.go:4: connected",
                "--- PASS: TestSub (0.00s)",
                "=== RUN   TestAdd",
                "--- FAIL: TestAdd (0.00s)",
                "FAIL",
                "FAIL\tacme/x\t0.002s",
                "FAIL",
                "Cleaning up project directory and file based variables",
            ],
            "--- FAIL: TestAdd (0.00s)",
        ),
        (
            [
                "[error] /app/src/A.scala:3:5: not found: value foo",
                "[error] one error found",
                "[error] Total time: 3 s, completed Mar 14, 2026, 3:12:44 AM",
            ],
            "[error] /app/src/A.scala:3:5: not found: value foo",
        ),
        (
            [
                "ruff.....................................................................Failed",
                "- hook id: ruff",
                "- exit code: 1",
                "",
                "a.py:1:8: F401 `os` imported but unused",
            ],
            "ruff.....................................................................Failed",
        ),
        (
            [
                "ERROR: unable to select packages:",
                "  foo (no such package):",
                "    required by: world[foo]",
            ],
            "foo (no such package):",
        ),
    ],
    ids=["pytest", "fixture", "testify", "go", "go without a message", "sbt", "pre-commit", "apk"],
)
def test_the_reason_is_found_in_the_output_of_a_tool(lines: list[str], wanted: str) -> None:
    """Not in what surrounds it."""
    assert cause_of("$ ./run", "one of two", *lines, FAILED) == (wanted, CauseSource.RULE)


def test_an_excerpt_shows_no_secret() -> None:
    """It is pasted into messages; the log itself is not."""
    found = cause_in(log_of("ERROR: upload refused token=64_abcdefgh", FAILED))
    assert found is not None
    assert "64_abcdefgh" not in f"{found.text}{found.excerpt}{found.signature.line}"


def test_a_container_that_exited_is_explained_by_its_last_message() -> None:
    """Compose reports only the code."""
    lines = ("app-1  | no flux in the core", "app-1 exited with code 3")
    assert cause_of(*lines) == ("app-1  | no flux in the core", CauseSource.LAST_LINE)
