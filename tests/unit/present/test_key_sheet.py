"""What the sections of `platui keys` say of keys that similar views have."""

from __future__ import annotations

from platui.present.key_sheet import KeyRow, KeySection, shortened

SORT = KeyRow("list.sort", ("S",), "Sort", "Choose the column", own=False)
OTHER_SORT = KeyRow("list.sort", ("S",), "Sort", "Choose the order", own=False)
MARK = KeyRow("list.mark", ("space",), "Mark", "Mark the row", own=False)
OWN = KeyRow("list.own", ("o",), "Own", "Only here", own=False)


def test_a_key_is_missing_once_and_only_where_it_is() -> None:
    """Also where a row is common to all lists, and another one to a family of views."""
    views = [
        *(KeySection(f"List {number}", (SORT, MARK)) for number in range(3)),
        KeySection("Report: people", (OTHER_SORT, MARK)),
        KeySection("Report: groups", (OTHER_SORT, MARK)),
        KeySection("Report: changes", (MARK, SORT, OWN)),
        KeySection("Report: terms", (MARK, OWN._replace(keys=("p",), id="list.other"))),
    ]
    lacks = {section.title: section.lacks for section in shortened(views)}
    assert lacks["Report: terms"] == ("sort",)
    assert not any(found for title, found in lacks.items() if title != "Report: terms")
