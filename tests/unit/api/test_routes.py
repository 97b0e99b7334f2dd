"""Ids and paths are encoded in one place."""

from __future__ import annotations

from urllib.parse import unquote

import httpx
from hypothesis import given
from hypothesis import strategies as st

from platui.api import routes


def test_a_path_is_one_segment() -> None:
    """Spec §4.1: slashes are encoded; an id stays an id."""
    assert routes.project("group/sub group/name") == "projects/group%2Fsub%20group%2Fname"
    assert routes.project(42) == "projects/42"
    assert routes.file(1, "a/b-ci.yml") == "projects/1/repository/files/a%2Fb-ci.yml"
    assert routes.log(1, 2) == "projects/1/jobs/2/trace"


def test_dots_do_not_climb() -> None:
    """A file called `..` must not name another resource."""
    url = httpx.URL("https://host/api/v4/" + routes.file(1, ".."))
    assert url.raw_path == b"/api/v4/projects/1/repository/files/%2E%2E"


@given(st.text(min_size=1))
def test_no_name_leaves_its_segment(name: str) -> None:
    """Whatever a project or file is called, it is one segment, and readable again."""
    segment = routes.segment(name)
    assert segment.isascii()
    assert not set(segment) & set("/?#&;= ")
    expected = name.encode("utf-8", "replace").decode()
    assert unquote(segment) == expected
    sent = httpx.URL(f"https://host/api/v4/projects/{segment}/jobs").raw_path.decode()
    assert sent == f"/api/v4/projects/{segment}/jobs"
