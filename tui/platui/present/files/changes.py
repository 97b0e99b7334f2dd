"""What changed between two commits: the commits, the files, and their diffs as text."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, islice
from typing import TYPE_CHECKING, Final

from platui.core.text import clean
from platui.models.values.log import PLAIN, Span, SpanStyle
from platui.models.values.table import BLANK, Cell, Row
from platui.models.wire import Commit, FileDiff
from platui.present.counts import counted
from platui.present.details.layout import details, paragraphs, stamps
from platui.present.files.source import Check, Source, SourceDocument, short_ref, shown_text
from platui.present.tables.spec import ColumnSpec, Context, TableSpec
from platui.present.times import clock

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from platui.models.values.routes import Route
    from platui.models.wire import Comparison
    from platui.present.details.layout import Details

    Change = Commit | FileDiff

NOT_SUPPORTED: Final = "Comparing commits is not supported by this platform."
_MOST_LINES: Final = 50_000  # of a diff; a comparison can have any size
_BETWEEN: Final = "..."
_SHORT: Final = 8
_COMMIT: Final = "commit:"
_FILE: Final = "file:"

_STYLES: Final = {
    "+": SpanStyle(foreground="green"),
    "-": SpanStyle(foreground="red"),
    "@": SpanStyle(role="name"),
    "\\": SpanStyle(role="muted"),
}
_NAME: Final = SpanStyle(bold=True)
_NOTE: Final = SpanStyle(role="muted")


def range_of(before: str, after: str) -> str:
    """Return a comparison as the ref of a route, as in web addresses."""
    return f"{before}{_BETWEEN}{after}"


def refs_of(route: Route) -> tuple[str, str]:
    before, _, after = route.ref.partition(_BETWEEN)
    return before, after


def range_text(route: Route) -> str:
    return _BETWEEN.join(map(short_ref, refs_of(route)))


def own_range(commit: Commit) -> str:
    """Return the comparison of a commit with its first parent; empty: it has none."""
    return range_of(commit.parent_ids[0], commit.id) if commit.parent_ids else ""


COMMITS: Final[TableSpec[Commit]] = TableSpec(
    key=lambda one: one.id,
    columns=(
        ColumnSpec("id", "COMMIT", cell=lambda one, _: Cell(clean(one.id[:_SHORT]), "accent"),
                   width=8),
        ColumnSpec("title", "TITLE", width=40, minimum=20, flexible=True, middle=True),
        ColumnSpec("author_name", "AUTHOR", role="muted", width=18, minimum=10, priority=1,
                   fits=True),
        ColumnSpec("created_at", "WHEN", cell=lambda one, at: clock(one.created_at, at.now,
                   utc=at.utc), role="muted", width=12, priority=2, fits=True),
        *map(ColumnSpec, ("author_email", "message")),
        ColumnSpec("parent_ids", value=lambda one, _: list(one.parent_ids)),
        ColumnSpec("web_url"),
    ),
)  # fmt: skip

CHANGED_FILES: Final[TableSpec[FileDiff]] = TableSpec(
    key=lambda one: one.new_path,
    columns=(
        ColumnSpec("change", "CHANGE", value=lambda one, _: _kind(one), role="muted", width=8),
        ColumnSpec("new_path", "FILE", cell=lambda one, _: path_of(one), width=40),
        ColumnSpec("old_path"),
        ColumnSpec("lines", "LINES", name=None, cell=lambda one, _: _size(one), role="muted",
                   width=18),
        ColumnSpec("added", value=lambda one, _: one.added),
        ColumnSpec("removed", value=lambda one, _: one.removed),
        ColumnSpec("is_binary"),
        ColumnSpec("is_left_out"),
        ColumnSpec("diff"),
    ),
)  # fmt: skip

LAYOUT: Final = COMMITS.layout


def _kind(file: FileDiff) -> str:
    if file.new_file or file.deleted_file:
        return "new" if file.new_file else "deleted"
    return "renamed" if file.renamed_file else "changed"


def path_of(file: FileDiff) -> str:
    old, new = clean(file.old_path), clean(file.new_path)
    return f"{old} → {new}" if file.renamed_file and old != new else new or old


def _size(file: FileDiff) -> str:
    if file.is_binary or file.is_left_out:
        return "binary" if file.is_binary else "too large"
    return f"+{file.added} -{file.removed}"


def changes_of(comparison: Comparison) -> dict[str, Change]:
    """Return the commits, newest first, then the files, by the keys of their rows."""
    commits = enumerate(reversed(comparison.commits))
    files = enumerate(comparison.diffs)
    return {f"{_COMMIT}{at}": one for at, one in commits} | {
        f"{_FILE}{at}": one for at, one in files
    }


def change_rows(changes: Mapping[str, Change], at: Context) -> list[Row]:
    """Return a row for each change, and a heading above the files; slow if there are many."""
    commits = {key: one for key, one in changes.items() if isinstance(one, Commit)}
    files = {key: one for key, one in changes.items() if isinstance(one, FileDiff)}
    rows = [replace(COMMITS.row(one, at), key=key) for key, one in commits.items()]
    if files:
        text = f"── {counted(len(files), 'file')} ──"
        rows.append(Row("files", (), search=" ", muted=True, heading=Cell(text, "muted")))
    return [*rows, *(replace(_file_row(one, at), key=key) for key, one in files.items())]


def _file_row(file: FileDiff, at: Context) -> Row:
    row = CHANGED_FILES.row(file, at)
    return replace(row, cells=(*row.cells, BLANK), sort=())


def change_details(change: Change, at: Context) -> Details:
    if isinstance(change, FileDiff):
        lines = {
            "": [("file", path_of(change)), ("change", _kind(change)), ("lines", _size(change))]
        }
        return details(path_of(change), lines)
    title, _, rest = change.message.partition("\n")
    parents = [("parent", parent) for parent in change.parent_ids]
    return details(
        f"Commit {change.id[:_SHORT]}",
        {
            "": [("title", change.title or title), *paragraphs("message", rest)],
            "who": [("author", change.author_name), ("email", change.author_email)],
            "when": stamps(at, change, "created"),
            "what": [("commit", change.id), *parents],
            "links": [("commit", change.web_url)],
        },
    )


def read_diff(comparison: Comparison, path: str) -> Source:
    """Return the diff of one file, or of all with an empty `path`; slow if it is large."""
    files = [one for one in comparison.diffs if path in {"", one.new_path, one.old_path}]
    spans = list(islice(chain.from_iterable(map(_diff_lines, files)), _MOST_LINES + 1))
    if len(spans) > _MOST_LINES:
        spans[_MOST_LINES:] = [Span(f"Cut after {_MOST_LINES:,} lines.", _NOTE)]
    lines = [span.text for span in spans]
    content = "\n".join(lines).encode()
    document = SourceDocument(lines, len(content), [(span,) for span in spans])
    return Source(document, content, Check.UNSAID, binary=False)


def _diff_lines(file: FileDiff) -> Iterator[Span]:
    yield Span(f"{_kind(file)} {path_of(file)}  {_size(file)}", _NAME)
    if file.is_left_out:
        yield Span("The platform does not send this diff: it is too large.", _NOTE)
    elif not file.diff:
        yield Span("The content is the same.", _NOTE)
    for line in file.diff.removesuffix("\n").split("\n") if file.diff else ():
        text = shown_text(line.removesuffix("\r"))
        yield Span(text, _STYLES.get(text[:1], PLAIN))
    yield Span("")
