"""What changed, which tests failed and what a job left, from the command line."""

from __future__ import annotations

import json
import re
import zipfile
from typing import TYPE_CHECKING

import pytest
from tests.support.command_user import TRUTHFUL
from tests.support.platform import failed_pipeline, green_pipeline
from tests.support.service import requests_of

from platui.cli.commands import artifacts, changes
from platui.models.values.routes import Route
from platui.models.wire import Comparison
from platui.present.files.changes import diff_line
from platui.service.files.archives import JobArchive

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.command_user import User


@TRUTHFUL
def test_changes_are_listed_since_the_last_success(user: User) -> None:
    """The commits and files of a failed pipeline; one that succeeded has none."""
    number = str(failed_pipeline(user.platform))
    told = user("changes", user.project, number, "--json")
    assert told.code == 0, told
    [found] = told.objects
    text = user("changes", f"{user.platform.base_url}/{user.project}/-/pipelines/{number}")
    assert text.lines[0] == f"#{number} since the last success #{found['last_success']['id']}"
    for commit in found["commits"]:
        assert commit["id"][:8] in text.out
    green = user("changes", user.project, str(green_pipeline(user.platform)))
    assert green.code == 4
    assert "has not failed" in green.err


@TRUTHFUL
def test_changes_whose_files_are_incomplete_say_so(
    user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The platform stopped comparing."""
    stopped = Comparison(compare_timeout=True)

    async def read(*_: object) -> Comparison:
        return stopped

    monkeypatch.setattr(changes, "read", read)
    number = str(failed_pipeline(user.platform))
    told = user("changes", user.project, number, "--json")
    assert "Files incomplete: the platform stopped comparing." in told.err
    assert told.objects[0]["is_whole"] is False
    [_, *pieces] = diff_line(stopped, Route("diff", ref="v1...main", path="a"))
    assert pieces == [("files incomplete: the platform stopped comparing", "warning")]


@TRUTHFUL
def test_failed_tests_are_counted_and_listed(user: User) -> None:
    """As the platform reports them."""
    for one in user.get("pipelines?status=failed&per_page=100"):
        number, report = one["id"], user.get(f"pipelines/{one['id']}/test_report")
        if report["total_count"]:
            break
    told = user("tests", user.project, str(number), "--json")
    assert told.code == 0, told
    [found] = told.objects
    assert (found["total"], len(found["failed"])) == (
        report["total_count"],
        report["failed_count"],
    )
    text = user("tests", user.project, str(number))
    assert text.lines[0].startswith(f"{report['failed_count']} failed")


@TRUTHFUL
def test_a_failure_on_the_commit_of_the_last_success_has_no_change_in_code(user: User) -> None:
    """The text says so; nothing is compared."""
    for one in user.get("pipelines?status=failed&per_page=100"):
        number, seen = str(one["id"]), user.seen
        told = user("changes", user.project, number, "--json")
        if told.code == 0 and told.objects[0]["last_success"]["sha"] == one["sha"]:
            break
    else:
        raise LookupError
    assert (told.objects[0]["commits"], told.objects[0]["files"]) == ([], [])
    text = user("changes", user.project, number)
    assert text.lines[1:] == ["Same commit: no change in code."]
    assert not any("/compare" in one["path"] for one in requests_of(user.platform, seen))


@TRUTHFUL
def test_a_pipeline_without_a_test_report_says_so(user: User) -> None:
    """It is not counted as none failed; JSON keeps its keys."""
    numbers = (str(one["id"]) for one in user.get("pipelines?per_page=100"))
    bare = next(
        one for one in numbers if not user.get(f"pipelines/{one}/test_report")["total_count"]
    )
    told = user("tests", user.project, bare)
    assert (told.code, told.out) == (0, "")
    assert "This pipeline has no test report." in told.err
    [found] = user("tests", user.project, bare, "--json").objects
    assert (found["total"], found["failed"]) == (0, [])


@TRUTHFUL
def test_a_file_of_an_archive_is_printed_and_saved(
    user: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or the whole archive; nothing is overwritten, and what is missing is said."""
    # Successful ones: the newest may all be of pipelines that other tests started.
    jobs = user.get("jobs?per_page=100&scope=success")
    job = str(next(one["id"] for one in jobs if one.get("artifacts_file")))
    where = ("artifacts", user.project, job)
    [found] = user(*where, "--json").objects
    first = found["files"][0]
    assert len(user(*where).lines) == found["total"] + 1
    printed = user(*where, first["name"])
    assert len(printed.out.encode()) == first["size"]
    with monkeypatch.context() as patch:
        patch.setattr(artifacts, "is_terminal", lambda: True)
        patch.setattr(JobArchive, "read", lambda *_: b"rm -rf /\rls\r\n")
        assert user(*where, first["name"]).out == "rm -rf /�ls\n"
    whole, one = tmp_path / "a.zip", tmp_path / "one"
    assert user(*where, "--save", str(whole)).code == 0
    assert user(*where, first["name"], "--save", str(one)).code == 0
    assert zipfile.ZipFile(whole).read(first["name"]) == one.read_bytes()
    assert user(*where, first["name"], "--save", str(one)).code != 0
    assert "not in the archive" in user(*where, "no/such/file").err
    bare = str(next(one["id"] for one in jobs if not one.get("artifacts_file")))
    assert "no archive of artifacts" in user("artifacts", user.project, bare).err
    assert json.loads(user(*where, "--json").out) == found
    for words in ((first["name"],), ("--save", str(tmp_path / "b.zip"))):
        said = user(*where, *words, "--json")
        assert (said.code, said.out) == (2, "")
        assert "--json lists files: omit FILE and --save." in said.err
    assert not (tmp_path / "b.zip").exists()


@TRUTHFUL
@pytest.mark.parametrize("command", ["tests", "changes"])
def test_without_a_pipeline_the_newest_failed_one_is_read(user: User, command: str) -> None:
    """By the project's path, its end or its URL; standard error names the pipeline."""
    newest = max(one["id"] for one in user.get("pipelines?status=failed&per_page=100"))
    url = f"{user.platform.base_url}/{user.project}"
    for project in (user.project, user.project.rpartition("/")[2], url):
        found = user(command, project, "--json")
        note = re.search(
            r"Pipeline #(\d+) \(.*, the newest failed pipeline of the project", found.err
        )
        assert note is not None, found
        assert int(note[1]) >= newest  # a running one may have failed since
        given = user(command, user.project, note[1], "--json")
        assert (found.code, found.out) == (given.code, given.out), found


@TRUTHFUL
def test_artifacts_are_of_a_job_id_or_name(user: User) -> None:
    """A name is that of a job in the newest pipeline, or in the selected one."""
    jobs = user.get("jobs?per_page=100&scope=success")
    job = next(one for one in jobs if one.get("artifacts_file"))
    by_id = user("artifacts", user.project, str(job["id"]), "--json")
    of = ("--pipeline", str(job["pipeline"]["id"]))
    by_name = user("artifacts", user.project, job["name"], *of, "--json")
    assert (by_name.code, by_name.out) == (by_id.code, by_id.out)
    assert f"Job {job['id']} of pipeline #{of[1]}." in by_name.err
    none = user("artifacts", user.project, "no-such-job")
    assert (none.code, none.out) == (4, "")
    assert "Job no-such-job not found in pipeline" in none.err
    assert user("artifacts", user.project, str(job["id"]), "--ref", "main").code == 2
