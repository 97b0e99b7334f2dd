"""Answers that depend on what the client has: tags, ranges, compression."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING, Any

import pytest
from tests.support.platform import api_client, in_project

if TYPE_CHECKING:
    from collections.abc import Iterator

    import httpx

    from platui_emulator.server import RunningEmulator


@pytest.fixture(scope="module")
def api(still_platform: RunningEmulator) -> Iterator[httpx.Client]:
    """Open a client that asks for plain bodies."""
    with api_client(still_platform) as client:
        client.headers["Accept-Encoding"] = "identity"
        yield client


@pytest.fixture(scope="module")
def ended(api: httpx.Client, still_platform: RunningEmulator) -> str:
    """Return the path of the log of a job that failed."""
    jobs = api.get(in_project(still_platform, "jobs"), params={"scope[]": "failed"}).json()
    return in_project(still_platform, f"jobs/{jobs[0]['id']}/trace")


@pytest.fixture(scope="module")
def running(api: httpx.Client) -> str:
    """Return the path of the log of a job that runs, anywhere in the company."""
    for project in api.get("projects", params={"per_page": 100, "simple": "true"}).json():
        path = f"projects/{project['id']}"
        # Not by a filter on jobs, which would look through half a thousand pipelines of each.
        for pipeline in api.get(f"{path}/pipelines", params={"per_page": 5}).json():
            if pipeline["status"] == "running":
                jobs = f"{path}/pipelines/{pipeline['id']}/jobs"
                for job in api.get(jobs, params={"scope[]": "running"}).json():
                    log = f"{path}/jobs/{job['id']}/trace"
                    if len(api.get(log).content) > 10:
                        return log
    pytest.fail("nothing runs in the whole company")


@pytest.mark.parametrize(
    "path", ["user", "projects/{project}", "projects/{project}/repository/tags"]
)
def test_what_has_not_changed_is_not_sent_again(
    api: httpx.Client, still_platform: RunningEmulator, path: str
) -> None:
    """A weak tag over the body, and a 304 without a body for who has it."""
    path = path.replace("projects/{project}", in_project(still_platform))
    first = api.get(path)
    etag = first.headers["ETag"]
    assert etag.startswith('W/"')
    for known in (etag, etag.removeprefix("W/"), f'"other", {etag}', "*"):
        again = api.get(path, headers={"If-None-Match": known})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["ETag"] == etag
    other = api.get(path, headers={"If-None-Match": 'W/"other"'})
    assert (other.status_code, other.content) == (200, first.content)


def test_the_log_of_an_ended_job_comes_in_parts(api: httpx.Client, ended: str) -> None:
    """Finished logs honour closed and open ranges, and say how long the whole is."""
    whole = api.get(ended)
    size = len(whole.content)
    assert size > 300
    assert whole.headers["Content-Type"] == "text/plain"
    assert whole.headers["Accept-Ranges"] == "bytes"
    assert whole.headers["Content-Disposition"].endswith('.log"')
    for asked, start, end in (
        ("bytes=0-99", 0, 99),
        ("bytes=100-", 100, size - 1),
        (f"bytes=250-{size * 2}", 250, size - 1),
    ):
        part = api.get(ended, headers={"Range": asked})
        assert part.status_code == 206
        assert part.headers["Content-Range"] == f"bytes {start}-{end}/{size}"
        assert part.content == whole.content[start : end + 1]
        assert part.headers["ETag"] == whole.headers["ETag"]


def test_a_range_behind_the_end_is_416(api: httpx.Client, ended: str) -> None:
    """The answer names the length."""
    size = len(api.get(ended).content)
    answer = api.get(ended, headers={"Range": f"bytes={size}-"})
    assert (answer.status_code, answer.headers["Content-Range"]) == (416, f"bytes */{size}")


def test_a_suffix_range_is_refused(api: httpx.Client, ended: str) -> None:
    """The platform does not do suffix ranges, and says 400."""
    assert api.get(ended, headers={"Range": "bytes=-100"}).status_code == 400


@pytest.mark.parametrize("odd", ["lines=1-2", "bytes=5-2", "bytes=0-1,4-5", "bytes=a-b"])
def test_a_range_that_is_none_is_passed_over(api: httpx.Client, ended: str, odd: str) -> None:
    """What is not understood gets everything."""
    assert api.get(ended, headers={"Range": odd}).status_code == 200


def test_a_condition_on_the_range_cannot_hold(api: httpx.Client, ended: str) -> None:
    """Tags are weak, so `If-Range` always leads to the whole log."""
    etag = api.get(ended).headers["ETag"]
    answer = api.get(ended, headers={"Range": "bytes=0-9", "If-Range": etag})
    assert answer.status_code == 200


def test_the_log_of_a_running_job_is_always_whole(api: httpx.Client, running: str) -> None:
    """Ranges are passed over while the job runs, even behind the end."""
    for asked in ("bytes=5-", "bytes=0-4", "bytes=99999999-", "bytes=-5"):
        answer = api.get(running, headers={"Range": asked})
        assert answer.status_code == 200
        assert len(answer.content) > 10
        assert "Accept-Ranges" not in answer.headers


def test_big_bodies_are_packed_for_who_takes_that(
    api: httpx.Client, still_platform: RunningEmulator, ended: str
) -> None:
    """From 250 bytes on; the tag stays, the length is not said."""
    plain = api.get(ended)
    with api.stream("GET", ended, headers={"Accept-Encoding": "br, gzip;q=0.5"}) as packed:
        sent = b"".join(packed.iter_raw())
    assert packed.headers["Content-Encoding"] == "gzip"
    assert packed.headers["ETag"] == plain.headers["ETag"]
    assert "Content-Length" not in packed.headers
    assert "Content-Encoding" not in plain.headers
    assert len(sent) < len(plain.content)
    assert gzip.decompress(sent) == plain.content
    for refused in ("gzip;q=0", "br"):
        answer = api.get(in_project(still_platform), headers={"Accept-Encoding": refused})
        assert "Content-Encoding" not in answer.headers
    small = api.get("version", headers={"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in small.headers


def test_a_part_is_never_packed(api: httpx.Client, ended: str) -> None:
    """Offsets are those of the log itself."""
    headers = {"Range": "bytes=0-299", "Accept-Encoding": "gzip"}
    answer = api.get(ended, headers=headers)
    assert (answer.status_code, len(answer.content)) == (206, 300)
    assert "Content-Encoding" not in answer.headers


def test_head_gives_the_headers_alone(api: httpx.Client, still_platform: RunningEmulator) -> None:
    """A file can be looked up without its content."""
    path = in_project(still_platform, "repository/files/README.md")
    whole = api.get(path, params={"ref": "main"})
    head = api.head(path, params={"ref": "main"})
    body: dict[str, Any] = whole.json()
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["X-Gitlab-Blob-Id"] == body["blob_id"]
    assert head.headers["X-Gitlab-Size"] == str(body["size"])
    assert head.headers["Content-Length"] == str(len(whole.content))


def test_each_answer_is_dated(api: httpx.Client) -> None:
    """The server's own clock is on every answer."""
    assert api.get("user").headers["Date"].endswith(" GMT")
    assert api.get("nowhere").headers["Date"].endswith(" GMT")
