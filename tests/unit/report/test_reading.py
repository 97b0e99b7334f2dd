"""A report of any shape is read as the plainest reader reads it, and what is odd is told."""

from __future__ import annotations

import json
import re
import tempfile
from bisect import bisect_right
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.plain_report import Plain, plainly_read, plainly_told, read_here

from platui.core.text import clean
from platui.report.arrays import NO_LEVEL
from platui.report.reading import people_and_places
from platui.report.saved_report import open_saved

if TYPE_CHECKING:
    from platui.report.saved_report import SavedReport

LEVEL_NAMES = ("OWNER", "GUEST", "DEVELOPER", "owner", "AUDITOR", "", "Ö", "MAINTAINER")


def member(level: str = "GUEST") -> dict[str, str]:
    """Return a member entry."""
    return {"max_access_level": level}


def user(name: str = "Ada", **more: Any) -> dict[str, Any]:
    """Return a user entry."""
    login = name.lower()
    return {
        "email": f"{login}@acme.example",
        "name": name,
        "service_identity_uuid": None,
        "state": "active",
        "username": login,
        **more,
    }


def report(groups: dict[str, Any], users: dict[str, Any] | None = None, **more: Any) -> bytes:
    """Return a report as the platform sends it."""
    whole = {"platform": {"groups": groups}, "users": users or {}, **more}
    return json.dumps(whole, separators=(",", ":"), ensure_ascii=False).encode()


TEXTS = st.text(
    st.one_of(
        st.characters(exclude_categories=["Cs"]),
        st.sampled_from('"\\{}[],:\x1f\0\n\u202e\ue000ßİ'),
    ),
    max_size=12,
)
IDS = st.one_of(st.integers(0, 30), st.sampled_from([2**63 - 1, -(2**63), -1])).map(str)
MEMBERS = st.dictionaries(IDS, st.builds(member, st.sampled_from(LEVEL_NAMES)), max_size=6)
UNKNOWN = st.dictionaries(
    st.sampled_from(["id", "more", "{", "Members"]),
    st.recursive(
        st.none() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
        lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXTS, inner, max_size=2),
        max_leaves=4,
    ),
    max_size=2,
)
ENTRY = {"name": TEXTS, "path": TEXTS}
PROJECT = st.builds(
    lambda known, more: more | known,
    st.fixed_dictionaries(ENTRY, optional={"members": st.none() | MEMBERS}),
    UNKNOWN,
)
GROUP = st.recursive(
    PROJECT,
    lambda below: st.builds(
        lambda entry, inner: entry | inner,
        PROJECT,
        st.fixed_dictionaries(
            {},
            optional={
                "projects": st.none() | st.dictionaries(IDS, PROJECT, max_size=3),
                "subgroups": st.none() | st.dictionaries(IDS, below, max_size=3),
            },
        ),
    ),
    max_leaves=6,
)
USER = st.builds(
    lambda known, more: more | known,
    st.fixed_dictionaries(
        {},
        optional={
            "name": st.none() | TEXTS,
            "username": TEXTS,
            "email": TEXTS,
            "state": st.sampled_from(["active", "blocked", ""]),
            "service_identity_uuid": st.none() | st.uuids().map(str),
        },
    ),
    UNKNOWN,
)
REPORTS = st.builds(
    lambda groups, users, more: {**more, "platform": {"groups": groups}, "users": users},
    st.dictionaries(IDS, GROUP, max_size=3),
    st.dictionaries(IDS, USER, max_size=6),
    UNKNOWN,
)


def kept(plain: Plain) -> Plain:
    """Return a report as its arrays have it: their separator is no text."""
    return Plain(
        [tuple(map(_kept, person)) for person in plain.people],
        [tuple(map(_kept, place)) for place in plain.places],
        plain.members,
    )


def _kept(value: Any) -> Any:
    if value == "\0":  # it stands for an identity that is null
        return "\ufffd"
    return value.replace("\x1f", "\ufffd") if isinstance(value, str) else value


def check_whole(saved: SavedReport) -> None:
    """Check what is made of the memberships against them."""
    arrays, levels = saved.arrays, len(saved.info.levels)
    held: dict[int, list[int]] = {row: [] for row in range(len(arrays.person_id))}
    for number, person in enumerate(arrays.member_person):
        held[person].append(number)
    for person, numbers in held.items():
        start, end = arrays.person_first[person], arrays.person_first[person + 1]
        places = [bisect_right(arrays.place_first, number) - 1 for number in numbers]
        assert [divmod(code, levels) for code in arrays.person_held[start:end]] == [
            (place, arrays.member_level[number])
            for place, number in zip(places, numbers, strict=True)
        ]
        found = [arrays.member_level[number] for number in numbers]
        assert arrays.person_highest[person] == max(found, default=NO_LEVEL)
        counts = arrays.person_counts[person * levels : (person + 1) * levels].tolist()
        assert counts == [found.count(level) for level in range(levels)]
    names = [*dict(saved.info.levels)]
    assert dict(saved.info.levels) == Counter(names[level] for level in arrays.member_level)
    parents = arrays.place_parent.tolist()
    for row, end in enumerate(arrays.place_end):
        below = {row}
        below |= {other for other in range(row, len(parents)) if _is_below(parents, other, row)}
        assert below == set(range(row, end))


def _is_below(parents: list[int], row: int, group: int) -> bool:
    while row > group:
        row = parents[row]
    return row == group


def check_folded(saved: SavedReport, plain: Plain) -> None:
    """Check that what is searched is what is shown, folded."""
    arrays = saved.arrays
    lines = bytes(arrays.person_fold).decode().split("\n")
    assert len(lines) == len(plain.people) + 1
    for row, (line, person) in enumerate(zip(lines, plain.people, strict=False)):
        shown = ["\0" if text is None else clean(text).casefold() for text in person[1:5]]
        assert line == "".join(f"{text}\x1f" for text in shown)
        start, end = arrays.person_fold_at[row : row + 2]
        assert bytes(arrays.person_fold[start:end]).decode() == f"{line}\n"
    assert bytes(arrays.place_fold).decode().count("\n") == len(plain.places)


@settings(max_examples=40, deadline=None)
@given(whole=REPORTS, indent=st.sampled_from([None, 1]), ascii_=st.booleans())
def test_any_report_is_read_as_the_plainest_reader_reads_it(
    whole: dict[str, Any],
    indent: int | None,
    ascii_: bool,  # noqa: FBT001  (drawn)
) -> None:
    """People, places, memberships, and all that is made of them."""
    text = json.dumps(whole, indent=indent, ensure_ascii=ascii_).encode()
    with tempfile.TemporaryDirectory() as folder:
        saved = read_here(Path(folder), text)
    plain = kept(plainly_read(text))
    told = plainly_told(saved)
    assert told.people == plain.people
    assert told.places == plain.places
    assert told.members == plain.members
    check_whole(saved)
    check_folded(saved, plain)
    assert saved.info.people == len(whole["users"])
    assert saved.info.memberships == len(plain.members)


def test_levels_that_look_the_same_are_one(tmp_path: Path) -> None:
    """Nobody could tell them apart on a screen, and each has a column there."""
    levels = ["OWNER", "OWNER\ufe0f", "A\u200b", "A\u200c", "B"]
    members = {str(number): member(level) for number, level in enumerate(levels)}
    saved = read_here(tmp_path, report({"1": {"members": members}}))
    assert saved.info.levels == (("A\ufffd", 2), ("B", 1), ("OWNER", 2))
    assert list(saved.arrays.member_level) == [2, 2, 0, 0, 1]


def test_levels_whose_order_is_unknown_stand_below_all_others(tmp_path: Path) -> None:
    """Names are as in the file: `owner` is not `OWNER`."""
    levels = ["OWNER", "owner", "GUEST", "AUDITOR", "ADMIN", "MAINTAINER"]
    members = {str(number): member(level) for number, level in enumerate(levels)}
    saved = read_here(tmp_path, report({"1": {"members": members}}))
    levels = [*dict(saved.info.levels)]
    assert levels == ["AUDITOR", "owner", "GUEST", "MAINTAINER", "OWNER", "ADMIN"]
    assert any("AUDITOR, owner" in one for one in saved.info.warnings)


def test_a_person_that_users_lacks_has_a_row_after_all_others(tmp_path: Path) -> None:
    """The order is that of the file, and nothing but the id is known."""
    groups = {"1": {"members": {"9": member(), "2": member(), "8": member()}}}
    saved = read_here(tmp_path, report(groups, {"2": user()}))
    assert saved.arrays.person_id.tolist() == [2, 9, 8]
    assert saved.info.people == 1
    assert any(
        one.startswith("2 people have memberships but are not in users (id 9)")
        for one in saved.info.warnings
    )


def test_people_and_places_can_be_opened_before_memberships_are_read(tmp_path: Path) -> None:
    """Their rows are those of the whole report, and stay readable when it is whole."""
    early: list[SavedReport] = []
    groups = {"1": {"name": "G", "path": "g", "members": {"9": member(), "2": member()}}}
    saved = read_here(
        tmp_path,
        report(groups, {"2": user("Ada")}),
        lambda folder: early.append(open_saved(folder, 1)),
    )
    (first,) = early
    assert not first.arrays.is_whole
    assert saved.arrays.is_whole
    assert first.info.levels == ()
    assert first.arrays.person_id.tolist() == [2]
    assert bytes(first.arrays.person_text) == b"Ada\x1fada\x1fada@acme.example\x1f\0\x1f"
    assert bytes(saved.arrays.person_text).startswith(bytes(first.arrays.person_text))
    assert bytes(first.arrays.place_text) == bytes(saved.arrays.place_text) == b"G\x1fg\x1f"


def test_a_text_of_one_null_character_is_a_text(tmp_path: Path) -> None:
    """Of people and of places: nothing in what is searched stands for a null that was not said."""
    groups = {"1": {"name": "\0", "path": "\0", "members": {}}}
    saved = read_here(tmp_path, report(groups, {"2": user("\0")}))
    assert bytes(saved.arrays.place_fold).decode() == "\ufffd\x1f\ufffd\x1f\n"
    assert bytes(saved.arrays.place_text).decode() == "\ufffd\x1f\ufffd\x1f"
    assert bytes(saved.arrays.person_fold).decode().startswith("\ufffd\x1f")


REPEATED = {
    b'{"platform":{"groups":{"1":{"members":{"5":{"max_access_level":"OWNER"},'
    b'"5":{"max_access_level":"GUEST"}}}}},"users":{}}': "platform.groups.1.members, 5",
    b'{"platform":{"groups":{"1":{},"2":{},"1":{"name":"x"}}},"users":{}}': "platform.groups, 1",
    b'{"platform":{"groups":{"1":{"projects":{"7":{},"7":{}}}}},"users":{}}': "platform.groups, 7",
    b'{"platform":{"groups":{}},"users":{"5":{"name":"a"},"5":{"name":"b"}}}': "users, 5",
}


@pytest.mark.parametrize("text", REPEATED)
def test_of_an_id_twice_in_one_object_the_last_counts_and_it_is_told(
    text: bytes, tmp_path: Path
) -> None:
    """As most readers of JSON do it; they only don't say so."""
    saved = read_here(tmp_path, text)
    plain = plainly_read(text)
    told = plainly_told(saved)
    assert (told.people, told.places, told.members) == (
        plain.people,
        plain.places,
        plain.members,
    )
    assert [one for one in saved.info.warnings if f"({REPEATED[text]})" in one]


def test_a_project_in_two_groups_has_a_row_in_each(tmp_path: Path) -> None:
    """Nothing says which place is the right one."""
    groups = {
        "1": {"projects": {"7": {"members": {"5": member("OWNER")}}}},
        "2": {"projects": {"7": {"members": {"5": member("GUEST")}}}},
    }
    saved = read_here(tmp_path, report(groups))
    assert saved.arrays.place_id.tolist() == [1, 7, 2, 7]
    assert saved.info.memberships == 2
    assert any("platform.groups.2.projects.7" in one for one in saved.info.warnings)


def test_groups_fifty_deep_are_read(tmp_path: Path) -> None:
    """Depth is data."""
    entry: dict[str, Any] = {"name": "lowest", "members": {"5": member()}}
    for number in range(50):
        entry = {"subgroups": {str(number): entry}, "projects": {}}
    saved = read_here(tmp_path, report({"100": entry}))
    assert saved.arrays.place_depth.tolist() == list(range(51))
    assert set(saved.arrays.place_end.tolist()) == {51}


def test_ten_megabytes_of_unknown_fields_are_skipped(tmp_path: Path) -> None:
    """Wherever they stand, of whatever shape they are."""
    padding = {"list": [{"a": [1, 2.5, None, True]}] * 1000, "text": 'x\\"{' * 800_000}
    groups = {"1": {"more": padding, "members": {"5": {**member(), "since": {"a": {}}}}}}
    saved = read_here(tmp_path, report(groups, {"5": {**user(), "more": padding}}, more=padding))
    assert saved.info.size > 10_000_000
    assert (saved.info.people, saved.info.groups, saved.info.memberships) == (1, 1, 1)
    assert sum(file.stat().st_size for file in saved.folder.iterdir()) < 5_000


@pytest.mark.parametrize("half", [r"\ud800", r"\udc00", r"\uD83Dx", r"\\\ud800", r"\ud800\ud800"])
@pytest.mark.parametrize("where", ["name", "more"])
def test_half_of_a_surrogate_pair_is_no_reason_to_stop(
    half: str, where: str, tmp_path: Path
) -> None:
    """JSON allows it, UTF-8 does not; whole pairs and escaped backslashes are left alone."""
    text = report({}, {"5": {"name": "", "username": r"!", where: "?"}})
    text = text.replace(b'"?"', f'"{half}"'.encode()).replace(b"!", rb"\ud83d\ude00\\ud800")
    saved = read_here(tmp_path, text)
    (person,) = plainly_told(saved).people
    assert person[2] == "\N{GRINNING FACE}\\ud800"
    if where == "name":
        assert "\ufffd" in person[1]
    assert any("surrogate" in one for one in saved.info.warnings)


def test_a_byte_order_mark_is_no_fault(tmp_path: Path) -> None:
    """Some programs that save what curl printed write one."""
    saved = read_here(tmp_path, b"\xef\xbb\xbf" + report({}, {"5": user()}))
    assert saved.info.people == 1


def test_nobody_else_may_read_what_is_saved(tmp_path: Path) -> None:
    """Names and addresses of people."""
    saved = read_here(tmp_path, report({}, {"5": user()}))
    assert saved.folder.stat().st_mode & 0o777 == 0o700
    assert {file.stat().st_mode & 0o777 for file in saved.folder.iterdir()} == {0o600}


@pytest.mark.parametrize("nested", [False, True])
@pytest.mark.parametrize("repeated", [False, True])
@pytest.mark.parametrize("indent", [None, 2])
def test_very_many_users_are_read_in_pieces(
    *, nested: bool, repeated: bool, indent: int | None, tmp_path: Path, monkeypatch: Any
) -> None:
    """With the same result: cut where entries end, whatever their texts have in them."""
    monkeypatch.setattr(people_and_places, "_ONE_PIECE", 100)
    monkeypatch.setattr(people_and_places, "_ENTRIES", by_two())
    listed: dict[str, Any] = {str(one): user(f'U{one}"}},{{[\\') for one in range(9)}
    if nested:
        listed["5"]["more"] = {"a": [1]}
    whole = {"platform": {"groups": {}}, "users": listed}
    text = json.dumps(whole, indent=indent).encode()
    if repeated:
        text = text.replace(b'"8":', b'"1":')
    saved = read_here(tmp_path, text)
    assert plainly_told(saved).people == kept(plainly_read(text)).people
    assert saved.info.warnings == (
        ("1 entry has a duplicate id in the same object; the last one is used (users, 1).",)
        if repeated
        else ()
    )


def by_two() -> re.Pattern[bytes]:
    """Return the pattern of pieces for pieces of two."""
    pattern = people_and_places._ENTRIES.pattern
    return re.compile(pattern.replace(b"16384", b"2"), re.DOTALL)
