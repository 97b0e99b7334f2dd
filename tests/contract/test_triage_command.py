"""`platui triage` over real HTTP: what is printed, kept, and told to a script."""

from __future__ import annotations

import csv
import io
import json
import time
from typing import TYPE_CHECKING, Any

import pytest
from tests.support.commands import Shell
from tests.support.faults import fault
from tests.support.platform import api_client, red_project, running_platform
from tests.support.schemas import misfits

from platui.cli.exit_codes import Exit
from platui.core.paths import state_dir
from platui.present.tables.triage_json import CSV_COLUMNS
from platui.store.triage import TriageStore

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from platui_emulator.server import RunningEmulator


@pytest.fixture(scope="module")
def company() -> Iterator[RunningEmulator]:
    """Run a company of which some projects are red."""
    with running_platform() as platform:
        yield platform


@pytest.fixture
def triage(
    company: RunningEmulator, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Shell:
    """Return who types commands there."""
    environ = {
        "PLATUI_URL": company.base_url,
        "PLATUI_TOKEN": company.token,
        "PLATUI_PROFILE": "here",
    }
    return Shell(monkeypatch, capfd, environ)


GROUP = "acme/finance/reporting"
PARTS = ("broken", "late", "running", "recovered")


@pytest.fixture(scope="module")
def red(company: RunningEmulator) -> str:
    """Return a project of which one thing is broken."""
    return red_project(company)


def document(triage: Shell, *words: str) -> dict[str, Any]:
    """Return the board as JSON."""
    said = triage("triage", "--json", *words)
    assert said.code == 0, said.err
    return dict(json.loads(said.out))


def test_nothing_watched_is_said_with_what_to_type(triage: Shell) -> None:
    """For the board, and for the list."""
    for words, code in (((), 2), (("--watch",), 2), (("watched",), 0)):
        said = triage("triage", *words)
        assert (said.code, said.out) == (code, "")
        assert "No project is watched" in said.err
        assert "platui triage watch GROUP/PROJECT" in said.err
    assert triage("triage", "watched", "--json").objects == [{"projects": [], "groups": []}]


def test_projects_and_groups_are_chosen_and_left(triage: Shell, company: RunningEmulator) -> None:
    """By path, id, address and group, whatever the letters; a slip is said and changes nothing."""
    with api_client(company) as client:
        number = client.get("projects/acme%2Fmarketing%2Fattribution").json()["id"]
    said = triage(
        "triage", "watch", company.project, str(number),
        f"{company.base_url}/acme/marketing/consent-ledger", "ACME/Finance/Reporting/",
    )  # fmt: skip
    assert said.code == 0, said.err
    watched = ["acme/marketing/attribution", "acme/marketing/consent-ledger", company.project]
    assert sorted(triage("triage", "watched").lines) == sorted([*watched, f"{GROUP}/"])
    (listed,) = triage("triage", "watched", "--json").objects
    assert listed["groups"] == [GROUP]
    one = {"project": "acme/marketing/attribution", "project_id": number}
    assert one in listed["projects"]

    for word, hint in (
        ("acme/marketing/atribution", "Did you mean acme/marketing/attribution?"),
        (GROUP, f"use {GROUP}/ for all"),
        ("acme/finanse/", "Did you mean acme/finance?"),
    ):
        said = triage("triage", "watch", "acme/marketing/seo-rankings", word)
        assert said.code == Exit.REFUSED
        assert hint in said.err
    assert triage("triage", "unwatch", "acme/marketing/seo-rankings").code == Exit.REFUSED
    said = triage("triage", "unwatch", f"{GROUP}/nobody-knows")
    assert said.code == Exit.REFUSED
    assert f"watched with its group {GROUP}: platui triage unwatch {GROUP}/" in said.err
    assert triage("triage", "watch", "acme/marketing/").code == 0
    said = triage("triage", "unwatch", "acme/marketing/consent-ledger")
    assert "is still watched with its group acme/marketing: platui" in said.err
    assert triage("triage", "unwatch", "acme/marketing/").code == 0
    assert triage("triage", "watch", "acme/marketing/consent-ledger").code == 0
    assert triage("triage", "unwatch", str(number), f"{GROUP}/", company.project).code == 0
    assert triage("triage", "watched").lines == ["acme/marketing/consent-ledger"]
    assert triage("triage", "unwatch", "1" * 5000).code == Exit.REFUSED
    address = f"{company.base_url}/acme/marketing/consent-ledger"
    assert triage("triage", "unwatch", address).code == 0
    assert triage("triage", "watched").lines == []


def test_the_board_is_one_document_of_a_steady_shape(triage: Shell, red: str) -> None:
    """Whatever stands in it, also of a whole group; and the watch list stays empty."""
    told = document(triage, "--group", GROUP, "--project", red)
    assert misfits("triage", told) == []
    assert told["schema"] == "platui.triage/1"
    assert told["is_live"]
    assert told["counts"]["broken"] == len(told["broken"]) > 3
    assert all(one["cause"] and one["signature"] for one in told["broken"])
    assert any(one["commit"] for one in told["broken"])
    assert told["recovered"]
    names = [one["incident"] for one in told["broken"]]
    assert len(set(names)) == len(names)
    assert triage("triage").code == Exit.USAGE


def test_the_help_names_all_that_is_in_the_document(triage: Shell, red: str) -> None:
    """What is not one of a list's own keys."""
    told = " ".join(triage("triage", "--help").out.split())
    listed = told.partition("--json prints one object: ")[2].partition(". With --watch")[0]
    assert set(document(triage, "--project", red)) == {
        word.strip(",") for word in listed.split()
    } - {"and", "the", "lists"}


def test_every_form_tells_of_the_same(triage: Shell, red: str) -> None:
    """As lines, as CSV and as a handoff; no terminal, no colours."""
    words = ("--project", red)
    (one,) = document(triage, *words)["broken"]
    lines = triage("triage", *words).lines
    assert lines[0].startswith("1 broken")
    assert lines[2].startswith(f"✖ {red}  {one['ref'][:6]}")
    assert lines[3].endswith(one["cause"])
    assert lines[3].startswith(f"    {one['signature']['shared'].partition(':')[0]}")
    assert "\x1b" not in "".join(lines)
    rows = list(csv.DictReader(io.StringIO(triage("triage", "--csv", *words).out)))
    assert tuple(rows[0]) == CSV_COLUMNS
    assert (rows[0]["incident"], rows[0]["cause"]) == (one["incident"], one["cause"])
    handoff = triage("triage", "--markdown", *words).out
    assert handoff.startswith("# Handoff: here, ")
    assert f"\n`{one['cause']}`\n" in handoff
    assert f"Name in `platui triage`: `{one['incident']}`" in handoff


def test_what_is_said_of_an_incident_is_on_the_next_board(triage: Shell, red: str) -> None:
    """Acknowledged or put off it is quiet, with note and owner; and that can be undone."""
    assert triage("triage", "watch", red).code == 0
    assert triage("triage", "--check").code == Exit.FAILED
    (one,) = document(triage)["broken"]
    number = one["incident"].rpartition("#")[2]
    for word in (red.rpartition("/")[2], number, one["first_red"]["web_url"]):
        said = triage("triage", "ack", word)
        assert said.code == 0, said.err
        assert f"{one['incident']} is acknowledged" in said.err
    assert triage("triage", "note", number, "vendor | *informed*").code == 0
    assert triage("triage", "own", number, "ada").code == 0
    (one,) = document(triage)["broken"]
    assert (one["is_quiet"], one["note"], one["owner"]) == (True, "vendor | *informed*", "ada")
    assert triage("triage", "--check").code == 0
    quiet = next(line for line in triage("triage").lines if line.startswith(f"✖ {red} "))
    assert " failed  acknowledged · owner ada" in quiet

    assert triage("triage", "ack", number, "--undo").code == 0
    assert triage("triage", "--check").code == Exit.FAILED
    assert triage("triage", "snooze", number, "--for", "2h").code == 0
    assert triage("triage", "--check").code == 0
    assert triage("triage", "snooze", number, "--undo").code == 0
    assert not document(triage)["broken"][0]["is_quiet"]
    assert triage("triage", "snooze", number).code == Exit.USAGE
    assert triage("triage", "snooze", number, "--until", "soon").code == Exit.USAGE


def test_a_snooze_ends_at_a_time_in_the_zone_of_the_settings(
    triage: Shell, red: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That is the local one, unless `utc` is set."""
    assert triage("triage", "watch", red).code == 0
    (one,) = document(triage)["broken"]
    config = tmp_path / "utc.toml"
    config.write_text("utc = true\n")
    words = ("triage", "snooze", one["incident"].rpartition("#")[2], "--until", "tomorrow 06:00")
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "Asia/Tokyo")
        time.tzset()
        said = (triage(*words), triage(*words, "--config", str(config)))
    time.tzset()
    assert " 06:00 JST" in said[0].err
    assert " 06:00 UTC" in said[1].err


def test_all_incidents_of_a_project_are_acknowledged_at_once(triage: Shell) -> None:
    """And no other; a note takes an owner along, and an owner comes alone too."""
    assert triage("triage", "watch", f"{GROUP}/").code == 0
    projects = [one["project"] for one in document(triage)["broken"]]
    project = max(projects, key=projects.count)
    count = projects.count(project)
    assert 1 < count < len(projects)
    assert triage("triage", "ack", project).code == Exit.USAGE
    none = triage("triage", "ack", project, "--all", "--undo")
    assert f"No incident of {project} is acknowledged." in none.err
    said = triage("triage", "ack", project, "--all")
    assert f"{count} incidents of {project} are acknowledged" in said.err, said.err
    quiet = [one["project"] for one in document(triage)["broken"] if one["is_quiet"]]
    assert quiet == [project] * count
    assert triage("triage", "ack", project, "--all", "--undo").code == 0
    assert not [one for one in document(triage)["broken"] if one["is_quiet"]]
    assert triage("triage", "ack", "--cause", "kxmlq", "--all").code == Exit.USAGE

    name = document(triage)["broken"][0]["incident"]
    said = triage("triage", "note", name, "vendor", "--owner", "ada")
    assert f"The note of {name} was saved." in said.err
    assert f"{name} is owned by ada." in said.err
    assert triage("triage", "note", name, "--owner", "bob").code == 0
    first = next(one for one in document(triage)["broken"] if one["incident"] == name)
    assert (first["note"], first["owner"]) == ("vendor", "bob")
    assert triage("triage", "note", name).code == Exit.USAGE
    said = triage("triage", "note", name, "x" * 2001)
    assert (said.code, "at most 2,000 characters, not 2,001" in said.err) == (Exit.USAGE, True)
    said = triage("triage", "own", name, "x" * 101)
    assert (said.code, "at most 100 characters, not 101" in said.err) == (Exit.USAGE, True)
    first = next(one for one in document(triage)["broken"] if one["incident"] == name)
    assert (first["note"], first["owner"]) == ("vendor", "bob")


def test_a_name_of_several_or_none_is_said_with_the_choices(triage: Shell) -> None:
    """And nothing is marked."""
    assert triage("triage", "watch", f"{GROUP}/").code == 0
    many = triage("triage", "ack", "regulatory-reports")
    assert many.code == Exit.USAGE
    found = [
        one
        for one in document(triage)["broken"]
        if one["incident"].partition("#")[0].endswith("/regulatory-reports")
    ]
    lines = many.err.splitlines()
    for one in found:
        [line] = [line for line in lines if line.split()[0] == one["incident"]]
        assert f" · {one['ref']}" in line
    assert any(line.count(" · ") > 1 for line in lines)  # the cause
    assert lines[-1].strip() == "Give one of these names, or --all for all of them."
    noted = triage("triage", "note", "regulatory-reports", "text")
    assert noted.err.splitlines()[-1].strip() == "Give one of these names."
    none = triage("triage", "ack", "nothing-like-it")
    assert none.code == Exit.REFUSED
    assert "Incidents: acme/" in none.err
    assert triage("triage", "ack", "#x").code == Exit.USAGE
    assert not [one for one in document(triage)["broken"] if one["is_quiet"]]


def test_default_branches_alone_are_shown_and_checked(triage: Shell) -> None:
    """`--quiet` prints nothing and exits like --check."""
    whole = document(triage, "--group", GROUP)
    said = triage("triage", "--json", "--default-branches", "--group", GROUP)
    part = json.loads(said.out)
    mains = [one["incident"] for one in whole["broken"] if one["is_main"]]
    assert [one["incident"] for one in part["broken"]] == mains
    rows = [sum(len(one[part]) for part in PARTS) for one in (whole, part)]
    hidden = rows[0] - rows[1]
    assert f"{hidden} on other branches hidden." in said.err
    text = triage("triage", "--default-branches", "--group", GROUP)
    assert f" · {hidden} hidden on other branches" in text.lines[0]
    markdown = triage("triage", "--markdown", "--default-branches", "--group", GROUP)
    assert f"Default branches only: {hidden} on other branches left out." in markdown.lines
    for words in ((), ("--default-branches",)):
        checked = triage("triage", "--check", "--group", GROUP, *words)
        quiet = triage("triage", "--check", "--quiet", "--group", GROUP, *words)
        assert (quiet.code, quiet.out, quiet.err) == (checked.code, "", "")


def test_what_does_not_go_together_is_said(triage: Shell) -> None:
    """Before anything is asked."""
    for words in (
        ("--json", "--csv"),
        ("--watch", "--check"),
        ("--quiet",),
        ("--check", "--quiet", "--json"),
        ("--watch", "--markdown"),
        ("--check", "watched"),
        ("history", "--json", "--csv"),
    ):
        assert triage("triage", *words).code == Exit.USAGE


def test_history_is_what_is_remembered(triage: Shell) -> None:
    """Nothing at first; then all that the board has among what recovered, once it was looked at."""
    said = triage("triage", "history")
    assert (said.code, said.out) == (0, "")
    assert "No resolved incidents" in said.err
    recovered = document(triage, "--group", GROUP)["recovered"]
    assert recovered
    known = triage("triage", "history", "--json").objects
    told = {(one["incident"], one["red"], one["recovered_at"]) for one in recovered}
    assert told <= {(one["incident"], one["red"], one["recovered_at"]) for one in known}
    for one in known:
        assert (one["newest_red"]["id"] > one["first_red"]["id"]) == (one["red"] > 1)


def test_a_check_of_what_it_cannot_see_is_no_success(
    triage: Shell, company: RunningEmulator
) -> None:
    """The token was replaced by one that sees nothing: whoever is paged by this has to know."""
    TriageStore(state_dir() / "triage", "here", company.base_url).watch([99_999_999])
    for words in (("--check",), ("--check", "--quiet")):
        said = triage("triage", *words)
        assert said.code == Exit.REFUSED, said
        assert "99999999" in said.err
    assert said.out == ""


def test_a_check_of_a_group_that_is_gone_is_no_success(
    triage: Shell, company: RunningEmulator, red: str
) -> None:
    """It was renamed, or the token sees none of its projects; what else is watched is told."""
    store = TriageStore(state_dir() / "triage", "here", company.base_url)
    store.watch(groups=["acme/renamed"])
    alone = triage("triage", "--check", "--quiet")
    assert (alone.code, alone.out) == (Exit.REFUSED, "")
    assert "renamed, moved or empty: acme/renamed/" in alone.err
    assert triage("triage", "watch", red).code == 0
    beside = triage("triage", "--check")
    assert beside.code == Exit.FAILED
    assert red in beside.out
    assert "acme/renamed/" in beside.err


def test_without_an_answer_what_was_kept_is_told_and_the_exit_code_says_so(
    triage: Shell, company: RunningEmulator, red: str
) -> None:
    """A script must not read it as of now; and where nothing was kept there is only the reason."""
    here = {"PLATUI_URL": company.faults_url}
    assert triage("triage", "watch", red, **here).code == 0
    assert triage("triage", **here).code == 0
    with fault(company, "expired"):
        said = triage("triage", "--check", **here)
        assert said.code == Exit.REFUSED
        assert red in said.out
        assert "Status loaded for 0 of 1 project. The others are cached" in said.err
        handoff = triage("triage", "--markdown", **here).out
        assert "Some data is cached" in handoff
    nowhere = triage("triage", "--project", "1", PLATUI_URL="http://127.0.0.1:9")
    assert (nowhere.code, nowhere.out) == (Exit.TRY_AGAIN, "")
    # It has ended: what a dashboard does by itself, it does not.
    assert "automatically" not in nowhere.err


def test_what_is_said_of_an_incident_needs_no_platform(
    triage: Shell, company: RunningEmulator, red: str
) -> None:
    """It is kept on this machine, as what is broken is; also of a whole cause, by its key."""
    here = {"PLATUI_URL": company.faults_url}
    assert triage("triage", "watch", red, **here).code == 0
    told = json.loads(triage("triage", "--json", **here).out)
    (one,), (cause,) = told["broken"], told["causes"]
    with fault(company, "refuse"):
        for words in (
            ("note", one["incident"], "vendor is informed"),
            ("own", red, "ada"),
            ("ack", "--cause", cause["key"][:4].upper()),
        ):
            said = triage("triage", *words, **here)
            assert said.code == 0, said.err
            assert "Using cached incidents, the oldest of" in said.err
    (now,) = json.loads(triage("triage", "--json", **here).out)["broken"]
    assert (now["note"], now["owner"]) == ("vendor is informed", "ada")
    assert now["is_quiet"]
    undo = ("triage", "ack", "--cause", cause["signature"]["key"], "--undo")
    said = triage(*undo, **here)
    assert (said.code, "1 incident of “" in said.err) == (0, True)
    (now,) = json.loads(triage("triage", "--json", **here).out)["broken"]
    assert not now["is_quiet"]
    assert now["cause_key"] == cause["key"]
    for typed in (undo, ("triage", "ack", red, "--undo")):
        said = triage(*typed, **here)
        assert (said.code, "is not acknowledged" in said.err) == (Exit.REFUSED, True)
    key = cause["key"]
    for typed in (
        ("snooze", "--cause", key, "--for", "2h"),
        ("own", "--cause", key, "bob"),
        ("note", "--cause", key, "all of it"),
    ):
        said = triage("triage", *typed, **here)
        assert (said.code, f"Cause {key}, 1 incident, " in said.err) == (0, True), said
    (now,) = json.loads(triage("triage", "--json", **here).out)["broken"]
    assert (now["note"], now["owner"], now["is_quiet"]) == ("all of it", "bob", True)
    ended = [triage("triage", "snooze", "--cause", key, "--undo", **here).code for _ in "12"]
    assert ended == [0, Exit.REFUSED]
    for less in (("note", "--cause", key), ("note", red), ("own", "--cause", key, red, "ada")):
        assert triage("triage", *less, **here).code == Exit.USAGE
    unknown = triage("triage", "ack", "--cause", "k" * 12, **here)
    assert (unknown.code, "platui triage" in unknown.err) == (Exit.REFUSED, True)
    for word, why in (("1", "is a position"), (cause["key"][:3], "too short")):
        said = triage("triage", "ack", "--cause", word, **here)
        assert (said.code, why in said.err) == (Exit.USAGE, True)
    assert triage("triage", "ack", "--cause", cause["key"], red, **here).code == Exit.USAGE


@pytest.fixture
def narrow() -> Iterator[RunningEmulator]:
    """Run a company of which a platform tells no more than is promised."""
    with running_platform(spec_only=True) as platform:
        yield platform


def test_projects_without_records_or_paths_are_found_in_their_list(
    narrow: RunningEmulator, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """By id and by name; a default branch that nobody tells is known by its name."""
    environ = {"PLATUI_URL": narrow.base_url, "PLATUI_TOKEN": narrow.token}
    triage = Shell(monkeypatch, capfd, environ)
    with api_client(narrow) as client:
        every = client.get("projects", params={"membership": True, "per_page": 100}).json()
        newest = (client.get(f"projects/{one['id']}/pipelines?per_page=1").json() for one in every)
        red = [
            one for one, runs in zip(every, newest, strict=True) if runs[0]["status"] == "failed"
        ]
        one, other = red[:2]
    said = triage("triage", "watch", str(one["id"]), other["name"])
    assert said.code == 0, said.err
    found = document(triage)
    assert found["projects"]["known"] == 2
    items = [item for standing in ("broken", "running", "recovered") for item in found[standing]]
    assert items
    assert all(isinstance(item["project"], str) for item in items)
    assert all(item["is_main"] == (item["ref"] == "main") for item in items)
    said = triage("triage", "watch", "2147483646")
    assert (said.code, "Project 2147483646 not found" in said.err) == (Exit.REFUSED, True)


def test_a_memory_that_is_damaged_is_told_and_what_was_said_stays(triage: Shell, red: str) -> None:
    """It is as it was before its last change, and the file can be looked at."""
    assert triage("triage", "watch", red).code == 0
    assert triage("triage", "watch", f"{GROUP}/").code == 0
    (path,) = (state_dir() / "triage").glob("here-*.json")
    path.write_bytes(path.read_bytes()[:-9])
    said = triage("triage", "watched")
    assert (said.code, red in said.out, ".damaged" in said.err) == (0, True, True)
    again = triage("triage", "watched")
    assert (again.code, red in again.out, "damaged" in again.err) == (0, True, False)


def test_a_memory_without_a_good_copy_is_no_empty_one(triage: Shell, red: str) -> None:
    """The list ends as the board does; what was there is kept beside the next one."""
    assert triage("triage", "watch", red).code == 0
    (path,) = (state_dir() / "triage").glob("here-*.json")
    path.write_bytes(path.read_bytes()[:-9])
    for words in (("watched",), ("watched", "--json"), ("--check",)):
        said = triage("triage", *words)
        assert (said.code, said.out) == (Exit.USAGE, "")
        assert "keeps a copy beside it" in said.err
    assert triage("triage", "watch", red).code == 0
    assert list(path.parent.glob("*.damaged"))


def test_what_cannot_be_saved_is_not_told_as_done(triage: Shell, red: str) -> None:
    """What is watched, or no longer."""
    state_dir().parent.mkdir(parents=True, exist_ok=True)
    state_dir().write_text("no folder")
    for words in (("watch", red), ("ack", red)):
        said = triage("triage", *words)
        assert (said.code, said.out) == (Exit.REFUSED, ""), said
        assert "cannot be" in said.err
        assert not {"watched.", "acknowledged,"}.intersection(said.err.split())


def test_a_platform_that_tells_no_paths_is_triaged_by_path(
    triage: Shell, narrow_platform: RunningEmulator
) -> None:
    """The addresses of pipelines tell them, of projects and groups; a group is what ran in it."""
    path = narrow_platform.project
    group, _, last = path.rpartition("/")
    at = {"PLATUI_URL": narrow_platform.base_url, "PLATUI_TOKEN": narrow_platform.token}
    for word in (path, f"{group.rpartition('/')[2]}/{last}"):
        watched = triage("triage", "watch", word, **at)
        assert (watched.code, f"{path} is watched." in watched.err) == (0, True), watched
    whole = triage("triage", "watch", f"{group}/", **at)
    assert whole.code == 0, whole
    assert f"of {group} with pipelines" in whole.err
    assert last in triage("triage", "watched", **at).lines
    wrong = triage("triage", "--project", f"{path}x", **at)
    assert (wrong.code, "not visible to this token" in wrong.err) == (4, True), wrong
