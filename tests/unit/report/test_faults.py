"""What is wrong with a report is said with its place, and nothing is left of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from tests.support.plain_report import read_here

from platui.core.errors import ReportError
from platui.report.arrays import KINDS, array_path
from platui.report.reading.draft import Draft, draft_path, sweep_drafts
from platui.report.saved_report import FORMAT, info_path, open_saved, read_info

if TYPE_CHECKING:
    from pathlib import Path

WHOLE = (
    '{"platform":{"groups":{"12":{"name":"Données","path":"data","members":'
    '{"5":{"max_access_level":"OWNER"},"6":{"max_access_level":"GUEST"}},"projects":{"7":'
    '{"name":"dbt {[","path":"data/dbt","members":{"5":{"max_access_level":"OWNER"}}}},'
    '"subgroups":{"13":{"name":"\\"","path":"data/b","members":{}}}}}},"users":{"5":'
    '{"email":"a@b.example","name":"Ada","service_identity_uuid":null,"state":"active",'
    '"username":"ada"}}}'
).encode()


def said_of(text: bytes, folder: Path) -> str:
    """Return what is said of a report that cannot be read; nothing is left but its JSON."""
    with pytest.raises(ReportError) as caught:
        read_here(folder, text)
    assert list((folder / "reports").iterdir()) == []
    return caught.value.sentence


def test_a_report_that_is_cut_off_anywhere_says_after_how_many_bytes(tmp_path: Path) -> None:
    """And in what it was; a key it had not come to is in no path."""
    for size in range(1, len(WHOLE), 3):
        said = said_of(WHOLE[:size], tmp_path)
        assert re.match(rf"The report is truncated: it ends after {size} bytes[.,]", said)
    inside = WHOLE.index(b"data/dbt")
    said = said_of(WHOLE[:inside], tmp_path)
    assert said.endswith("bytes, in platform.groups.12.projects.7.path.")
    assert read_here(tmp_path, WHOLE).info.memberships == 3


FAULTS = {
    "": "The report is empty.",
    "  \n": "The report is truncated: it ends after 3 bytes.",
    "null": "The report is null, not an object.",
    "[]": "The report is a list, not an object.",
    "<!DOCTYPE html>": "Invalid JSON at byte 0: invalid character.",
    "{}": 'The report has no field "platform".',
    '{"users":{}}': 'The report has no field "platform".',
    '{"platform":{"groups":{}}}': 'The report has no field "users".',
    '{"platform":{},"users":{}}': 'platform has no field "groups".',
    '{"platform":null,"users":{}}': "platform is null, not an object.",
    '{"platform":{"groups":null},"users":nil}': (
        "Invalid JSON at byte 37, in users: invalid character."
    ),
    '{"platform":{"groups":null},"platform":5,"users":{}}': "platform is null, not an object.",
    '{"platform":{"groups":[]},"users":{}}': "platform.groups is a list, not an object.",
    '{"platform":{"groups":{}},"users":[]}': "users is a list, not an object.",
    '{"platform":{"groups":{}},"users":{}} x': "Invalid JSON at byte 39: trailing characters.",
    '{"platform":{"groups":{"1":7}},"users":{}}': ("platform.groups.1 is a number, not an object."),
    '{"platform":{"groups":{"1":{},"2":{"subgroups":{"3":{},"4":{"name":5}}}}},"users":{}}': (
        "platform.groups.2.subgroups.4.name is a number, not text or null."
    ),
    '{"platform":{"groups":{"1":{"projects":{"2":{"path":[]}}}}},"users":{}}': (
        "platform.groups.1.projects.2.path is a list, not text or null."
    ),
    '{"platform":{"groups":{"1":{"projects":[]}}},"users":{}}': (
        "platform.groups.1.projects is a list, not an object or null."
    ),
    '{"platform":{"groups":{"1":{"projects":{"2":{"members":[1]}}}}},"users":{}}': (
        "platform.groups.1.projects.2.members is a list, not an object or null."
    ),
    '{"platform":{"groups":{"1":{"members":{"4":{"max_access_level":"X"},"5":{}}}}},"users":{}}': (
        'platform.groups.1.members.5 has no field "max_access_level".'
    ),
    '{"platform":{"groups":{"1":{"members":{"5":{"max_access_level":50}}}}},"users":{}}': (
        "platform.groups.1.members.5.max_access_level is a number, not text."
    ),
    '{"platform":{"groups":{"1":{"members":{"5":null}}}},"users":{}}': (
        "platform.groups.1.members.5 is null, not an object."
    ),
    '{"platform":{"groups":{"1":{"members":{"x":{"max_access_level":"X"}}}}},"users":{}}': (
        "platform.groups.1.members.x: this key is not an integer of at most 64 bits."
    ),
    '{"platform":{"groups":{"1":{"members":{"9223372036854775808":{"max_access_level":"X"}}}}},'
    '"users":{}}': (
        "platform.groups.1.members.9223372036854775808: this key is not an integer of at most "
        "64 bits."
    ),
    '{"platform":{"groups":{"1":{"subgroups":{"1_0":{}}}}},"users":{}}': (
        "platform.groups.1.subgroups.1_0: this key is not an integer of at most 64 bits."
    ),
    '{"platform":{"groups":{}},"users":{"1":{},"9223372036854775808":{}}}': (
        "users.9223372036854775808: this key is not an integer of at most 64 bits."
    ),
    '{"platform":{"groups":{}},"users":{"05":{}}}': (
        "users.05: this key is not an integer of at most 64 bits."
    ),
    '{"platform":{"groups":{}},"users":{"1":{},"2":{"email":false}}}': (
        "users.2.email is true or false, not text or null."
    ),
    '{"platform":{"groups":{}},"users":{"1":[]}}': "users.1 is a list, not an object.",
    '{"platform":{"groups":{"1":{"name":"a", nil}}},"users":{}}': (
        "Invalid JSON at byte 40, in platform.groups.1: object keys must be strings."
    ),
    '{"platform":{"groups":{"1":{"more":[{"a":1},{"b":[2,nul]}]}}},"users":{}}': (
        "Invalid JSON at byte 53, in platform.groups.1.more.1.b.1: invalid character."
    ),
    '{"platform":{"groups":{}},"users":{"\x1b]8;;":3}}': (
        "Invalid JSON at byte 36, in users: invalid character."
    ),
    '{"platform":{"groups":{"1":{"subgroups":{"\u202e":{"name":1}}}}},"users":{}}': (
        "platform.groups.1.subgroups.\ufffd.name is a number, not text or null."
    ),
}


@pytest.mark.parametrize("text", FAULTS)
def test_what_is_wrong_is_said_with_its_place(text: str, tmp_path: Path) -> None:
    """By the keys that lead there, by the byte, or both."""
    assert said_of(text.encode(), tmp_path) == FAULTS[text]


@pytest.mark.parametrize(
    ("word", "where"),
    [
        (b"Donn", "platform.groups.12.name"),
        (b"OWNE", "platform.groups.12.members.5.max_access_level"),
        (b"a@b", "users.5.email"),
    ],
)
def test_bytes_that_are_no_text_are_found(word: bytes, where: str, tmp_path: Path) -> None:
    """In whichever pass they are met."""
    said = said_of(WHOLE.replace(word, word[:-1] + b"\xff", 1), tmp_path)
    byte = WHOLE.index(word) + len(word) - 1
    assert said == f"The report is not UTF-8 at byte {byte}, in {where}."


@pytest.mark.parametrize("opening", ['{"subgroups":{"1":', '{"more":', "["])
@pytest.mark.parametrize("depth", [1000, 100_000])
def test_what_is_nested_too_deep_is_no_crash(opening: str, depth: int, tmp_path: Path) -> None:
    """The stack of the process has an end, and the platform none of its own."""
    text = f'{{"platform":{{"groups":{{"1":{{"more":{opening * depth}'.encode()
    said = said_of(text, tmp_path)
    assert said.startswith("The report is nested too deeply at byte ")
    assert len(said) < 200


def test_more_levels_than_can_be_told_apart_are_refused(tmp_path: Path) -> None:
    """254 of them can."""
    members = ",".join(f'"{one}":{{"max_access_level":"L{one}"}}' for one in range(255))
    text = f'{{"platform":{{"groups":{{"1":{{"members":{{{members}}}}}}}}},"users":{{}}}}'
    assert (
        said_of(text.encode(), tmp_path) == "The report has more than 254 different access levels."
    )
    last = ',"254":{"max_access_level":"L254"}'
    assert len(read_here(tmp_path, text.replace(last, "").encode()).info.levels) == 254


def test_a_report_that_cannot_be_read_leaves_the_saved_one(tmp_path: Path) -> None:
    """And one that can takes its place whole; what is open stays readable."""
    first = read_here(tmp_path, WHOLE)
    with pytest.raises(ReportError):
        read_here(tmp_path, WHOLE[:-1])
    assert open_saved(first.folder).info.memberships == 3
    empty = read_here(tmp_path, b'{"platform":{"groups":{}},"users":{}}')
    assert (empty.folder, empty.info.people) == (first.folder, 0)
    assert first.arrays.person_id.tolist() == [5, 6]
    assert [one.name for one in first.folder.parent.iterdir()] == [first.folder.name]


def test_two_cannot_write_the_same_report_at_once(tmp_path: Path) -> None:
    """The later is refused, and does not remove what the other writes."""
    final = tmp_path / "reports" / "one"
    draft = Draft(final)
    draft.put("person_id", b"")
    with pytest.raises(ReportError, match="Another process"):
        Draft(final)
    sweep_drafts(final.parent)
    assert draft.folder.is_dir()
    draft.discard()
    assert list(final.parent.iterdir()) == []


def test_what_was_left_of_a_reading_is_swept_by_the_next(tmp_path: Path) -> None:
    """Of whatever report; a text that arrives in the same folder is no business of ours."""
    final, arriving = tmp_path / "one", tmp_path / ".1f.part"
    arriving.write_bytes(b"{")
    for folder in (draft_path(final), draft_path(tmp_path / "two")):
        folder.mkdir()
        (folder / "person_id.bin").write_bytes(b"1234567")
    draft = Draft(final)
    assert list(draft.folder.iterdir()) == []
    assert {*tmp_path.iterdir()} == {arriving, draft.folder}
    draft.discard()
    assert list(tmp_path.iterdir()) == [arriving]


@pytest.mark.parametrize("name", sorted(KINDS))
@pytest.mark.parametrize("how", ["missing", "shorter", "longer"])
def test_a_damaged_array_is_told(name: str, how: str, tmp_path: Path) -> None:
    """By its name, with what to do."""
    saved = read_here(tmp_path, WHOLE)
    path = array_path(saved.folder, name)
    if how == "missing":
        path.unlink()
    else:
        path.write_bytes(path.read_bytes()[:-8] if how == "shorter" else path.read_bytes() + b"1")
    with pytest.raises(ReportError, match="is damaged") as caught:
        open_saved(saved.folder)
    assert caught.value.hint.endswith("platui report import FILE.")


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"\xff", b'{"format":1}', b'{"format":1,"stage":3,"info":7,"sizes":[]}'],
)
def test_a_damaged_description_is_told(content: bytes, tmp_path: Path) -> None:
    """Whatever is in it."""
    saved = read_here(tmp_path, WHOLE)
    info_path(saved.folder).write_bytes(content)
    for look in (open_saved, read_info):
        with pytest.raises(ReportError, match=r"damaged|another version"):
            look(saved.folder)


def test_what_is_not_a_report_is_told(tmp_path: Path) -> None:
    """A folder without anything, one of another version, and one that is still written."""
    with pytest.raises(ReportError, match="is damaged"):
        open_saved(tmp_path)
    saved = read_here(tmp_path, WHOLE, _check_unfinished)
    path = info_path(saved.folder)
    path.write_bytes(path.read_bytes().replace(b'"format": %d' % FORMAT, b'"format": 0'))
    with pytest.raises(ReportError, match="another version"):
        open_saved(saved.folder)


def _check_unfinished(draft: Path) -> None:
    with pytest.raises(ReportError, match="is incomplete"):
        open_saved(draft)
