"""What a draft of running again says, and what it admits not to know."""

from __future__ import annotations

from dataclasses import replace

from platui.core.secrets import Secret
from platui.models.values.drafts import DraftSource, RunDraft, RunForm
from platui.models.values.writes import NewPipeline, RunVariable
from platui.models.wire import Variable
from platui.present.writes.run_form import unknown_words
from platui.service.writes.reruns import draft_from, plain_ref

FILE = Variable(key="_PIPELINE_FILE_NAME", value="etl-ci.yml")
DAY = Variable(key="DAY", value="2026-03-14")
KEY = Variable(key="KEY", value=None)


def test_variables_name_file_and_secrets() -> None:
    """A value that is not shown is a secret, to be typed again."""
    draft = draft_from(12, "main", (FILE, DAY, KEY), DraftSource.VARIABLES)
    kept = (RunVariable("DAY", "2026-03-14"), RunVariable("KEY", Secret("")))
    assert draft.new == NewPipeline(12, "main", "etl-ci.yml", kept)
    assert (
        unknown_words(RunForm(draft.new.project, file_is_known=False).filled_from(draft), draft)
        == "Unknown: the value of KEY."
    )


def test_a_variable_of_another_type_is_named() -> None:
    """It is sent as text; the job expects the path of a file with it."""
    key = Variable(key="CERTIFICATE", value="-----BEGIN", variable_type="file")
    day = Variable(key="DAY", value="2026-03-14", variable_type="env_var")
    draft = draft_from(12, "main", (FILE, key, day), DraftSource.VARIABLES)
    form = RunForm(draft.new.project, file_is_known=False).filled_from(draft)
    assert unknown_words(form, draft) == "Sent as env_var, but had another type: CERTIFICATE."
    assert unknown_words(replace(form, variables=form.variables[1:]), draft) == ""


def test_a_file_that_nothing_names_is_not_known() -> None:
    """The project's own file is never assumed."""
    draft = draft_from(12, "main", (DAY,), DraftSource.VARIABLES)
    assert not draft.knows_file
    assert (
        unknown_words(RunForm(draft.new.project, file_is_known=False).filled_from(draft), draft)
        == "Unknown: the pipeline file."
    )


def test_a_schedules_variables_are_not_all() -> None:
    """Others may have come along."""
    draft = draft_from(12, "main", (FILE,), DraftSource.SCHEDULE)
    assert (
        unknown_words(RunForm(draft.new.project, file_is_known=False).filled_from(draft), draft)
        == "Unknown: whether there were other variables."
    )


def test_an_empty_value_is_a_value() -> None:
    """Nothing is secret about it."""
    draft = draft_from(12, "main", (Variable(key="A", value=""),), DraftSource.VARIABLES)
    assert draft.new.variables == (RunVariable("A", ""),)


def test_of_a_ref_alone_all_else_is_unknown() -> None:
    """Each is named."""
    draft = RunDraft(
        NewPipeline(12, "main"), DraftSource.NOTHING, knows_file=False, knows_variables=False
    )
    assert (
        unknown_words(RunForm(draft.new.project, file_is_known=False).filled_from(draft), draft)
        == "Unknown: the pipeline file; whether there were other variables."
    )


def test_refs_have_short_names() -> None:
    """Newer platforms write them in full."""
    assert plain_ref("refs/heads/feature/x") == "feature/x"
    assert plain_ref("refs/tags/v1") == "v1"
    assert plain_ref("main") == "main"
