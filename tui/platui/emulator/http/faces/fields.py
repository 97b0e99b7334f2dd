"""The spec's tables as data: which operations there are, what they take and what they answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

Shape: TypeAlias = "Mapping[str, Shape | None]"
"""The fields of a record. One whose value is a record, or a list of them, has its own shape."""


def _fields(names: str, **records: Shape) -> Shape:
    return {**dict.fromkeys(names.split()), **records}


# §2.2; `illustration` is an object nobody describes.
PIPELINE_SUMMARY: Final = _fields("id sha ref status created_at updated_at web_url")
DETAILED_STATUS: Final = _fields(
    "icon text label group tooltip has_details details_path illustration favicon"
)

# §2.4
USER: Final = _fields("id name username state avatar_url web_url")
JOB_USER: Final = {
    **USER,
    **_fields(
        "created_at bio bio_html location public_email skype linkedin twitter website_url"
        " organization job_title work_information"
    ),
}

PIPELINE_DETAIL: Final = {
    **PIPELINE_SUMMARY,
    **_fields(
        "before_sha tag yaml_errors started_at finished_at committed_at duration coverage",
        user=USER,
        detailed_status=DETAILED_STATUS,
    ),
}

# §2.5
COMMIT: Final = _fields(
    "id short_id title message author_name author_email committer_name committer_email web_url"
    " created_at authored_date committed_date parent_ids"
)

# §2.3
ARTIFACT: Final = _fields("file_type size filename file_format")
RUNNER: Final = _fields("id description ip_address active is_shared name online status")
JOB: Final = _fields(
    "id status stage name ref tag coverage allow_failure created_at started_at finished_at duration"
    " web_url artifacts_expire_at",
    user=JOB_USER,
    commit=COMMIT,
    pipeline=PIPELINE_SUMMARY,
    artifacts=ARTIFACT,
    runner=RUNNER,
)

# §2.6
FILE: Final = _fields(
    "file_name file_path encoding content_sha256 ref blob_id commit_id last_commit_id size content"
)

# §2.7: "has at least"; the narrowest reading is "has"
PROJECT: Final = _fields("id description name")
NAMESPACE: Final = _fields("id name path kind")

# §4.3, create-schedule parameters
SCHEDULE_INPUT: Final = _fields("description ref cron cron_timezone active")

# §4.3 shows no answer of these three. A created record has an id, or nobody could speak of it;
# beyond that it says what its list item says, or what it was made of.
CREATED_PROJECT: Final = PROJECT
TRIGGERED_PIPELINE: Final = PIPELINE_SUMMARY
CREATED_SCHEDULE: Final = {"id": None, **SCHEDULE_INPUT}


@dataclass(frozen=True, slots=True)
class Operation:
    """One row of §4.3."""

    shape: Shape | None
    """Of the answer, or of each item of a list; None where the answer is no record."""
    takes: frozenset[str] = frozenset()
    """Parameters of query and body."""


def _operation(shape: Shape | None, takes: str = "") -> Operation:
    return Operation(shape, frozenset(takes.split()))


_PAGED: Final = "page per_page"  # §8
_IN: Final = "projects/{project}"

OPERATIONS: Final[Mapping[str, Operation]] = {
    "GET projects": _operation(PROJECT, _PAGED),
    "POST projects": _operation(CREATED_PROJECT, "name description permissions"),
    "GET namespaces": _operation(NAMESPACE, _PAGED),
    f"POST {_IN}/trigger/pipeline": _operation(TRIGGERED_PIPELINE, "token ref variables"),
    f"POST {_IN}/pipeline": _operation(PIPELINE_DETAIL, "ref variables"),
    f"GET {_IN}/pipelines": _operation(PIPELINE_SUMMARY, _PAGED),
    f"GET {_IN}/pipelines/{{pipeline}}": _operation(PIPELINE_DETAIL),
    f"GET {_IN}/pipelines/{{pipeline}}/jobs": _operation(JOB, _PAGED),
    f"GET {_IN}/jobs": _operation(JOB, _PAGED),
    f"GET {_IN}/jobs/{{job}}": _operation(JOB),
    f"GET {_IN}/jobs/{{job}}/trace": _operation(None),
    f"GET {_IN}/repository/files/{{file}}": _operation(FILE, "ref"),
    f"POST {_IN}/pipeline_schedules": _operation(
        CREATED_SCHEDULE, "description ref cron cron_timezone active"
    ),
}
"""By verb and pattern. Spec §1: GET and POST are the verbs there are."""

REFUSAL_HEADERS: Final = frozenset(
    {
        "ratelimit-limit",
        "ratelimit-observed",
        "ratelimit-remaining",
        "ratelimit-reset",
        "ratelimit-resettime",
        "retry-after",
    }
)
"""§8: on a refusal with 429, and on nothing else."""

REQUEST_HEADERS: Final = frozenset(
    {"private-token", "content-type", "content-length", "accept", "accept-encoding", "host"}
)
"""§5.2 and HTTP itself; how a job token is sent is not shown, so nobody can send one."""
