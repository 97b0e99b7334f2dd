"""How details are broken to the lines of a pane."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from platui.models.values.table import Cell
from platui.present.details.layout import Details, Field, Group
from platui.ui.widgets.detail_lines import detail_lines, wrapped

SHA = "c2a526786d6bf8c3829e3d5e69ffe0d31ab3695a"


def lines(value: str, width: int) -> list[str]:
    """Return a pane with one value, a string a line."""
    details = Details("T", (Group("", (Field("label", Cell(value)),)),))
    return [
        f"{line.label:<{line.indent}}{line.text}".rstrip()
        for line in detail_lines(details, width)[1:]
    ]


def test_a_value_that_fits_stands_beside_its_label() -> None:
    """The labels are a column."""
    assert lines("main", 40) == ["label      main"]


def test_a_blank_stands_after_the_longest_label() -> None:
    """The column of labels is wider for it; in a narrow pane the label is cut."""
    fields = tuple(Field(label, Cell("3,042")) for label in ("minimal_access", "owner"))
    details = Details("T", (Group("", fields),))
    told = [f"{one.label:<{one.indent}}{one.text}" for one in detail_lines(details, 40)[1:]]
    assert told == ["minimal_access 3,042", "owner          3,042"]
    narrow = detail_lines(details, 20)[1]
    assert f"{narrow.label:<{narrow.indent}}{narrow.text}" == "minimal_a… 3,042"


def test_a_sha_stays_in_one_piece_where_it_fits_at_all() -> None:
    """On a line of its own, at the margin if need be; so it can be copied with the mouse."""
    assert lines(SHA, 60) == [f"label      {SHA}"]
    assert lines(SHA, 45) == ["label", f"  {SHA}"]
    assert lines(SHA, 40) == ["label", SHA]
    assert lines(SHA, 39) == [f"label      {SHA[:28]}", f"           {SHA[28:]}"]


def test_one_of_a_list_stays_on_its_line() -> None:
    """It has the whole width, and is cut where that is not enough."""
    details = Details("T", (Group("same", (Field("", Cell("fix/日本 Build"), is_line=True),)),))
    assert [detail_lines(details, width)[-1].text for width in (14, 13, 6)] == [
        "fix/日本 Build", "fix/日本 Bui…", "fix/ …",
    ]  # fmt: skip


def test_a_sentence_has_the_width_of_the_pane() -> None:
    """Beside its label it would be a column of single words; where it fits there, it stays."""
    error = "vault: 403 permission denied"
    fields = (Field("", Cell(error), is_wide=True), Field("known as", Cell(error), is_wide=True))
    details = Details("T", (Group("", fields),))

    def told(width: int) -> list[str]:
        found = detail_lines(details, width)[1:]
        return [f"{one.label:<{one.indent}}{one.text}".rstrip() for one in found]

    assert told(40) == [error, f"known as   {error}"]
    assert told(30) == [error, "known as", error]
    assert told(22) == ["vault: 403 permission", "denied", "known as",
                        "vault: 403 permission", "denied"]  # fmt: skip


def test_what_a_dot_joins_goes_to_the_next_line_whole() -> None:
    """A number and what it counts are not parted, unless a line has no room for both."""
    text = "2023-09-08 18:57:00 UTC · 2y ago"
    assert wrapped(text, 28) == ["2023-09-08 18:57:00 UTC", "· 2y ago"]
    assert wrapped("UTC · a year ago", 8) == ["UTC · a", "year ago"]


def test_an_address_is_broken_behind_a_slash() -> None:
    """Not in the middle of a name."""
    assert wrapped("https://x.test/group/project/-/pipelines/123", 24) == [
        "https://x.test/group/", "project/-/pipelines/123",
    ]  # fmt: skip


def test_a_title_of_theirs_is_wrapped_too() -> None:
    """Long names of jobs are told whole."""
    details = Details("a name of a job that is long", ())
    assert [line.text for line in detail_lines(details, 12)] == [
        "a name of a",
        "job that is",
        "long",
    ]


@given(st.text(st.sampled_from("ab /.-é日\u0301"), max_size=60), st.integers(2, 30))
def test_nothing_is_lost_and_nothing_is_too_long(text: str, room: int) -> None:
    """Whatever is written, in whatever width."""
    pieces = wrapped(text, room)
    assert all(cell_len(piece) <= room for piece in pieces)
    assert "".join("".join(pieces).split()) == "".join(text.split())


@pytest.mark.parametrize("room", range(-3, 3))
@pytest.mark.parametrize("text", ["", "a", "long words, in a row", "漢字漢字", "a/b.c-d", "a · b"])
def test_no_room_is_too_small(text: str, room: int) -> None:
    """Nothing is lost where a pane has no cell left, as while a terminal is resized."""
    lines = wrapped(text, room)
    assert all(cell_len(line) <= 2 for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
