"""People, groups, projects, and what lies in their repositories."""

from __future__ import annotations

import re
from collections import Counter
from hashlib import sha1

from hypothesis import given
from hypothesis import strategies as st
from tests.support.company import NOW, company, moments, newest

from platui_emulator.world.clock import SeededRandom
from platui_emulator.world.history import Shas

LEVELS = {"OWNER", "MAINTAINER", "DEVELOPER", "REPORTER", "GUEST"}


def test_the_company_is_believable() -> None:
    """Nested groups, sixty projects, forty people, bots and somebody who left; nothing twice."""
    people, groups, projects = company().people(), company().groups(), company().projects()
    assert len({one.username for one in people}) == len(people) >= 40
    assert Counter(one.state for one in people)["blocked"] == 1
    assert sum(one.bot for one in people) >= 3
    assert len({one.full_path for one in projects}) == len(projects) == 60
    assert len({one.description for one in projects}) == 60
    assert max(one.full_path.count("/") for one in groups) == 2
    ids = {one.id for one in groups}
    assert all(one.parent_id is None or one.parent_id in ids for one in groups)
    assert all(one.group_id in ids for one in projects)
    assert not ids & {one.id for one in people}


def test_places_are_found_by_id_and_path() -> None:
    """Both names of a place lead to it, and nothing else does."""
    project, group = company().projects()[17], company().groups()[4]
    assert company().project(project.id) == company().project(project.full_path) == project
    assert company().group(group.id) == company().group(group.full_path) == group
    assert company().project("acme/none") is None
    assert company().project(5) is None
    assert company().group(0) is None


def test_everybody_in_a_group_or_project_exists() -> None:
    """Members are people of the company, once each, on known levels; the top has an owner."""
    known = {one.id for one in company().people()}
    lists = [company().group_members(one.id) for one in company().groups()]
    lists += [company().project_members(one.id) for one in company().projects()]
    for members in lists:
        assert members
        ids = [one.person_id for one in members]
        assert ids == sorted(set(ids))
        assert set(ids) <= known
    assert {one.level for members in lists for one in members} == LEVELS
    assert "OWNER" in {one.level for one in company().group_members(11)}
    assert company().group_members(1) == company().project_members(1) == ()


@given(number=st.integers(0, 2**32 - 1))
def test_a_hash_leads_back_to_its_commit(number: int) -> None:
    """Whole or short, a hash is read backwards; a wrong digit is noticed."""
    shas = Shas(SeededRandom(7), 101)
    sha = shas.sha(number)
    assert re.fullmatch(r"[0-9a-f]{40}", sha)
    assert shas.number(sha) == shas.number(sha[:8]) == shas.number(sha[:12]) == number
    wrong = sha[:-1] + ("0" if sha[-1] != "0" else "1")
    assert shas.number(wrong) is None
    assert shas.number(sha[:7]) is shas.number("zz" + sha[2:]) is None


def test_commits_form_a_history() -> None:
    """From a branch back, each parent exists and is older."""
    for project in list(company().projects())[::12]:
        commit = company().repositories.commit(project.id, "HEAD", NOW)
        for _ in range(25):
            assert commit is not None
            if not commit.parents:
                break
            for parent in commit.parents:
                older = company().repositories.commit(project.id, parent, NOW)
                assert older is not None
                assert older.authored_at < commit.authored_at
            commit = company().repositories.commit(project.id, commit.parents[0], NOW)


def test_pipelines_run_on_commits_that_exist() -> None:
    """The hash of a pipeline is a commit of its project, made before it."""
    for now in (NOW, *moments(2)):
        for project in list(company().projects())[::4]:
            for pipeline in newest(project, now, 15):
                commit = company().repositories.commit(project.id, pipeline.sha, now)
                assert commit is not None
                assert commit.authored_at == pipeline.committed_at <= pipeline.created_at
                assert pipeline.tag == pipeline.ref.startswith("v")


def test_branches_and_tags_name_commits() -> None:
    """The default branch is there, others come and go, tags are unique."""
    seen = set()
    for now in moments(4):
        for project in list(company().projects())[::10]:
            branches = company().repositories.branches(project.id, now)
            assert [one.name for one in branches if one.default] == ["main"]
            assert len({one.name for one in branches}) == len(branches) >= 2
            tags = company().repositories.tags(project.id, now)
            assert len({one.name for one in tags}) == len(tags) > 3
            named = [(one.name, one.commit) for one in branches]
            named += [(one.name, one.commit) for one in tags]
            for name, commit in named:
                assert company().repositories.commit(project.id, name, now) == commit
                assert commit.authored_at <= now
            seen |= {one.name for one in branches}
    assert len(seen) > 30
    assert company().repositories.commit(101, "nowhere", NOW) is None


def test_pipeline_files_say_what_runs() -> None:
    """Each job of a pipeline stands in the file that its variable names, with its stage."""
    for project in list(company().projects())[::5]:
        for pipeline in newest(project, NOW, 6):
            chosen = [v.value for v in pipeline.variables if v.key == "_PIPELINE_FILE_NAME"]
            if not chosen:
                continue
            file = company().repositories.file(project.id, pipeline.sha, chosen[0], NOW)
            assert file is not None
            text = file.content.decode()
            for job in company().pipelines.jobs(project.id, pipeline.id, NOW, with_retried=False):
                assert f"\n{job.name}:\n  stage: {job.stage}\n" in text


def test_trees_lead_to_every_file() -> None:
    """Walking the folders finds files that open, under the names git gives their contents."""
    for project in list(company().projects())[::15]:
        folders = [""]
        files: list[str] = []
        while folders:
            for entry in company().repositories.tree(project.id, "main", folders.pop(), NOW):
                (folders if entry.type == "tree" else files).append(entry.path)
        roots = [path for path in files if path.endswith("-ci.yml") and "/" not in path]
        assert len(roots) >= 3
        assert {"README.md", "dbt_project.yml"} <= set(files)
        assert any(path.startswith("models/marts/") for path in files)
        for path in files:
            file = company().repositories.file(project.id, "main", path, NOW)
            assert file is not None
            assert file.sha == sha1(b"blob %d\0" % len(file.content) + file.content).hexdigest()  # noqa: S324  (git's own)
            assert company().repositories.commit(project.id, file.last_commit_sha, NOW) is not None
    assert company().repositories.tree(101, "nowhere", "", NOW) == []
    assert company().repositories.file(101, "main", "none.txt", NOW) is None
    assert company().repositories.file(101, "nowhere", "README.md", NOW) is None


def test_the_breaking_commit_shows_in_the_files() -> None:
    """In an incident of a renamed relation the staging model really has another name."""
    project = company().showcase(NOW)
    paths = [
        one.name for one in company().repositories.tree(project.id, "main", "models/staging", NOW)
    ]
    models = [name for name in paths if name.endswith(".sql")]
    assert models
    assert all("__" in name for name in models)
