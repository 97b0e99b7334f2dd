"""The words behind `platui log`."""

from __future__ import annotations

import pytest

from platui.cli.commands.log import command as log
from platui.cli.log_options import LogOptions
from platui.cli.main import dispatch
from platui.config.settings import Options


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Options, LogOptions]]:
    """Return what logs are asked for; none is shown."""
    given: list[tuple[Options, LogOptions]] = []

    def run_log(options: Options, wanted: LogOptions) -> int:
        given.append((options, wanted))
        return 0

    monkeypatch.setattr(log, "run_log", run_log)
    return given


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (["https://p/a/b/-/jobs/1"], LogOptions(("https://p/a/b/-/jobs/1",))),
        (["a/b", "7", "-f"], LogOptions(("a/b", "7"), follow=True)),
        (["a/b", "build", "--pipeline", "#9"], LogOptions(("a/b", "build"), pipeline=9)),
        (["--ref=main", "a/b", "build"], LogOptions(("a/b", "build"), ref="main")),
        (["--file", "-", "--errors"], LogOptions(file="-", errors=True)),
        (["--file", "x", "--color=never"], LogOptions(file="x", color="never")),
        (["--section", "get_sources", "3", "4"], LogOptions(("3", "4"), section="get_sources")),
        (
            ["--file", "x", "--cause", "--against", "y", "--json"],
            LogOptions(file="x", cause=True, against="y", as_json=True),
        ),
        (["a/b", "--", "-x-"], LogOptions(("a/b", "-x-"))),
    ],
)
def test_what_is_asked_for(
    words: list[str], wanted: LogOptions, asked: list[tuple[Options, LogOptions]]
) -> None:
    """Options may stand anywhere."""
    assert dispatch(["log", *words]) == 0
    assert asked == [(Options(), wanted)]


def test_global_options_may_stand_behind_the_command(
    asked: list[tuple[Options, LogOptions]],
) -> None:
    """And those before it stay."""
    assert dispatch(["--utc", "log", "a/b", "7", "--profile", "prod"]) == 0
    ((options, _),) = asked
    assert options == Options(utc=True, profile="prod")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "Missing job"),
        (["a/b"], "Give a project and"),
        (["https://p/x", "more"], "Unexpected argument: more"),
        (["a/b", "7", "--file", "x"], "Give a job or --file"),
        (["--file", "x", "--ref", "main"], "need a job name"),
        (["--file", "x", "--raw", "--errors"], "--raw"),
        (["--file", "x", "--section", "s", "--errors"], "Give --errors or --section"),
        (["--file", "x", "--file", "y"], "--file only once"),
        (["--file"], "requires an argument"),
        (["a/b", "7", "--section", ""], "needs a value"),
        (["--flie", "x"], "Did you mean --file?"),
        (["a/b", "7", "--color", "red"], "is not one of 'auto'"),
        (["a/b", "x", "--pipeline", "new"], "invalid pipeline id"),
    ],
)
def test_what_does_not_go_is_said(
    words: list[str],
    said: str,
    asked: list[tuple[Options, LogOptions]],
    capsys: pytest.CaptureFixture[str],
) -> None:
    """In a sentence, with what helps."""
    assert dispatch(["log", *words]) == 2
    assert said in capsys.readouterr().err
    assert asked == []


def test_a_file_that_is_followed_is_viewed_and_a_job_is_printed() -> None:
    """On a terminal; every other option prints."""
    assert not LogOptions(file="x", follow=True).prints
    assert LogOptions(("a", "b"), follow=True).prints
    assert LogOptions(file="x", errors=True).prints
    assert not LogOptions(("a", "b")).prints
