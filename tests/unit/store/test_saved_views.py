"""The last place comes back as it was, or not at all."""

from __future__ import annotations

import json
import tempfile
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from platui.core.text import clean
from platui.models.values.routes import Route, SavedView
from platui.models.values.table import ROLES, Cell, Column, LineBelow, Row
from platui.store.saved_views import MAX_ROWS, SavedViews

TEXT = st.text(max_size=12).map(clean)
ROLE = st.sampled_from(sorted(ROLES))
SORT_VALUE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5)
    | st.datetimes(timezones=st.just(UTC)) | st.dates(),
    lambda inner: st.tuples(inner, inner),
    max_leaves=3,
)  # fmt: skip
CELL = st.builds(Cell, TEXT, ROLE, st.lists(st.tuples(TEXT, ROLE), max_size=2).map(tuple))
ROW = st.builds(
    Row,
    key=st.text(max_size=8),
    cells=st.lists(CELL, max_size=4).map(tuple),
    sort=st.lists(SORT_VALUE, max_size=3).map(tuple),
    search=TEXT,
    muted=st.booleans(),
    below=st.lists(st.builds(LineBelow, CELL) | st.builds(LineBelow, CELL, CELL), max_size=2).map(
        tuple
    ),
    title=st.none() | CELL,
)
COLUMN = st.builds(
    Column, st.text(max_size=8), TEXT, st.integers(0, 99), st.integers(0, 99), st.booleans(),
    st.booleans(), st.integers(0, 9), *(st.booleans() for _ in range(4)),
)  # fmt: skip
PLACE = st.builds(
    Route,
    view=st.text(max_size=9),
    project=st.none() | st.integers() | st.text(max_size=9),
    project_name=TEXT,
    pipeline=st.none() | st.integers(),
    job=st.none() | st.integers(),
    job_name=TEXT,
    path=st.text(max_size=9),
    line=st.none() | st.integers(),
    is_regex=st.booleans(),
    sort=st.text(max_size=9),
    group=st.text(max_size=9),
)
KEPT = st.builds(
    SavedView,
    route=PLACE,
    columns=st.lists(COLUMN, max_size=4).map(tuple),
    rows=st.lists(ROW, max_size=6).map(tuple),
    cursor=st.text(max_size=8),
    saved_at=st.floats(0, 4e9),
    profile=st.text(max_size=90),
    extra=st.dictionaries(st.text(max_size=5), st.text(max_size=5), max_size=2),
)


def sample(rows: int = 100, cursor: str = "3") -> SavedView:
    """Return a place as a screen leaves it."""
    cells = tuple(Cell(f"text {number}", "muted") for number in range(8))
    return SavedView(
        route=Route("pipelines", 7, "group/name"),
        columns=tuple(Column(f"c{number}", "Title", 10) for number in range(8)),
        rows=tuple(
            Row(
                str(number),
                cells,
                sort=(number,),
                below=(LineBelow(cells[0]), LineBelow(*cells[:2])),
            )
            for number in range(rows)
        ),
        cursor=cursor,
        saved_at=1.5,
        profile="prod",
    )


@settings(max_examples=60, deadline=None)
@given(KEPT)
def test_what_is_kept_comes_back_equal(kept: SavedView) -> None:
    """Any place, rows, sort values and names survive the file."""
    with tempfile.TemporaryDirectory() as folder:
        places = SavedViews(Path(folder, "places"))
        places.save(kept)
        assert places.load(kept.profile) == kept


def test_times_and_dates_stay_apart(tmp_path: Path) -> None:
    """Sort values come back with their type, so that they compare."""
    sort = (datetime(2026, 3, 1, tzinfo=UTC), date(2026, 3, 1), (1, "a"), None)
    kept = SavedView(Route(), rows=(Row("1", (), sort=sort),), profile="p")
    SavedViews(tmp_path).save(kept)
    loaded = SavedViews(tmp_path).load("p")
    assert loaded is not None
    assert loaded.rows[0].sort == sort
    assert [type(value) for value in loaded.rows[0].sort] == [type(value) for value in sort]


def test_sort_values_without_a_spelling_are_left_out_of_all_rows(tmp_path: Path) -> None:
    """Half of a column compared by values and half by texts would not sort."""
    rows = (Row("1", (), sort=(1,)), Row("2", (), sort=(object(),)))
    SavedViews(tmp_path).save(SavedView(Route(), rows=rows, profile="p"))
    loaded = SavedViews(tmp_path).load("p")
    assert loaded is not None
    assert [row.sort for row in loaded.rows] == [(), ()]


@pytest.mark.parametrize(
    ("cursor", "first", "last"),
    [("", 0, 149), ("0", 0, 149), ("149", 0, 149), ("500", 425, 574), ("999", 850, 999)],
)
def test_of_a_long_list_the_rows_around_the_cursor_are_kept(
    tmp_path: Path, cursor: str, first: int, last: int
) -> None:
    """A first frame shows some dozens of rows, so it does not read thousands."""
    SavedViews(tmp_path).save(sample(1000, cursor))
    loaded = SavedViews(tmp_path).load("prod")
    assert loaded is not None
    assert len(loaded.rows) == MAX_ROWS
    assert (loaded.rows[0].key, loaded.rows[-1].key) == (str(first), str(last))


@pytest.mark.parametrize("known", [7, 9, 99])
def test_columns_of_an_earlier_or_later_platui_are_read(tmp_path: Path, known: int) -> None:
    """Each version adds fields of a column at the end; what is missing has its default."""
    places, column = SavedViews(tmp_path), Column("path", "Path", 9, 4, right=True, priority=2)
    places.save(replace(sample(1), columns=(column,)))
    (path,) = tmp_path.iterdir()
    document = json.loads(path.read_text("utf-8"))
    document["columns"] = [[*one, "of later"][:known] for one in document["columns"]]
    path.write_text(json.dumps(document), "utf-8")
    loaded = SavedViews(tmp_path).load("prod")
    assert loaded is not None
    assert loaded.columns == (column,)


def test_profiles_don_t_share_a_place_whatever_their_names(tmp_path: Path) -> None:
    """A host with a port, a path, a long name: each has its own file inside the folder."""
    names = ["a", "../a", "127.0.0.1:80", "127.0.0.1:81", ".", "A", "x" * 300, "~a", ""]
    places = SavedViews(tmp_path / "places")
    for name in names:
        places.save(SavedView(Route(project_name=f"of {clean(name)}"), profile=name))
    for name in names:
        loaded = places.load(name)
        assert loaded is not None
        assert loaded.route.project_name == f"of {clean(name)}"
    assert len(list((tmp_path / "places").iterdir())) == len(names)
    assert len(list(tmp_path.iterdir())) == 1


def test_the_file_is_private_and_replaced_whole(tmp_path: Path) -> None:
    """Mode 0600, nothing left beside it."""
    places = SavedViews(tmp_path)
    places.save(sample())
    places.save(sample(5))
    (path,) = tmp_path.iterdir()
    assert path.stat().st_mode & 0o777 == 0o600


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_a_damaged_file_is_no_place(data: st.DataObject) -> None:
    """Any value put anywhere into the document gives a place or None, and never raises."""
    with tempfile.TemporaryDirectory() as folder:
        places = SavedViews(Path(folder))
        places.save(sample(2))
        (path,) = Path(folder).iterdir()
        document = json.loads(path.read_text())
        _put_somewhere(document, data)
        path.write_text(json.dumps(document))
        loaded = places.load("prod")
        cached_pipeline_rows = () if loaded is None else loaded.rows
        cells = [cell for row in cached_pipeline_rows for cell in row.cells]
        cells += [
            cell
            for row in cached_pipeline_rows
            for line in row.below
            for cell in (line.left, line.right)
        ]
        texts = [text for cell in cells for text in (cell.text, *(part for part, _ in cell.parts))]
        assert all(isinstance(text, str) and "\x1b" not in text for text in texts)


def _put_somewhere(document: Any, data: st.DataObject) -> None:
    """Replace one value somewhere in the document by a wrong one."""
    odd = st.sampled_from([None, [], {}, "\x1b[2J", -1, 1e400, True, [1], {"time": "x"}, 10**400])
    where = document
    while True:
        keys = list(where) if isinstance(where, dict) else list(range(len(where)))
        key = data.draw(st.sampled_from(keys))
        if not isinstance(where[key], (dict, list)) or not where[key] or data.draw(st.booleans()):
            where[key] = data.draw(odd)
            return
        where = where[key]


def test_rows_of_one_line_are_written_as_ever(tmp_path: Path) -> None:
    """So that a file of before the lines below is read, and is no other than one of today."""
    plain = Row("1", (Cell("one"),), search="one")
    SavedViews(tmp_path).save(SavedView(Route(), rows=(plain,), profile="p"))
    (path,) = tmp_path.iterdir()
    assert json.loads(path.read_text())["rows"] == [["1", [["one"]], [], "one", False]]
    loaded = SavedViews(tmp_path).load("p")
    assert loaded is not None
    assert loaded.rows == (plain,)


@pytest.mark.parametrize("moment", [float("inf"), 1e15, None, "1"])
def test_a_moment_beyond_the_calendar_is_no_place(tmp_path: Path, moment: Any) -> None:
    """The header of the first frame has its age."""
    SavedViews(tmp_path).save(sample(1))
    (path,) = tmp_path.iterdir()
    path.write_text(json.dumps(json.loads(path.read_text()) | {"saved_at": moment}))
    assert SavedViews(tmp_path).load("prod") is None


@pytest.mark.parametrize(
    "below", [[[]], [[[[]]]], [[["a"], ["b"], ["c"]]], [[[1]]], [7], 7, {"a": 1}]
)
def test_lines_below_of_a_wrong_shape_are_no_place(tmp_path: Path, below: Any) -> None:
    """Half a row is no row: the screen starts without."""
    SavedViews(tmp_path).save(sample(1))
    (path,) = tmp_path.iterdir()
    document = json.loads(path.read_text())
    document["rows"][0][5] = below
    path.write_text(json.dumps(document))
    assert SavedViews(tmp_path).load("prod") is None


@pytest.mark.parametrize(
    "content",
    [
        b"", b"\xff", b"[]", b"null", b"{", b"{}", b'{"version": 2}', b"[" * 100_000,
        b'{"version": 1}', b" " * 4_000_001,
    ],
    ids=["empty", "binary", "list", "null", "cut", "nothing", "newer", "deep", "bare", "huge"],
)  # fmt: skip
def test_a_foreign_file_is_no_place(tmp_path: Path, content: bytes) -> None:
    """The screen starts without, as on the first day."""
    (tmp_path / "prod.json").write_bytes(content)
    assert SavedViews(tmp_path).load("prod") is None


def test_another_profiles_file_is_no_place(tmp_path: Path) -> None:
    """A file that was copied over must not show one platform's rows as another's."""
    SavedViews(tmp_path).save(sample())
    (tmp_path / "prod.json").rename(tmp_path / "test.json")
    assert SavedViews(tmp_path).load("test") is None
