"""The narrowest platform that keeps the spec: no route, field, filter or header beyond it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from starlette.datastructures import Headers

from platui_emulator.http.answers import json_answer
from platui_emulator.http.variants.variant import Variant

if TYPE_CHECKING:
    from starlette.responses import Response

    from platui_emulator.http.call import Call


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
"""§5.2 and HTTP itself; the specification shows no header for job tokens, so none is accepted."""


_UNAUTHORIZED: Final = 401
_TOO_MANY: Final = 429
_REFUSALS: Final = 400
_SENT: Final = frozenset({"content-type", "content-length", "content-encoding", "vary"})


class SpecOnly(Variant):
    """The spec and nothing else."""

    def asked(self, headers: Headers) -> Headers:
        """Understand the credential, the kind of body and compression; no conditions or ranges."""
        kept = [(name, value) for name, value in headers.raw if name.decode() in REQUEST_HEADERS]
        return Headers(raw=kept)

    def admits(self, method: str, pattern: str) -> bool:
        """Have the operations of §4.3; HEAD is not among the verbs of §1."""
        return f"{method} {pattern}" in OPERATIONS

    def incoming(self, call: Call) -> None:
        """Ignore parameters that the operation does not have."""
        call.params = call.params.only(OPERATIONS[call.route].takes)

    def answered(self, route: str, response: Response) -> Response:
        """Cut records down to their fields; all that is wrong with a credential sounds the same."""
        if response.status_code == _UNAUTHORIZED:
            return json_answer({"message": "401 Unauthorized"}, _UNAUTHORIZED)  # §7
        operation = OPERATIONS.get(route)
        if operation is None or operation.shape is None or response.status_code >= _REFUSALS:
            return response
        body = json.loads(bytes(response.body))
        return json_answer(narrowed(body, operation.shape), response.status_code)

    def sent(self, response: Response) -> None:
        """Keep the headers that HTTP needs, and those of the quota on a 429."""
        kept = _SENT | REFUSAL_HEADERS if response.status_code == _TOO_MANY else _SENT
        for name in {*response.headers} - kept:
            del response.headers[name]


def narrowed(value: Any, shape: Shape | None) -> Any:
    """Return a record, or each of a list, with the fields of a shape and no others."""
    if shape is None:
        return value
    if isinstance(value, list):
        return [narrowed(item, shape) for item in value]
    if isinstance(value, dict):
        return {name: narrowed(value[name], shape[name]) for name in value if name in shape}
    return value
