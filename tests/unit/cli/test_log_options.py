"""The words behind `platui log`."""

from __future__ import annotations

import pytest

from platui.cli.log_options import LogOptions, read_log_options
from platui.config.settings import Options
from platui.core.errors import ConfigError


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
        (["a/b", "--", "-x-"], LogOptions(("a/b", "-x-"))),
        (["--help"], LogOptions(help=True)),
    ],
)
def test_what_is_asked_for(words: list[str], wanted: LogOptions) -> None:
    """Options may stand anywhere."""
    assert read_log_options(words, Options()) == (wanted, Options())


def test_global_options_may_stand_behind_the_command() -> None:
    """And those before it stay."""
    words = ["a/b", "7", "--profile", "prod"]
    _, options = read_log_options(words, Options(utc=True))
    assert options == Options(utc=True, profile="prod")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "The log of which job"),
        (["a/b"], "one job of it"),
        (["https://p/x", "more"], "What is more"),
        (["a/b", "7", "--file", "x"], "not both"),
        (["--file", "x", "--ref", "main"], "name of a job"),
        (["--file", "x", "--raw", "--errors"], "--raw"),
        (["--file", "x", "--section", "s", "--errors"], "Either"),
        (["--file", "x", "--file", "y"], "One --file"),
        (["--file"], "needs a word"),
        (["--flie", "x"], "Did you mean --file?"),
        (["a/b", "7", "--color", "red"], "none of auto"),
        (["a/b", "x", "--pipeline", "new"], "no id of a pipeline"),
    ],
)
def test_what_does_not_go_is_said(words: list[str], said: str) -> None:
    """In a sentence, with what helps."""
    with pytest.raises(ConfigError) as caught:
        read_log_options(words, Options())
    assert said in f"{caught.value.sentence} {caught.value.hint}"


def test_a_file_that_is_followed_is_viewed_and_a_job_is_printed() -> None:
    """On a terminal; every other option prints."""
    assert not LogOptions(file="x", follow=True).prints
    assert LogOptions(("a", "b"), follow=True).prints
    assert LogOptions(file="x", errors=True).prints
    assert not LogOptions(("a", "b")).prints
