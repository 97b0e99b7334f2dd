"""What a request says of a write, word for word; and what it keeps to itself."""

from __future__ import annotations

import json
import shlex

import pytest

from platui.core.secrets import Secret
from platui.models.values.writes import (
    Confirmation,
    Intent,
    NewPipeline,
    NewProject,
    NewSchedule,
    RecordAction,
    RunVariable,
    ScheduleChange,
    ScheduleVariable,
    WriteAction,
)
from platui.service.writes.requests import RequestContext, command_of, effect_of, request_of

PROD = RequestContext("prod", production=True)
DAY = RunVariable("DAY", "2026-03-14")
KEY = RunVariable("KEY", Secret("planted-secret"))
RUN = NewPipeline("acme/etl", "main", "etl-ci.yml", (DAY, KEY))


@pytest.mark.parametrize(
    ("intent", "effect", "command"),
    [
        (
            NewPipeline(7, "main"),
            "Start a pipeline on main",
            "platui --profile prod run 7 --ref main",
        ),
        (
            RUN,
            "Start a pipeline on main from etl-ci.yml with 2 variables: DAY, KEY (secret)",
            (
                "platui --profile prod run acme/etl --ref main --file etl-ci.yml"
                " --var DAY=2026-03-14 --secret KEY"
            ),
        ),
        (
            NewPipeline(7, "v1", triggered=True, variables=(DAY,)),
            "Trigger a pipeline on v1 with 1 variable: DAY",
            "platui --profile prod trigger 7 --ref v1 --var DAY=2026-03-14",
        ),
        (
            NewSchedule("acme/etl", "at night", "main", "0 1 * * *"),
            'Create the schedule "at night": 0 1 * * * (UTC) on main',
            (
                "platui --profile prod schedule create acme/etl --description 'at night' --ref main"
                " --cron '0 1 * * *' --timezone UTC"
            ),
        ),
        (
            NewSchedule("acme/etl", "x", "main", "0 1 * * *", "Berlin", active=False),
            'Create the schedule "x": 0 1 * * * (Berlin) on main, inactive',
            (
                "platui --profile prod schedule create acme/etl --description x --ref main"
                " --cron '0 1 * * *' --timezone Berlin --active false"
            ),
        ),
        (
            ScheduleChange("acme/etl", 3, cron="0 2 * * *", active=False),
            "Change the schedule #3: cron 0 2 * * *, active false",
            "platui --profile prod schedule edit acme/etl 3 --cron '0 2 * * *' --active false",
        ),
        (
            ScheduleChange(
                "acme/etl",
                3,
                cron="0 2 * * *",
                ref="main",
                name="at night",
                before=(("cron", "0 1 * * *"), ("ref", "")),
            ),
            'Change the schedule "at night": ref (none) → main, cron 0 1 * * * → 0 2 * * *',
            "platui --profile prod schedule edit acme/etl 3 --ref main --cron '0 2 * * *'",
        ),
        (
            NewPipeline(
                "p",
                "main",
                variables=(
                    RunVariable("A", Secret("planted"), "@key.pem"),
                    RunVariable("B", Secret("planted"), "env:B"),
                ),
            ),
            "Start a pipeline on main with 2 variables: A (secret), B (secret)",
            "platui --profile prod run p --ref main --secret A=@key.pem --secret B=env:B",
        ),
        (
            ScheduleVariable("acme/etl", 3, "DAY", "1"),
            "Add the variable DAY of schedule #3",
            "platui --profile prod schedule edit acme/etl 3 --var DAY=1",
        ),
        (
            ScheduleVariable("acme/etl", 3, "KEY", Secret("planted"), "env:K", exists=True),
            "Change the variable KEY (secret) of schedule #3",
            "platui --profile prod schedule edit acme/etl 3 --secret KEY=env:K",
        ),
        (
            ScheduleVariable("acme/etl", 3, "DAY", None, exists=True),
            "Remove the variable DAY of schedule #3",
            "platui --profile prod schedule edit acme/etl 3 --unset DAY",
        ),
        (
            NewProject("sales", "for sales", "private"),
            'Create the project "sales"',
            "platui --profile prod project create sales --description 'for sales' --access private",
        ),
        (
            RecordAction(WriteAction.CANCEL_PIPELINE, "acme/etl", 4711, "main"),
            "Cancel pipeline #4711 main",
            "platui --profile prod cancel acme/etl 4711",
        ),
        (
            RecordAction(WriteAction.RETRY_JOB, "acme/etl", 12, "dbt_run"),
            "Retry job #12 dbt_run",
            "platui --profile prod retry acme/etl --job 12",
        ),
        (
            RecordAction(WriteAction.PLAY_JOB, "acme/etl", 12, "deploy"),
            "Start manual job #12 deploy",
            "platui --profile prod play acme/etl 12",
        ),
        (
            RecordAction(WriteAction.RUN_SCHEDULE, "acme/etl", 3, "at night"),
            "Run schedule #3 at night",
            "platui --profile prod schedule run acme/etl 3",
        ),
        (
            RecordAction(WriteAction.DELETE_SCHEDULE, "acme/etl", 3, "at night"),
            "Permanently delete schedule #3 at night",
            "platui --profile prod schedule delete acme/etl 3 --confirm 'at night'",
        ),
    ],
)
def test_each_write_has_its_words(intent: Intent, effect: str, command: str) -> None:
    """One line for the question, one for a shell."""
    assert effect_of(intent) == effect
    assert shlex.join(command_of(intent, ("--profile", "prod"))) == command


def test_a_platform_without_a_profile_is_named_by_its_address() -> None:
    """Or the command would do the same on another platform, that of the profile of every day."""
    request = request_of(
        [NewPipeline("p", "main")],
        RequestContext("demo", options=("--url", "http://127.0.0.1:8040")),
    )
    assert request.commands == ("platui --url http://127.0.0.1:8040 run p --ref main",)


def test_a_command_names_the_project_by_its_path_where_that_is_known() -> None:
    """What is only a name with its number, or could be read as something else, is no path."""
    intent = NewPipeline(131, "main")
    for called, named in (("a/b", "a/b"), ("b (131)", "131"), ("", "131"), ("a/\ufffd", "131")):
        (command,) = request_of([intent], RequestContext("prod", called=called)).commands
        assert command == f"platui --profile prod run {named} --ref main"


def test_a_preview_shows_the_request_without_its_secrets() -> None:
    """Method, target, and the body as JSON with masks."""
    [request] = request_of([RUN], PROD).http_requests
    assert (request.method, request.target, request.encoding) == (
        "POST", "projects/acme%2Fetl/pipeline?ref=main", "json"
    )  # fmt: skip
    assert json.loads(request.body)["variables"] == [
        {"key": "_PIPELINE_FILE_NAME", "value": "etl-ci.yml"},
        {"key": "DAY", "value": "2026-03-14"},
        {"key": "KEY", "variable_type": "env_var", "secret_value": "•••"},
    ]


def test_a_form_is_shown_as_what_it_says() -> None:
    """The trigger token is masked as well, and named by project and source."""
    triggered = NewPipeline("acme/etl", "main", variables=(KEY,), triggered=True)
    request = request_of([triggered], RequestContext("prod", trigger_source="environment"))
    assert request.http_requests[0].encoding == "form"
    assert json.loads(request.http_requests[0].body) == {
        "token": "•••", "ref": "main", "variables[KEY]": "•••"
    }  # fmt: skip
    assert request.credential == "trigger token of acme/etl from environment"
    assert request_of([RUN], PROD).credential == "access token"


def test_acts_have_no_body() -> None:
    """The path says it all; to change is PUT, to delete is DELETE."""
    delete = RecordAction(WriteAction.DELETE_SCHEDULE, 7, 3)
    cancel = RecordAction(WriteAction.CANCEL_JOB, 7, 12)
    change = ScheduleChange(7, 3, active=True)
    asked = request_of([delete, cancel, change], PROD).http_requests
    assert [(one.method, one.target, one.body != "") for one in asked] == [
        ("DELETE", "projects/7/pipeline_schedules/3", False),
        ("POST", "projects/7/jobs/12/cancel", False),
        ("PUT", "projects/7/pipeline_schedules/3", True),
    ]


def test_a_yes_is_to_exactly_this() -> None:
    """Any other value, ref, project or profile is confirmed otherwise; a secret's value, too."""

    def confirmed(*intents: Intent, by: RequestContext = PROD) -> tuple[str, tuple[str, ...]]:
        yes = Confirmation(request_of(intents, by))
        return yes.profile, yes.digests

    others = [
        NewPipeline("acme/etl", "main", "etl-ci.yml", (RunVariable("DAY", "2026-03-15"), KEY)),
        NewPipeline("acme/etl", "dev", "etl-ci.yml", (DAY, KEY)),
        NewPipeline("acme/ml", "main", "etl-ci.yml", (DAY, KEY)),
        NewPipeline("acme/etl", "main", "", (DAY, KEY)),
        NewPipeline("acme/etl", "main", "etl-ci.yml", (DAY,)),
        NewPipeline("acme/etl", "main", "etl-ci.yml", (DAY, RunVariable("KEY", "plain"))),
        NewPipeline("acme/etl", "main", "etl-ci.yml", (DAY, RunVariable("KEY", Secret("other")))),
        NewPipeline("acme/etl", "main", "etl-ci.yml", (DAY, KEY), triggered=True),
    ]
    different = {confirmed(intent) for intent in others}
    assert len(different) == len(others)
    assert confirmed(RUN) not in different
    assert confirmed(RUN, by=RequestContext("dev")) != confirmed(RUN)
    assert confirmed(RUN, RUN) != confirmed(RUN)
    assert confirmed(RUN) == confirmed(RUN)


def test_several_are_one_question() -> None:
    """Of one kind, or of more; of one project, or of several."""
    acts = [RecordAction(WriteAction.CANCEL_PIPELINE, 7, number) for number in (1, 2, 3)]
    assert request_of(acts, PROD).effect == "Cancel 3 pipelines"
    assert request_of(acts, PROD).project == 7
    mixed = [*acts, RecordAction(WriteAction.RETRY_JOB, 8, 4)]
    assert request_of(mixed, PROD).effect == "4 changes"
    assert request_of(mixed, PROD).project is None
    jobs = [RecordAction(WriteAction.RETRY_JOB, 7, number) for number in (1, 2)]
    assert request_of(jobs, PROD).effect == "Retry 2 jobs"


def test_hostile_names_are_clean() -> None:
    """Nothing of a name reaches a terminal but its letters."""
    intent = RecordAction(WriteAction.RETRY_JOB, 7, 12, "a\x1b[2Jb\nc")
    assert effect_of(intent).isprintable()
    assert effect_of(NewPipeline(7, "\x1b]52;c;x\x07")).isprintable()


def test_no_plan_shows_a_secret() -> None:
    """In no field and no repr."""
    for triggered in (False, True):
        run = NewPipeline("acme/etl", "main", variables=(KEY,), triggered=triggered)
        assert "planted" not in repr(request_of([run], PROD))
