"""Every route of the project API, asked in ways that no client means: nothing breaks.

The routes are read from the table itself, and lead to things that are there, but for a commit:
looking for its pipeline takes long.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import pytest
from tests.support.clock import FakeClock
from tests.support.platform import api_client, in_project, running_platform

from platui_emulator.http.project_api import ROUTES

if TYPE_CHECKING:
    from collections.abc import Iterator

    import httpx

_PAGES: Final = "page=0&per_page=99999999999999999999&offset=-1"
_NAMES: Final = (
    "search", "ref", "status", "scope", "sha", "source", "name", "username", "order_by", "sort",
    "created_after", "updated_before", "id_after", "page_token", "cursor", "regex", "path", "job",
    "pagination", "simple", "membership", "visibility", "min_access_level", "yaml_errors", "token",
)  # fmt: skip
_ODD_VALUES: Final = ("%00%0A%FF", "-1", "9" * 400, "%5B%7B", "0001-01-01T00:00:00%2B14:00")
QUERIES: Final = (
    _PAGES,
    *("&".join(f"{name}={value}" for name in _NAMES) for value in _ODD_VALUES),
    "&".join(f"{name}[][a]=1&{name}[][a][]=2&{name}=3&{name}[b]=4" for name in _NAMES),
    "pagination=keyset&per_page=1&order_by=id&cursor=%00&page_token=%00&id_after=%00",
    "=&&&[]=1&[a]=2&a[=3&a]=4" + "&a" + "[b]" * 40 + "=5",
)
_FIELDS: Final = (
    "ref", "variables", "token", "name", "description", "cron", "cron_timezone", "active", "key",
    "value", "variable_type", "inputs", "job_variables_attributes", "namespace_id", "path",
)  # fmt: skip
_ODD: Final[tuple[Any, ...]] = (
    {},
    [],
    [1],
    [{}],
    {"a": {"b": []}},
    "\0\ud800",
    -1,
    1e300,
    True,
    "x" * 5000,
)
BODIES: Final = (
    (b"[]", "application/json"),
    (b'{"ref": ', "application/json"),
    (b"[" * 5000, "application/json"),
    (b"\xff\x00", "application/x-www-form-urlencoded"),
    (b"--x\r\nContent-Disposition: form-data\r\n\r\n\xff", "multipart/form-data; boundary=x"),
    (b"x", "multipart/form-data"),
    (b"x", "text/x-yaml"),
    *((json.dumps(dict.fromkeys(_FIELDS, odd)).encode(), "application/json") for odd in _ODD),
)


@pytest.fixture(scope="module")
def doors() -> Iterator[tuple[httpx.Client, list[tuple[str, str]]]]:
    """Run a platform that may be broken; return verbs and addresses of all it has."""
    with running_platform(clock=FakeClock()) as platform, api_client(platform) as api:
        found: dict[str, Any] = {"file": "full-ci.yml", "branch": "main", "ref": "main"}
        found |= {"*file": "logs/dbt.log", "commit": "nothing", "key": "DAY"}
        found["project"] = platform.platform.showcase.id
        found["namespace"] = platform.platform.showcase.group_id
        for name, part in (
            ("pipeline", "pipelines"), ("job", "jobs"), ("schedule", "pipeline_schedules"),
        ):  # fmt: skip
            found[name] = api.get(in_project(platform, part)).json()[0]["id"]
        found["tag"] = api.get(in_project(platform, "repository/tags")).json()[0]["name"]
        yield (
            api,
            [
                (method, pattern.format_map(found))
                for pattern, handlers in ROUTES.table.items()
                for method in handlers
                # It would be the last thing that this token did.
                if (method, pattern) != ("DELETE", "personal_access_tokens/self")
            ],
        )


def test_odd_queries_are_answered(doors: tuple[httpx.Client, list[tuple[str, str]]]) -> None:
    """Values that are none, names that clash, pages that are nowhere."""
    api, every = doors
    # What is deleted by the first question is not there for the others.
    for method, address in sorted(every, key=lambda door: door[0] == "DELETE"):
        for query in QUERIES if method != "DELETE" else QUERIES[:2]:
            answer = api.request(method, f"{address}?{query}")
            assert answer.status_code < 500, (method, address, query)


def test_odd_bodies_are_answered(doors: tuple[httpx.Client, list[tuple[str, str]]]) -> None:
    """No JSON, no form, and JSON in which every field is of the wrong kind."""
    api, every = doors
    for method, address in every:
        for body, kind in BODIES if method in {"POST", "PUT"} else ():
            answer = api.request(method, address, content=body, headers={"Content-Type": kind})
            assert answer.status_code < 500, (method, address, body[:100])
