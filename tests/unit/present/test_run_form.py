"""The run form as rows and sentences, and what is read from a paste."""

from __future__ import annotations

import pytest

from platui.core.errors import CredentialError, NotFoundError, RejectedError
from platui.core.secrets import MASK, Secret
from platui.models.values.drafts import (
    ADD,
    FILE,
    REF,
    TOKEN,
    WITH,
    DraftSource,
    RunDraft,
    RunForm,
    variable_field,
)
from platui.models.values.writes import NewPipeline, RunVariable
from platui.present.form_rows import START, FormRow, Takes
from platui.present.writes.run_form import (
    Origins,
    PastedInto,
    blamed,
    form_rows,
    pasted_into,
    pasted_words,
    read_pairs,
    set_words,
    unknown_words,
)
from platui.service.writes.requests import RequestContext, request_of

PLANTED = "planted-secret"


def rows(form: RunForm, **problems: str) -> list[FormRow]:
    """Return the rows of a form."""
    return form_rows(form, request_of([form.intent], RequestContext("test")), Origins(), problems)


def test_a_secret_is_masked_and_what_comes_from_outside_is_clean() -> None:
    """Neither its text nor its length stands anywhere."""
    form = RunForm(
        "a/b", "ma\x1bin", variables=(RunVariable("K", Secret(PLANTED)), RunVariable("L", "a\nb"))
    )
    shown = rows(form)
    assert PLANTED not in repr(shown)
    assert PLANTED not in repr(form)
    assert MASK in {row.value for row in shown}
    assert all(row.value.isprintable() for row in shown)


def test_a_file_that_is_not_known_is_not_the_projects_own() -> None:
    """It is said, and not quietly sent."""
    [file] = [row for row in rows(RunForm("a/b", "main", file_is_known=False)) if row.field == FILE]
    assert file.value == "unknown"
    [file] = [row for row in rows(RunForm("a/b", "main")) if row.field == FILE]
    assert file.value == "project default"


@pytest.mark.parametrize(
    ("field", "part", "text", "into"),
    [
        (TOKEN, "", "a-token\n", PastedInto.TOKEN),
        (TOKEN, "", "A=b", PastedInto.PAIRS),
        (TOKEN, "", "A=1\nB=2", PastedInto.PAIRS),
        (REF, "", "release/1", PastedInto.REF),
        (REF, "", "A=1", PastedInto.PAIRS),
        (REF, "", "two words", PastedInto.PAIRS),
        (FILE, "", "dbt-ci.yml\n", PastedInto.FILE),
        (WITH, "", "a-token", PastedInto.PAIRS),
        (ADD, "", "A=1", PastedInto.PAIRS),
        (variable_field(0), "", "host=db port=1", PastedInto.VALUE),
        (variable_field(0), "", "A=1\nB=2", PastedInto.PAIRS),
        (variable_field(1), "", "A=1\nB=2", PastedInto.VALUE),
        (variable_field(0), "key", "A=1\nB=2", PastedInto.PAIRS),
    ],
)
def test_a_paste_goes_where_it_is_meant(field: str, part: str, text: str, into: PastedInto) -> None:
    """By the row it comes to; of what may be a secret nothing goes where it shows."""
    form = RunForm("a/b", variables=(RunVariable("K", "x"), RunVariable("S", Secret("y"))))
    assert pasted_into(form, field, part, text) is into


def test_a_row_takes_what_is_typed_where_that_may_be_a_secret() -> None:
    """A variable that has its value, and the row that adds one, are changed by keys."""
    variables = (
        RunVariable("K", "x"), RunVariable("S", Secret("y")), RunVariable("T", Secret("")),
    )  # fmt: skip
    form = RunForm("a/b", "main", variables=variables, triggered=True)
    takes = {row.field: row.takes for row in rows(form) if row.takes is not Takes.KEYS}
    assert takes == {TOKEN: Takes.HIDDEN, variable_field(2): Takes.HIDDEN}


def test_a_trigger_says_that_it_has_no_field_for_secrets() -> None:
    """They are sent, and shown by the platform, as any other variable."""
    form = RunForm("a/b", "main", variables=(RunVariable("K", Secret("x")),), triggered=True)
    assert any("plain variables" in row.note for row in rows(form))


def test_lines_of_pairs_are_read_as_shells_have_them() -> None:
    """Comments and quotes are no part of it; of what is left out the values are not told."""
    pasted = read_pairs(
        '# of tonight\n\nexport DAY=2026-03-14\nNAME="two words"\nEMPTY=\nURL=a=b\n'
        f"no pair {PLANTED}\nbad key={PLANTED}\n_PIPELINE_FILE_NAME=etl-ci.yml\nDAY=2026-03-15"
    )
    assert pasted.variables == (
        RunVariable("DAY", "2026-03-15"), RunVariable("NAME", "two words"),
        RunVariable("EMPTY", ""), RunVariable("URL", "a=b"),
    )  # fmt: skip
    assert pasted.pipeline_file == "etl-ci.yml"
    words, role = pasted_words(pasted)
    assert words == (
        "Pasted 4 variables and the pipeline file; 1 given twice, the last counts: DAY; "
        "skipped: line 7 has no =, line 8 has no usable key."
    )
    assert role == "warning"
    assert PLANTED not in repr(pasted.problems)


def test_a_paste_names_what_was_given_twice_and_what_it_replaced() -> None:
    """The command line refuses the first; neither is lost without a word."""
    before = [RunVariable("B", "0"), RunVariable("KEY", "0")]
    words = pasted_words(read_pairs("A=1\nA=2\nB=1\nA=3"), before)
    twice = "Pasted 2 variables; 1 given twice, the last counts: A; replaced: B."
    assert words == (twice, "warning")
    assert pasted_words(read_pairs("A=1\nB=1"), before) == (
        "Pasted 2 variables; replaced: B.", "text",
    )  # fmt: skip
    assert pasted_words(read_pairs("A=1")) == ("Pasted 1 variable.", "text")


def test_a_paste_of_too_much_is_cut_and_says_so() -> None:
    """A log that was in the clipboard is no set of variables."""
    pasted = read_pairs("\n".join(f"K{number}=1" for number in range(5000)))
    assert len(pasted.variables) == 1000
    assert "everything from line 1001 on" in pasted_words(pasted)[0]


def test_a_set_names_secrets_by_their_keys() -> None:
    """Their values are not there."""
    variables = (RunVariable("DAY", "1"), RunVariable("KEY", Secret(PLANTED)))
    assert set_words(variables) == "DAY=1, KEY (secret)"


def test_what_is_not_known_is_told_until_it_is() -> None:
    """Other variables stay unknown: nobody can say that there were none."""
    new = NewPipeline("a/b", "main", "", (RunVariable("KEY", Secret("")),))
    draft = RunDraft(new, DraftSource.SCHEDULE, knows_file=False, knows_variables=False)
    form = RunForm(draft.new.project, file_is_known=False).filled_from(draft)
    assert unknown_words(form, draft) == (
        "Unknown: the pipeline file; the value of KEY; whether there were other variables."
    )
    form = form.with_file("").with_variable(0, RunVariable("KEY", Secret("x")))
    assert unknown_words(form, draft) == "Unknown: whether there were other variables."
    assert unknown_words(form, None) == ""


@pytest.mark.parametrize(
    ("sentence", "field"),
    [
        ("base: Reference not found", REF),
        ("Missing CI config file", FILE),
        ("variables is invalid", ADD),
        ("Insufficient permissions to create a new pipeline", START),
    ],
)
def test_a_refusal_is_told_at_its_field(sentence: str, field: str) -> None:
    """As far as its words tell."""
    assert blamed(RejectedError(sentence, status=400), triggered=False) == field


def test_a_credential_is_to_blame_for_what_it_may_not_do() -> None:
    """A 404 is one of the trigger token, but not of the access token."""
    missing = NotFoundError("There is none.", status=404)
    assert blamed(missing, triggered=True) == TOKEN
    assert blamed(missing, triggered=False) == START
    assert blamed(CredentialError("There is no trigger token."), triggered=True) == TOKEN
    assert blamed(CredentialError("There is no token."), triggered=False) == WITH
