"""The report at any size, and from day to day (spec 2.1)."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest
from tests.support.clock import FakeClock
from tests.support.openapi import fits
from tests.support.platform import ask, running_platform

from platui_emulator.scenarios import Sizes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import httpx

    from platui_emulator.server import RunningEmulator

USERS = 1600
LEVELS = ("GUEST", "REPORTER", "DEVELOPER", "MAINTAINER", "OWNER")


@pytest.fixture(scope="module")
def vast() -> Iterator[RunningEmulator]:
    """Run the scenario `huge-report`, just large enough to be streamed."""
    sizes = Sizes(report_users=USERS)
    with running_platform(scenario="huge-report", sizes=sizes, clock=FakeClock()) as emulator:
        yield emulator


@pytest.fixture(scope="module")
def small() -> Iterator[RunningEmulator]:
    """Run the default company; its day does not end during the test."""
    with running_platform(clock=FakeClock()) as emulator:
        yield emulator


@dataclass
class Content:
    """A report taken apart."""

    users: dict[str, dict[str, Any]] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    paths: dict[str, str] = field(default_factory=dict)
    projects: set[int] = field(default_factory=set)
    levels: dict[tuple[int, str, int], str] = field(default_factory=dict)
    """By person, place and its id."""
    depth: int = 0
    odd: set[str] = field(default_factory=set)
    """Which of the fields that may be absent or empty are so somewhere."""


def _text(platform: RunningEmulator) -> bytes:
    answer = _ask(platform, "identity")
    assert answer.status_code == 200
    return answer.content


def _ask(platform: RunningEmulator, encoding: str) -> httpx.Response:
    headers = {"Authorization": f"Bearer {platform.admin_key}", "Accept-Encoding": encoding}
    return ask("GET", f"{platform.admin_url}/api/v1/reporting/report", headers=headers)


def _take_apart(text: bytes) -> Content:
    report = json.loads(text, object_pairs_hook=_unique)
    content = Content(users=report["users"])
    _groups(content, report["platform"]["groups"], 1)
    return content


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    assert len(found) == len(pairs), "a key comes twice"
    return found


def _groups(content: Content, groups: Mapping[str, Any], depth: int) -> None:
    content.depth = max(content.depth, depth)
    for id_, group in groups.items():
        content.names[id_], content.paths[id_] = group["name"], group["path"]
        _members(content, "group", id_, group["members"])
        for name in ("projects", "subgroups"):
            if not group.get(name):
                content.odd.add(f"{'empty' if name in group else 'absent'} {name}")
        for number, project in group.get("projects", {}).items():
            assert project["path"].startswith(f"{group['path']}/")
            content.projects.add(int(number))
            _members(content, "project", number, project["members"])
        for below in group.get("subgroups", {}).values():
            assert below["path"].startswith(f"{group['path']}/")
        _groups(content, group.get("subgroups", {}), depth + 1)


def _members(content: Content, place: str, id_: str, members: Mapping[str, Any]) -> None:
    for person, member in members.items():
        content.levels[int(person), place, int(id_)] = member["max_access_level"]


def _desk(platform: RunningEmulator, method: str, path: str) -> dict[str, Any]:
    answer = ask(method, f"{platform.base_url}/-/emulator/report{path}")
    assert answer.status_code == 200
    return dict(answer.json())


def test_the_huge_report_has_all_shapes_of_the_spec(vast: RunningEmulator) -> None:
    """Every field that may be absent, empty or null is; levels and states nobody has seen."""
    text = _text(vast)
    document = ask("GET", f"{vast.admin_url}/api/v1/openapi.json").json()
    assert fits(json.loads(text), {"$ref": "#/components/schemas/Report"}, document)
    content = _take_apart(text)
    assert USERS <= len(content.users) < USERS * 1.2
    assert len(content.projects) == pytest.approx(USERS * 2 / 5, rel=0.1)
    assert len(content.levels) == pytest.approx(USERS * 40, rel=0.1)
    assert content.depth >= 4
    assert content.odd == {
        "absent projects", "empty projects", "absent subgroups", "empty subgroups"
    }  # fmt: skip
    assert {str(person) for person, _, _ in content.levels} <= content.users.keys()
    assert set(content.levels.values()) > {*LEVELS, "PLANNER"}
    users = content.users.values()
    assert {user["state"] for user in users} > {"active", "blocked", "deactivated", "banned"}
    assert {user["service_identity_uuid"] is None for user in users} == {True, False}
    assert any(not user["name"].isascii() for user in users)
    assert len({user["username"] for user in users}) == len(users)
    assert all(user["email"].isascii() for user in users)


def test_members_of_a_group_come_again_in_its_projects(vast: RunningEmulator) -> None:
    """Inheritance makes doubles, each place with a level of its own."""
    levels = _take_apart(_text(vast)).levels
    in_groups = {person for person, place, _ in levels if place == "group"}
    in_projects = {person for person, place, _ in levels if place == "project"}
    assert len(in_groups & in_projects) > USERS // 2


def test_the_huge_report_is_streamed(vast: RunningEmulator) -> None:
    """Nobody knows its length beforehand; gzipped it is the same; HEAD makes nothing of it."""
    plain, packed = _ask(vast, "identity"), _ask(vast, "gzip")
    for answer in (plain, packed):
        assert "Content-Length" not in answer.headers
        assert answer.headers["Content-Type"] == "application/json"
    assert packed.headers["Content-Encoding"] == "gzip"
    assert packed.num_bytes_downloaded < len(plain.content) // 3
    assert packed.content == plain.content
    headers = {"Authorization": f"Bearer {vast.admin_key}"}
    head = ask("HEAD", f"{vast.admin_url}/api/v1/reporting/report", headers=headers)
    assert (head.status_code, head.content) == (200, b"")


@pytest.mark.parametrize("name", ["vast", "small"])
@pytest.mark.parametrize("periods", [1, 9, 40])
def test_two_reports_differ_by_what_the_desk_says(
    request: pytest.FixtureRequest, name: str, periods: int
) -> None:
    """Who joined and left, whose level changed, which projects came, which groups are renamed."""
    platform: RunningEmulator = request.getfixturevalue(name)
    since = _desk(platform, "GET", "")["period"]
    before = _take_apart(_text(platform))
    assert _desk(platform, "POST", f"/advance?periods={periods}") == {"period": since + periods}
    after = _take_apart(_text(platform))
    told = _desk(platform, "GET", f"/changes?from={since}&to={since + periods}")

    joined = {int(id_) for id_ in after.users.keys() - before.users.keys()}
    assert joined == {one["user_id"] for one in told["joined"]}
    left = {(int(id_), "gone") for id_ in before.users.keys() - after.users.keys()}
    left |= {
        (int(id_), after.users[id_]["state"])
        for id_ in before.users.keys() & after.users.keys()
        if before.users[id_] != after.users[id_]
    }
    assert left == {(one["user_id"], one["how"]) for one in told["left"]}

    added, removed = after.projects - before.projects, before.projects - after.projects
    assert (sorted(added), sorted(removed)) == (told["projects_added"], told["projects_removed"])
    new = {key: level for key, level in after.levels.items() if key not in before.levels}
    assert {key for key in new if key[2] not in added} == {
        (one["user_id"], place, id_)
        for one in told["joined"]
        for place, id_, _ in one["memberships"]
    }
    changed = {
        (*key, before.levels[key], level)
        for key, level in after.levels.items()
        if before.levels.get(key, level) != level
    }
    moves = [*told["raised"], *told["lowered"]]
    assert changed == {tuple(one.values()) for one in moves}
    for one in moves:
        up = LEVELS.index(one["after"]) > LEVELS.index(one["before"])
        assert up == (one in told["raised"])
    renamed = {
        (int(id_), before.names[id_], name)
        for id_, name in after.names.items()
        if before.names[id_] != name
    }
    assert renamed == {tuple(one.values()) for one in told["groups_renamed"]}
    assert after.paths == before.paths
    assert all(told[what] for what in ("joined", "left", "raised", "lowered", "projects_added"))
    assert renamed


def test_a_period_is_a_day_and_a_report_is_the_same_all_day() -> None:
    """Two platforms of one seed agree; the next day brings the next report."""
    clock = FakeClock()
    with running_platform(clock=clock) as one, running_platform(clock=FakeClock()) as other:
        first, text = _desk(one, "GET", "")["period"], _text(one)
        clock.jump(3600)
        assert text == _text(one) == _text(other)
        clock.jump(86_400)
        assert _desk(one, "GET", "")["period"] == first + 1
        _desk(other, "POST", "/advance")
        assert text != _text(one) == _text(other)


@pytest.mark.parametrize("asked", ["from=9&to=2", "from=-1&to=2", "from=x", "to=99999999"])
def test_impossible_periods_are_refused(small: RunningEmulator, asked: str) -> None:
    """With the field that is wrong."""
    answer = ask("GET", f"{small.base_url}/-/emulator/report/changes?{asked}")
    assert answer.status_code == 400
    moved = ask("POST", f"{small.base_url}/-/emulator/report/advance?periods=0")
    assert moved.status_code == 400
