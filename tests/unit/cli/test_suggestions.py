"""What an error says of names that are not there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from platui.cli.job_lookup import job_from_arguments
from platui.cli.log_options import LogOptions
from platui.cli.main import dispatch
from platui.config.profile import Profile
from platui.core.errors import ConfigError
from platui.core.suggestions import file_hint, listed, nearest

if TYPE_CHECKING:
    from pathlib import Path


def test_what_was_probably_meant() -> None:
    """Other letters, a slip, and nothing where nothing is near."""
    names = ["build", "dbt_run", "dbt_test"]
    assert nearest("DBT_RUN", names) == "dbt_run"
    assert nearest("dbt_rnu", names) == "dbt_run"
    assert nearest("deploy", names) == ""
    assert nearest("pipelinse", ["pipeline", "pipelines"]) == "pipelines"


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("xyzzy",), "platui GROUP/xyzzy to open a project."),
        (("triage", "xyzzy"), "platui triage --help"),
        (("triage", "watc"), "Did you mean watch?"),
        (("pipelinse",), "Did you mean pipelines?"),
    ],
)
def test_an_unknown_command_is_told_alike(
    words: tuple[str, ...], hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """That of a group as well."""
    assert dispatch([*words]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f'platui: Unknown command "{words[-1]}".')
    assert hint in told


def test_a_single_name_is_not_left_out() -> None:
    """`and 1 more` takes the room of the name."""
    assert listed(["a", "b", "c"], 2) == "a, b, c"
    assert listed(["a", "b", "c", "d"], 2) == "a, b and 2 more"


@pytest.mark.parametrize("before", [(), ("log",)], ids=["no command", "log"])
def test_a_file_is_opened_with_its_option(
    before: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where one of that name is there, quoted as a shell wants it."""
    path = tmp_path / "small one.log"
    path.write_text("line\n")
    assert dispatch([*before, str(path)]) == 2
    assert f"platui log --file '{path}'" in capsys.readouterr().err
    assert file_hint(str(tmp_path / "none.log")) == ""
    assert file_hint("x" * 5000) == ""


class _Addresses:
    """As much of a service as reads addresses."""

    profile = Profile("p", "https://p")


def test_the_address_of_a_pipeline_leads_on() -> None:
    """To the dashboard, and to the log of one of its jobs."""
    address = "https://p/a/b/-/pipelines/7"
    with pytest.raises(ConfigError) as caught:
        job_from_arguments(_Addresses(), LogOptions((address,)))  # type: ignore[arg-type]
    assert f"`platui {address}`" in caught.value.hint
    assert "`platui log a/b JOB --pipeline 7`" in caught.value.hint
