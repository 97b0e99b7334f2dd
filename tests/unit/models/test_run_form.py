"""What is in a run form, and what keeps it from being sent."""

from __future__ import annotations

import pytest

from platui.core.secrets import Secret
from platui.models.values.drafts import FILE, REF, RunForm, key_problem, variable_field
from platui.models.values.writes import NewPipeline, RunVariable


def test_a_whole_form_is_sent_as_it_stands() -> None:
    """Nothing is wrong, and the intent holds every field."""
    variables = (RunVariable("DAY", "1"), RunVariable("KEY", Secret("x")))
    form = RunForm("a/b", "main", "etl-ci.yml", variables=variables, triggered=True)
    assert form.problems() == {}
    assert form.intent == NewPipeline("a/b", "main", "etl-ci.yml", variables, triggered=True)


def test_what_is_missing_is_told_from_the_top_down() -> None:
    """Ref, file, and secrets whose value is to be typed again."""
    form = RunForm("a/b", file_is_known=False, variables=(RunVariable("KEY", Secret("")),))
    assert list(form.problems()) == [REF, FILE, variable_field(0)]
    assert FILE not in form.with_file("").problems()


@pytest.mark.parametrize("ref", ["ma\nin", " main", "main\x1b"])
def test_no_ref_has_blanks_around_it_or_steers(ref: str) -> None:
    """It would be refused after a question for nothing."""
    assert REF in RunForm("a/b", ref).problems()


@pytest.mark.parametrize("key", ["", "a b", "A=B", "ключ", "x" * 256, "_PIPELINE_FILE_NAME", "A\n"])
def test_keys_that_no_variable_can_have(key: str) -> None:
    """Each with its reason."""
    assert key_problem(key)


@pytest.mark.parametrize("key", ["A", "dbt_target", "_X", "1ST"])
def test_keys_that_variables_have(key: str) -> None:
    """Nothing is said of them."""
    assert not key_problem(key)


def test_one_key_twice_is_told_at_both() -> None:
    """Nobody knows which of them the platform would take."""
    form = RunForm("a/b", "main", variables=(RunVariable("A", "1"), RunVariable("A", "2")))
    assert set(form.problems()) == {variable_field(0), variable_field(1)}


def test_more_variables_take_the_place_of_those_of_their_key() -> None:
    """A secret stays one whatever comes, and an empty one takes no value away."""
    form = RunForm("a/b", variables=(RunVariable("A", "1"), RunVariable("KEY", Secret("x"))))
    more = form.with_all([RunVariable("KEY", Secret("")), RunVariable("A", "2")])
    assert more.variables == (RunVariable("A", "2"), RunVariable("KEY", Secret("x")))
    more = form.with_all([RunVariable("KEY", "y"), RunVariable("B", "3")])
    assert more.variables[1:] == (RunVariable("KEY", Secret("y")), RunVariable("B", "3"))
