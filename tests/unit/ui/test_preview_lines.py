"""The first line of a preview, and the sentence in place of a log."""

from __future__ import annotations

import pytest
from tests.support.clock import START

from platui.logs import Log
from platui.models.values.previews import LOG, PreviewTarget, RowPreview
from platui.ui.widgets.preview_lines import Shown, preview_lines

HINT = (("v", "key"), (" hide ", "muted"))


def lines_of(preview: RowPreview, title: str = "load") -> list[str]:
    """Return the lines of the preview of a failed job."""
    target = PreviewTarget(1, title, "failed", job=9)
    lines = preview_lines(Shown(target, LOG, preview, HINT, START), 80, 8)
    return ["".join(text for text, _ in line) for line in lines]


def ended(text: bytes) -> Log:
    """Return a log."""
    log = Log(stamped=False)
    log.append(text)
    log.finish()
    return log


def test_a_long_title_leaves_room_for_the_key_and_the_place() -> None:
    """It is cut in the middle."""
    title = f"dbt_{'run_' * 40}nightly"
    first = lines_of(RowPreview(document=ended(b"one\ntwo\n"), is_complete=True), title)[0]
    assert len(first) == 80
    assert first.startswith(" dbt_run_")
    assert "…" in first
    assert "nightly" in first
    assert "last of 2 lines" in first
    assert first.endswith(" v hide ")


def test_the_last_lines_of_a_failed_log_say_that_they_have_no_error() -> None:
    """The error may be above them."""
    preview = RowPreview(document=ended(b"one\n"), is_tail=True, is_complete=True)
    assert "no error in the last lines" in lines_of(preview)[0]


@pytest.mark.parametrize("is_too_long", [True, False])
def test_a_log_that_is_too_long_for_a_preview_says_so(*, is_too_long: bool) -> None:
    """With the key that opens it."""
    lines = lines_of(RowPreview(is_complete=True, is_too_long=is_too_long))
    assert ("too long for a preview: enter opens it." in lines[1]) == is_too_long
