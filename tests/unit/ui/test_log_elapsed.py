"""The moment from which a log counts elapsed time."""

from __future__ import annotations

from platui.logs.merged import MergedLog
from platui.models.values.log import Span
from platui.models.values.many_logs import Origin
from platui.ui.widgets.log_content import LogContent


def test_a_merged_log_counts_from_its_first_line_with_a_time() -> None:
    """It begins with a notice, which has none."""
    merged, content = MergedLog(), LogContent()
    for number, stamp in enumerate((None, 5.0, 7.0)):
        merged.add((Span("line"),), Origin(1, number), stamp)
    content.show(merged)
    content.grow()
    assert [content.started_before(y) for y in range(3)] == [5.0] * 3
