"""A report of any content is read whole, or refused with a reason and without a trace."""

from __future__ import annotations

import gzip
import hashlib
import json
import tempfile
from pathlib import Path
from typing import Final

from hypothesis import example, given
from hypothesis import strategies as st
from tests.fuzz.bounds import in_time, tries
from tests.fuzz.checks import check_error, check_line
from tests.fuzz.strategies import as_json, changed, damaged, json_values, texts
from tests.support.plain_report import plainly_told, read_here
from tests.unit.report.test_faults import WHOLE

from platui.core.errors import FileReadError, ReportError
from platui.core.text import clean
from platui.models.values.access import PeopleOrder
from platui.report.open_report import OpenedReport
from platui.report.saved_report import SavedReport, info_path, open_saved, read_info
from platui.service.access.report_files import opened_file

VALUE: Final = json.loads(WHOLE)

keys = st.sampled_from(
    ["platform", "groups", "users", "members", "projects", "subgroups", "name", "path", "email",
     "max_access_level", "state", "username", "1", "5", "-1", "05", "9" * 19]
)  # fmt: skip
reports = (
    changed(VALUE).map(as_json)
    | damaged(WHOLE)
    | st.fixed_dictionaries(
        {
            "platform": st.fixed_dictionaries({"groups": json_values(keys | texts)}),
            "users": json_values(keys | texts),
        }
    ).map(as_json)
    | json_values(keys).map(as_json)
    | st.binary(max_size=40)
)


def check_opened(saved: SavedReport) -> None:
    """Check what a saved report shows of its people and places."""
    plain = plainly_told(saved)
    assert len(plain.people) == len(saved.arrays.person_id)
    for warning in saved.info.warnings:
        check_line(warning, 1_000)
    report = OpenedReport(saved)
    for row in range(report.person_count):
        person = report.person(row)
        assert all(text == clean(text) for text in (person.name, person.username, person.email))
        assert (
            len(list(report.memberships_of(row)))
            == sum(1 for _, id_, _ in plain.members if id_ == saved.arrays.person_id[row])
            or list(saved.arrays.person_id).count(saved.arrays.person_id[row]) > 1
        )
    for row in range(report.place_count):
        assert report.place(row).path == clean(report.place(row).path)
    report.people("a -b", PeopleOrder.NAME)
    report.places("a")


@tries(80)
@given(reports)
@example(b'{"platform":{"groups":{"1":{"members":' + b"[" * 5_000)
@example(b'{"platform":{"groups":{"1":{"name":"\\ud800"}}},"users":{}}')
@example(b"\xef\xbb\xbf")
@example(b'{"platform":{"groups":{}},"users":{"1":{"name":"' + b"\\ud800" * 9_000)
def test_a_report_is_read_whole_or_leaves_nothing(text: bytes) -> None:
    """Whatever is in it; an error names what and where."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            with in_time(4):
                saved = read_here(folder, text)
        except ReportError as error:
            check_error(error, 1_000)
            assert list((folder / "reports").iterdir()) == []
            return
        assert [one.name for one in (folder / "reports").iterdir()] == [saved.folder.name]
        with in_time(4):
            check_opened(saved)


@tries(40)
@given(st.data())
def test_a_damaged_description_of_a_saved_report_is_told(data: st.DataObject) -> None:
    """It is opened, or is damaged."""
    with tempfile.TemporaryDirectory() as name:
        saved = read_here(Path(name), WHOLE)
        path = info_path(saved.folder)
        content = path.read_bytes()
        path.write_bytes(
            data.draw(damaged(content) | changed(json.loads(content)).map(as_json) | st.binary())
        )
        for look in (open_saved, read_info):
            try:
                with in_time():
                    look(saved.folder)
            except ReportError as error:
                check_error(error, 1_000)


@tries(60)
@given(data=st.data(), packs=st.booleans())
async def test_a_file_is_unpacked_or_refused(
    data: st.DataObject,
    packs: bool,  # noqa: FBT001  (drawn)
) -> None:
    """Damaged gzip is told; what was unpacked is gone afterwards, and the file stays."""
    content = WHOLE * data.draw(st.integers(1, 40))
    content = gzip.compress(content, mtime=0) if packs else content
    content = data.draw(st.just(content) | damaged(content))
    with tempfile.TemporaryDirectory() as name:
        path, folder = Path(name, "report.json"), Path(name, "reports")
        path.write_bytes(content)
        try:
            async with opened_file(path, folder) as file:
                check_line(file.name)
                assert hashlib.sha256(file.text.read_bytes()).hexdigest() == file.digest
        except (FileReadError, ReportError) as error:
            check_error(error, 1_000)
        assert path.read_bytes() == content
        assert not folder.exists() or list(folder.iterdir()) == []
