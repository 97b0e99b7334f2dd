"""What a script is told by the exit code."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from platui.cli.command_list import COMMANDS
from platui.cli.error_output import exit_code_of
from platui.cli.exit_codes import MEANINGS, UNCHANGED, Exit
from platui.cli.main import dispatch
from platui.core.errors import (
    ApiError,
    CommandError,
    ConfigError,
    CredentialError,
    ForbiddenError,
    InsecureError,
    InvalidResponseError,
    NotFoundError,
    NothingToDoError,
    NotSupportedError,
    OfflineError,
    OfflineReason,
    OutcomeUnknownError,
    PlatuiError,
    RateLimitedError,
    RejectedError,
    ServerFailedError,
    UnauthorizedError,
    WriteRefusedError,
)

_OF_REPORT = ("fetch", "import", "list", "show", "diff", "export", "docs", "terms")
_OF_TRIAGE = ("watch", "unwatch", "watched", "ack", "snooze", "note", "own", "history")
_BARE = ("project", "schedule", "report", "cache", "config")
_GROUPS = ("emulator", "project", "schedule", "report")
_OF_GROUPS = (
    ["project", "create"],
    *(["schedule", name] for name in ("list", "create", "edit", "run", "own", "delete")),
    *(["report", name] for name in _OF_REPORT),
    *(["triage", name] for name in _OF_TRIAGE),
)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (ConfigError("no such key"), 2),
        (CredentialError("no token"), 2),
        (InsecureError("plain http"), 2),
        (OfflineError("refused", reason=OfflineReason.REFUSED), 3),
        (RateLimitedError("too many", retry_after=5), 3),
        (ServerFailedError("broken", status=502), 3),
        (InvalidResponseError("a web page"), 3),
        (UnauthorizedError("expired", status=401), 4),
        (ForbiddenError("no role", status=403), 4),
        (NotFoundError("gone", status=404), 4),
        (CommandError("no job of that name"), 4),
        (RejectedError("locked", status=409), 4),
        (RejectedError("no such ref", status=422), 4),
        (ApiError("teapot", status=418), 4),
        (NothingToDoError("it has failed already"), 4),
        (WriteRefusedError("locked"), 4),
        (NotSupportedError("no such operation"), 4),
        (OutcomeUnknownError("its answer was lost"), 5),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, PlatuiError) else "",
)
def test_each_kind_of_error_has_its_exit_code(error: PlatuiError, code: int) -> None:
    """2 is for the user to mend, 3 for another try, 4 for another token, 5 to look first."""
    assert exit_code_of(error) == code


def test_help_of_the_demo_is_about_the_demo(capsys: pytest.CaptureFixture[str]) -> None:
    """What it is, and which options go with it; those of platui are told by platui."""
    assert dispatch(["demo", "--help"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("Usage: platui demo")
    assert "--profile" not in told
    assert dispatch(["--help"]) == 0
    assert capsys.readouterr().out.startswith("Usage: platui [OPTIONS]")


def _codes_told(text: str) -> dict[int, str]:
    """Return the exit codes of a help, or of the manual, and what each is said to mean."""
    lines = re.findall(r"^ {2,4}(\d+) +(\S.*)$", text, re.MULTILINE)
    return {int(code): meaning for code, meaning in lines}


def test_help_and_manual_tell_the_same_of_every_exit_code(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The one of platui has all of them, that of each command the ones it ends with."""
    meanings = {code.value: meaning for code, meaning in MEANINGS.items()}
    assert set(MEANINGS) == set(Exit)
    assert dispatch(["--help"]) == 0
    assert _codes_told(capsys.readouterr().out) == meanings
    assert dispatch(["docs", "exit-codes"]) == 0
    manual = capsys.readouterr().out
    assert _codes_told(manual) == meanings
    assert UNCHANGED.strip() in manual
    for words in (*([name] for name in COMMANDS if name not in _GROUPS), *_OF_GROUPS):
        assert dispatch([*words, "--help"]) == 0
        told = capsys.readouterr().out
        assert max(map(len, told.splitlines())) <= 80, words
        codes = _codes_told(told)
        assert codes.keys() >= {0, 2}, words
        assert codes.items() <= meanings.items()
        if "--dry-run" in told:
            assert codes.keys() >= {0, 2, 3, 4, 5, 130}, words
            assert f"  platui {' '.join(words)} " in told, "an example"
        if "--wait" in told:
            assert 1 in codes, words


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "emulator"])
def test_each_command_is_listed_and_tells_of_itself(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """In platui's own help, and by its `--help`, in lines that a narrow terminal has whole."""
    assert dispatch(["--help"]) == 0
    assert f"\n  {name} " in capsys.readouterr().out
    assert dispatch([name, "--help"]) == 0
    told = capsys.readouterr().out
    assert told.startswith(f"Usage: platui {name}")
    assert max(map(len, told.splitlines())) <= 80
    assert dispatch([name, "-h"]) == 0
    assert capsys.readouterr().out == told
    if name in _BARE:  # it lacks a word: stdout is data
        assert dispatch([name]) == Exit.USAGE
        assert capsys.readouterr() == ("", told)


@pytest.mark.parametrize(
    "pending",
    ["import atexit; atexit.register(say)", "import threading; threading.Timer(0.2, say).start()"],
    ids=["at exit", "in a thread"],
)
def test_the_end_waits_for_what_python_waits_for(pending: str) -> None:
    """The program frees nothing at its end, but loses no pending work."""
    code = (
        f"import sys\ndef say(): print('written last')\n{pending}\n"
        "from platui.cli.main import main\nsys.argv[1:] = ['--version']\nsys.exit(main())\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert run.stdout.splitlines()[-1] == "written last"


def test_the_exit_code_survives_the_end() -> None:
    """The code is the process's, whichever way it ends."""
    code = (
        "import sys; from platui.cli.main import main; sys.argv[1:] = ['no-such']; sys.exit(main())"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=False, text=True, env={}
    )
    assert (run.returncode, run.stdout) == (Exit.USAGE, "")
    assert run.stderr.startswith("platui: ")
