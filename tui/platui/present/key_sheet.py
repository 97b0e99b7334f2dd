"""A sheet of all keys, as plain text or Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from textwrap import wrap
from typing import Final

from platui.core.markdown import code, plain
from platui.core.named_tuple import NamedTuple
from platui.present.action_groups import GROUPS, UP_AND_DOWN

# Title -> groups of actions that several views share
_COMMON: Final = {
    "Everywhere": {"go", "here"},
    "In every list": {"list", "move"},
    "On projects, pipelines and jobs": {"watch", "pipeline", "change"},
    "In every text": {"log"},
}

_WIDTH: Final = 80
_KEYS: Final = 18
_LABEL: Final = 19
_ID: Final = 25
_OWN: Final = "*"
_NO_KEY: Final = "(none)"


class KeyRow(NamedTuple):
    id: str
    keys: tuple[str, ...]  # As displayed; empty: no key
    label: str
    meaning: str
    own: bool


class KeySection(NamedTuple):
    title: str
    rows: tuple[KeyRow, ...]
    lacks: tuple[str, ...] = ()  # Labels of actions that similar views have


def shortened(views: Sequence[KeySection]) -> list[KeySection]:
    moves = _once(
        [row for view in views for row in view.rows if row.id.partition(".")[2] in UP_AND_DOWN]
    )
    sections = [KeySection("Movement, in every list, text and form", moves)]
    ids = {view.title: {row.id for row in view.rows} for view in views}
    listed = {_same(row) for row in moves}
    left = [
        view._replace(rows=tuple(row for row in view.rows if _same(row) not in listed))
        for view in views
    ]
    for title, groups in _COMMON.items():
        rows = _common(
            [row for view in left for row in view.rows if GROUPS.get(_part(row)) in groups], 3
        )
        left = [_without(view, rows, ids[view.title]) for view in left]
        sections.append(KeySection(title, rows))
    for family in dict.fromkeys(_family(view) for view in views if _family(view)):
        members = [view for view in left if _family(view) == family]
        rows = _common([row for view in members for row in view.rows], 2)
        left = [_without(view, rows, ids[view.title]) if view in members else view for view in left]
        at = next(n for n, view in enumerate(left) if _family(view) == family)
        left.insert(at, KeySection(f"{family}: all views", rows))
    own = [view._replace(rows=_once(view.rows)) for view in left]
    return [section for section in [*sections, *own] if section.rows or section.lacks]


def with_details(section: KeySection) -> list[KeySection]:
    """Return the section of a view, and one of the keys of its details."""
    of_details = tuple(row for row in section.rows if _part(row) == "detail")
    rows = tuple(row for row in section.rows if row not in of_details)
    details = KeySection(f"{section.title}: details", of_details)
    return [section._replace(rows=rows), *([details] if of_details else [])]


def plain_lines(sections: Sequence[KeySection], *, ids: bool) -> Iterator[str]:
    """Yield a sheet of 80 columns; `ids` are those of `[keys]` in config.toml."""
    owned = False
    for number, section in enumerate(sections):
        if number:
            yield ""
        yield section.title
        for row in section.rows:
            owned = owned or row.own
            yield from _row_lines(row, ids=ids)
        if section.lacks:
            text = f"Not here: {', '.join(section.lacks)}."
            yield from (f"  {line}" for line in wrap(text, _WIDTH - 2))
    if owned:
        yield ""
        yield f"{_OWN} your own key (config.toml)"


def markdown_lines(sections: Sequence[KeySection], *, ids: bool) -> Iterator[str]:
    for number, section in enumerate(sections):
        if number:
            yield ""
        yield f"## {plain(section.title)}"
        yield ""
        if section.rows:
            yield "| key | action |" + (" id |" if ids else "")
            yield "|---|---|" + ("---|" if ids else "")
        for row in section.rows:
            keys = " ".join(code(key).replace("|", "\\|") for key in row.keys) or "–"
            keys += " (own)" if row.own else ""
            what = plain(f"{row.label}: {row.meaning}" if row.meaning else row.label)
            yield f"| {keys} | {what} |" + (f" {code(row.id)} |" if ids else "")
        if section.lacks:
            yield ""
            yield plain(f"Not here: {', '.join(section.lacks)}.")


def _part(row: KeyRow) -> str:
    return row.id.partition(".")[0]


def _same(row: KeyRow) -> tuple[tuple[str, ...], str]:
    return row.keys, row.label


def _family(view: KeySection) -> str:
    family, colon, _ = view.title.partition(":")
    return family if colon else ""


def _common(rows: Sequence[KeyRow], least: int) -> tuple[KeyRow, ...]:
    """Return the rows shared by `least` views, the most frequent one per id."""
    seen = Counter(rows)
    found: dict[str, KeyRow] = {}
    for row, count in seen.most_common():
        if count >= least:
            found.setdefault(row.id, row)
    return tuple(row for row in seen if found.get(row.id) == row)


def _without(view: KeySection, common: Sequence[KeyRow], ids: Collection[str]) -> KeySection:
    """Return a section without common rows; `ids`: of all its rows."""
    parts = {_part(row) for row in view.rows}
    lacks = [row.label.lower() for row in common if row.id not in ids and _part(row) in parts]
    rows = tuple(row for row in view.rows if row not in common)
    return KeySection(view.title, rows, tuple(dict.fromkeys((*view.lacks, *lacks))))


def _once(rows: Sequence[KeyRow]) -> tuple[KeyRow, ...]:
    found: dict[tuple[tuple[str, ...], str], KeyRow] = {}
    for row in rows:
        found.setdefault(_same(row), row)
    return tuple(found.values())


def _row_lines(row: KeyRow, *, ids: bool) -> Iterator[str]:
    head = f"{_OWN if row.own else ' '} {', '.join(row.keys) or _NO_KEY}"
    if len(head) > _KEYS:
        yield head
        head = ""
    head = f"{head:<{_KEYS + 2}}{row.id if ids else row.label}"
    room = _KEYS + 2 + (_ID if ids else _LABEL)
    if len(head) >= room:
        yield head
        head = ""
    rest = wrap(row.label if ids else row.meaning, _WIDTH - room)
    if head or rest:
        yield f"{head:<{room}}{rest.pop(0) if rest else ''}".rstrip()
    yield from (f"{'':<{room}}{line}" for line in rest)
