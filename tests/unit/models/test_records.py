"""Records ask for an id and take everything else as it comes."""

from __future__ import annotations

import base64
import sys
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import TypeAdapter, ValidationError

from platui.core.errors import InvalidResponseError
from platui.models.wire import Job, Namespace, Pipeline, Project, RepositoryFile, Schedule

if TYPE_CHECKING:
    from platui.models.wire import Record


@pytest.mark.parametrize("model", [Job, Namespace, Pipeline, Project, Schedule])
def test_an_id_is_enough(model: type[Record]) -> None:
    """Everything beyond the id is optional."""
    record = model.model_validate({"id": 7})
    assert record.model_dump()["id"] == 7


@pytest.mark.parametrize("model", [Job, Namespace, Pipeline, Project, Schedule])
def test_without_an_id_there_is_no_record(model: type[Record]) -> None:
    """A record nobody can address is refused, and the refusal shows no input."""
    with pytest.raises(ValidationError) as refused:
        model.model_validate({"name": "planted-secret"})
    assert "planted-secret" not in str(refused.value)


@pytest.mark.parametrize("odd", [None, [], {}, "text", 1.5, True, [1], {"a": 1}])
@pytest.mark.parametrize("model", [Job, Namespace, Pipeline, Project, Schedule])
def test_fields_of_an_odd_type_do_not_spoil_the_record(model: type[Record], odd: object) -> None:
    """Whatever stands in any field but the id, the record is there and hashable."""
    body = dict.fromkeys(model.model_fields, odd) | {"id": 7, "of_tomorrow": odd}
    record = model.model_validate(body)
    assert record.model_dump()["id"] == 7
    hash(record)


@pytest.mark.parametrize("number", [10**400, 2**63, -(2**63) - 1, "1" + "0" * 400])
def test_a_number_of_more_than_64_bits_is_none(number: int | str) -> None:
    """It ended the details of a job whose artifact has such a size."""
    job = Job.model_validate({"id": 7, "artifacts": [{"size": number}], "runner": {"id": number}})
    assert job.artifacts[0].size is None
    assert job.runner is not None
    assert job.runner.id == 0
    with pytest.raises(ValidationError):
        Job.model_validate({"id": number})


@pytest.mark.parametrize(
    ("said", "meant"),
    [(None, None), (30, 30.0), (30.5, 30.5), ("30.00", 30.0), ("soon", None), ("Infinity", None)],
)
def test_coverage_is_null_number_or_text(said: object, meant: float | None) -> None:
    """The spec says null or number, GitLab writes a string."""
    assert Pipeline.model_validate({"id": 1, "coverage": said}).coverage == meant


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("2022-09-21T01:05:07.200Z", datetime(2022, 9, 21, 1, 5, 7, 200_000, tzinfo=UTC)),
        ("2022-09-21T01:05:07Z", datetime(2022, 9, 21, 1, 5, 7, tzinfo=UTC)),
        ("2022-09-21T03:05:07.200+02:00", datetime(2022, 9, 21, 1, 5, 7, 200_000, tzinfo=UTC)),
        ("2022-09-21T01:05:07", datetime(2022, 9, 21, 1, 5, 7, tzinfo=UTC)),
        ("yesterday", None),
        ("", None),
        # What programs write that have none; other zones have no time of day for these.
        ("0001-01-01T00:00:00Z", None),
        ("9999-12-31T23:59:59Z", None),
    ],
)
def test_timestamps_are_aware_whatever_their_form(said: str, meant: datetime | None) -> None:
    """With or without milliseconds and offset; what is no timestamp is blank."""
    moment = Pipeline.model_validate({"id": 1, "created_at": said}).created_at
    assert moment == meant
    if moment is not None:
        assert (moment.tzinfo is UTC) == ("+02:00" not in said), "a zone for each takes memory"


def test_an_offset_is_kept() -> None:
    """The platform's own zone is still known."""
    said = {"id": 1, "created_at": "2022-09-21T03:05:07.200+02:00"}
    moment = Pipeline.model_validate(said).created_at
    assert moment is not None
    assert moment.utcoffset() == timedelta(hours=2)


def test_unknown_statuses_stay_as_they_are() -> None:
    """A status of a later release is text like any other."""
    assert Job.model_validate({"id": 1, "status": "pondering"}).status == "pondering"


def test_nested_records_may_be_partly_filled_or_missing() -> None:
    """A user without id keeps the name; a pipeline without id is none."""
    job = Job.model_validate(
        {
            "id": 1,
            "user": {"name": "A. Khan"},
            "commit": {"title": "rename"},
            "runner": {"description": "prod-3", "online": None},
            "pipeline": {"ref": "main"},
            "artifacts": [{"file_type": "trace", "file_format": None}],
        },
    )
    assert job.user is not None
    assert (job.user.id, job.user.name) == (0, "A. Khan")
    assert job.commit is not None
    assert job.commit.title == "rename"
    assert job.runner is not None
    assert job.runner.online is None
    assert job.pipeline is None
    assert job.artifacts[0].file_type == "trace"


@pytest.mark.parametrize(
    ("said", "sizes"),
    [
        ('[null,{"size":1},"x",[],{"size":"many"},7]', [1, None]),
        ("null", []),
        ('{"size":1}', []),
        ("[]", []),
    ],
)
def test_one_odd_part_does_not_hide_the_others(said: str, sizes: list[int | None]) -> None:
    """Of a list inside a record."""
    job = Job.model_validate_json(f'{{"id":1,"artifacts":{said}}}')
    assert [artifact.size for artifact in job.artifacts] == sizes


def test_yaml_errors_are_one_text_however_they_come() -> None:
    """The spec says null or error information."""
    said: dict[str, Any] = {"id": 1, "yaml_errors": {"base": ["no jobs", "no stages"]}}
    assert Pipeline.model_validate(said).yaml_errors == "no jobs, no stages"


def test_a_projects_runners_token_is_not_kept() -> None:
    """It is a secret that the platform sends unasked."""
    project = Project.model_validate({"id": 1, "runners_token": "planted-secret"})
    assert "planted-secret" not in repr(project)
    assert "planted-secret" not in project.model_dump_json()


def test_an_error_about_a_file_is_clean_and_short() -> None:
    """Its path is the platform's: a line of its own would look like ours."""
    path = "a\nplatui: all is well\x1b[2J" + "x" * 1000
    file = RepositoryFile(file_path=path, encoding="base64", content="not base64!")
    with pytest.raises(InvalidResponseError) as raised:
        file.decoded()
    assert raised.value.sentence.isprintable()
    assert len(raised.value.sentence) < 250


def test_a_file_is_decoded() -> None:
    """Base64 with line ends, and plain text."""
    content = base64.encodebytes(b"stages: [load]\n" * 20).decode()
    encoded = {"file_path": "a.yml", "encoding": "base64", "content": content}
    file = RepositoryFile.model_validate(encoded)
    assert file.decoded() == b"stages: [load]\n" * 20
    plain = RepositoryFile.model_validate({"file_path": "a", "encoding": "text", "content": "ä"})
    assert plain.decoded() == "ä".encode()


@pytest.mark.parametrize("content", ["%%%", "abc", "ab\u00e9="])
def test_a_file_that_is_not_its_encoding_says_so(content: str) -> None:
    """A wrong encoding is an error with the file's name, not wrong bytes."""
    said = {"file_path": "a.yml", "encoding": "base64", "content": content}
    with pytest.raises(InvalidResponseError, match=r"a\.yml"):
        RepositoryFile.model_validate(said).decoded()


def test_a_list_of_records_is_read_from_bytes() -> None:
    """Numbers in strings and strings in numbers are no reason to stop."""
    jobs = TypeAdapter(list[Job]).validate_json(b'[{"id":"3","name":5,"duration":"1.5"}]')
    assert (jobs[0].id, jobs[0].name, jobs[0].duration) == (3, "5", 1.5)


def test_records_share_the_set_of_given_fields() -> None:
    """A set of its own would take more memory than the rest of a record; copies are unaffected."""
    one, other = (
        TypeAdapter(Pipeline).validate_python({"id": id_, "ref": "main"}) for id_ in (1, 2)
    )
    copy = one.model_copy(update={"ref": "develop"})
    assert one.model_fields_set is other.model_fields_set
    assert (copy.ref, one.ref, other.model_fields_set) == ("develop", "main", set())
    assert one == TypeAdapter(Pipeline).validate_python({"id": 1, "ref": "main"})


@pytest.mark.parametrize("model", [Job, Pipeline, Project, Schedule])
def test_records_share_the_names_of_their_fields(model: type[Record]) -> None:
    """The board holds thousands: names in each of them would take most of the memory."""
    record = model.model_validate({"id": 7})
    with_own_names = dict(vars(record).items())
    assert sys.getsizeof(vars(record)) < sys.getsizeof(with_own_names)
    assert record == model.model_validate({"id": 7})
