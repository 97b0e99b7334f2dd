"""What may be typed after `:`."""

from __future__ import annotations

import pytest

from platui.core.errors import CommandError
from platui.ui.route_lines import parse_id
from platui.ui.typed_commands import (
    GoToNumber,
    OpenAddress,
    OpenNumber,
    OpenView,
    RunVerb,
    TypedCommand,
    read_command,
    split_file_ref,
)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("", None),
        ("  ", None),
        ("projects", OpenView("projects")),
        (":pl", OpenView("pipelines")),
        ("pipelines acme/etl", OpenView("pipelines", "acme/etl")),
        ("pl acme/etl /failed main", OpenView("pipelines", "acme/etl", None, "failed main")),
        ("jobs acme/etl #41", OpenView("jobs", "acme/etl", 41)),
        ("jobs #4x", OpenView("jobs", "#4x")),
        ("jobs a/b #" + "9" * 5000, OpenView("jobs", "a/b")),
        ("jobs " + "9" * 5000, OpenView("jobs", "9" * 5000)),
        ("jobs /dbt", OpenView("jobs", "", None, "dbt")),
        ("requests", OpenView("requests")),
        ("sc acme/etl /nightly", OpenView("schedules", "acme/etl", filter="nightly")),
        ("123", GoToNumber(123)),
        ("#47110", OpenNumber(47110)),
        ("pipeline 7", OpenNumber(7, "jobs")),
        ("job acme/etl #9", OpenNumber(9, "log", "acme/etl")),
        ("https://p.example/a/b", OpenAddress("https://p.example/a/b")),
        ("q", RunVerb("quit")),
        ("theme platui-light", RunVerb("theme", "platui-light")),
        ("themes", RunVerb("theme")),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else "",
)  # fmt: skip
def test_a_line_is_read_to_what_was_meant(text: str, meant: TypedCommand | None) -> None:
    """Areas with project, pipeline and filter; numbers; addresses; verbs."""
    assert read_command(text) == meant


@pytest.mark.parametrize(
    ("text", "words"),
    [("pipelnes", ":pipelines"), ("xyzzy", "Press ?"), ("9" * 30, "Unknown command")],
)
def test_an_unknown_command_names_the_nearest(text: str, words: str) -> None:
    """A typo is answered with what was probably meant."""
    with pytest.raises(CommandError) as raised:
        read_command(text)
    assert words in f"{raised.value.sentence} {raised.value.hint}"


@pytest.mark.parametrize(
    ("word", "number"),
    [("7", 7), ("", None), ("-7", None), ("7.0", None), ("9" * 18, 10**18 - 1), ("9" * 19, None)],
)
def test_a_number_is_one_that_an_id_can_be(word: str, number: int | None) -> None:
    """Python refuses to read thousands of digits, and no platform has such an id."""
    assert parse_id(word) == number


@pytest.mark.parametrize(
    ("words", "path", "ref"),
    [
        ("a.py", "a.py", ""),
        ("@main", "", "main"),
        ("a.py@main", "a.py", "main"),
        ("/a.py @fix/one", "a.py", "fix/one"),
        ("packages/@scope/x.json", "packages/@scope/x.json", ""),
        ("packages/@scope/x.json @main", "packages/@scope/x.json", "main"),
    ],
)
def test_a_file_is_typed_with_or_without_its_ref(words: str, path: str, ref: str) -> None:
    """A folder may begin with the sign of a ref."""
    assert split_file_ref(words) == (path, ref)
