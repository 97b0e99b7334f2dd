"""Comparisons of two commits: their refs, details and diffs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING, Final

from platui.core.text import clean, shorten, with_full_stop
from platui.models.values.log import PLAIN, Span, SpanStyle
from platui.models.wire import Commit, Comparison, FileDiff, MergeRequest
from platui.present.counts import counted
from platui.present.details.layout import Details, details, paragraphs, stamps
from platui.present.files.source import Check, Source, SourceDocument, short_ref, shown_text
from platui.present.tables.commits import kind_of, path_of, size_of

if TYPE_CHECKING:
    from platui.models.values.routes import Route
    from platui.present.tables.commits import Change
    from platui.present.tables.spec import Context

NOT_SUPPORTED: Final = "Comparing commits is not supported by this platform."
INCOMPLETE: Final = "files incomplete: the platform stopped comparing"
SAME_COMMIT: Final = "Same commit: no change in code."
_MOST_LINES: Final = 50_000  # of a diff; a comparison can have any size
_BETWEEN: Final = "..."
_SHORT: Final = 8
_TITLE: Final = 80

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


def change_details(change: Change, at: Context) -> Details:
    if isinstance(change, FileDiff):
        lines = {
            "": [("file", path_of(change)), ("change", kind_of(change)), ("lines", size_of(change))]
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


def merge_request_words(commit: Commit, found: MergeRequest | None) -> str:
    """Return what page opens for a commit: its merge request, or why it is another one."""
    if found is None:
        short = clean(commit.id[:_SHORT])
        return f"No merge request found for {short}: opening the commit's page."
    number = "" if found.iid is None else f" !{found.iid}"
    return f"Merge request{number}: {with_full_stop(shorten(found.title, _TITLE))}"


def diff_line(comparison: Comparison, route: Route) -> list[tuple[str, str]]:
    """Return the line above a diff; with the title of a single commit."""
    pieces, commits = [(range_text(route), "accent")], comparison.commits
    if not route.path:
        pieces += [(clean(commits[-1].title), "text")] if len(commits) == 1 else []
        pieces.append((counted(len(comparison.diffs), "file"), "text"))
    if comparison.compare_timeout:
        pieces.append((INCOMPLETE, "warning"))
    return pieces


def read_diff(comparison: Comparison, path: str) -> Source:
    """Return the diff of one file, or of all with an empty `path`; slow if it is large."""
    files = [one for one in comparison.diffs if path in {"", one.new_path, one.old_path}]
    spans = list(islice(chain.from_iterable(map(_diff_lines, files)), _MOST_LINES + 1))
    if len(spans) > _MOST_LINES:
        spans[_MOST_LINES:] = [Span(f"Cut after {_MOST_LINES:,} lines.", _NOTE)]
    # What is copied is what the platform sent: with tabs, long lines whole.
    content = "\n".join(map(_sent_text, files)).encode(errors="replace")
    lines = [span.text for span in spans]
    document = SourceDocument(lines, len(content), [(span,) for span in spans])
    return Source(document, content, Check.UNSAID, binary=False)


def _diff_lines(file: FileDiff) -> Iterator[Span]:
    yield Span(_heading(file), _NAME)
    if note := _note(file):
        yield Span(note, _NOTE)
    for line in file.diff.removesuffix("\n").split("\n") if file.diff else ():
        text = shown_text(line.removesuffix("\r"))
        yield Span(text, _STYLES.get(text[:1], PLAIN))
    yield Span("")


def _heading(file: FileDiff) -> str:
    return f"{kind_of(file)} {path_of(file)}  {size_of(file)}"


def _note(file: FileDiff) -> str:
    if file.is_left_out:
        return "The platform does not send this diff: it is too large."
    return "" if file.diff else "The content is the same."


def _sent_text(file: FileDiff) -> str:
    return "\n".join(filter(None, (_heading(file), _note(file), file.diff)))
