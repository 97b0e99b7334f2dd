"""The commits and files between two commits, and the text of their diffs."""

from __future__ import annotations

import pytest

from platui.models.wire import Commit, Comparison, FileDiff
from platui.present.files.changes import read_diff
from platui.present.tables.commits import change_rows, changes_of
from platui.present.tables.spec import TIMELESS


def diff_of(*files: FileDiff, path: str = "") -> list[str]:
    """Return the lines of a diff."""
    document = read_diff(Comparison(diffs=files), path).document
    return [document.text(line) for line in range(document.line_count)]


@pytest.mark.parametrize(
    ("file", "said"),
    [
        (FileDiff(new_path="a", diff="@@ -1 +1,2 @@\n a\n+b\n"), ("changed a  +1 -0", "+b")),
        (FileDiff(new_path="a", new_file=True), ("new a", "The content is the same.")),
        (FileDiff(old_path="a", new_path="a", deleted_file=True), ("deleted a",)),
        (FileDiff(old_path="a", new_path="b", renamed_file=True), ("renamed a → b",)),
        (FileDiff(new_path="a", too_large=True), ("too large", "does not send this diff")),
        (FileDiff(new_path="a", collapsed=True), ("too large", "does not send this diff")),
        (FileDiff(new_path="a", diff="Binary files a/a and b/a differ\n"), ("binary",)),
    ],
)
def test_each_kind_of_change_is_named(file: FileDiff, said: tuple[str, ...]) -> None:
    """Also when the platform leaves the diff out."""
    text = "\n".join(diff_of(file))
    assert all(words in text for words in said)


def test_one_file_is_selected_by_its_path() -> None:
    """An empty path selects all."""
    files = (FileDiff(new_path="a", diff="+1"), FileDiff(new_path="b", diff="+2"))
    assert "+1" not in diff_of(*files, path="b")
    assert {"+1", "+2"} <= set(diff_of(*files))


def test_what_is_copied_is_what_was_sent() -> None:
    """With tabs, long lines and all lines, also those that are not shown."""
    diff = "+\tx\n" * 60_000 + "+" + "y" * 30_000 + "\n"
    files = (FileDiff(new_path="a", diff=diff), FileDiff(new_path="b", new_file=True))
    text = read_diff(Comparison(diffs=files), "").text()
    # Not compared by the assertion itself: to describe how so many lines differ takes minutes.
    is_sent = text == f"changed a  +60001 -0\n{diff}\nnew b  +0 -0\nThe content is the same."
    assert is_sent


def test_a_huge_diff_is_cut() -> None:
    """A platform may send megabytes."""
    lines = diff_of(FileDiff(new_path="a", diff="+x\n" * 200_000))
    assert lines[-1] == "Cut after 50,000 lines."
    assert len(lines) == 50_001


def test_hostile_text_is_cleaned() -> None:
    """Escape sequences in paths, diffs and titles are not passed on."""
    file = FileDiff(new_path="a\x1b]0;x\x07", diff="+\x1b[2Jb\n-\u202ec\n")
    commit = Commit(id="\x1b[2J" + "a" * 40, title="\x1b[31m[/nope]\nb")
    found = changes_of(Comparison(commits=(commit,), diffs=(file,)))
    rows = change_rows(found, TIMELESS)
    cells = [cell.text for row in rows for cell in (row.heading, *row.cells) if cell is not None]
    shown = "".join([*diff_of(file), *cells])
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "\n" not in shown


def test_a_thousand_commits_have_rows_of_their_own() -> None:
    """The newest first, even if two have the same id."""
    commits = tuple(Commit(id=f"{number % 999:040x}") for number in range(1000))
    rows = change_rows(changes_of(Comparison(commits=commits)), TIMELESS)
    assert len({row.key for row in rows}) == 1000
    assert rows[0].cells[0].text == f"{0:08x}"[:8]
