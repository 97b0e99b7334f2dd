"""A list whose rows have a whole record of their own, which is followed for the cursor's row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from platui.ui.screens.listing import ListScreen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.models.values.feeds import Feed
    from platui.models.values.snapshots import Snapshot


class DetailedList(ListScreen):
    """Follows `record_feed` of the row under the cursor while its details stand beside it."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._record: Any = None
        self._record_of: str | None = None
        self._record_feed: Feed[Any] | None = None

    def whole(self, key: str) -> Any:
        """Return the whole record of a row; None where it has not come."""
        return self._record if self._record is not None and str(self._record.id) == key else None

    def start_feeds(self) -> None:
        """Follow the record of the cursor's row anew."""
        self._record_of, self._record_feed = None, None

    def feeds(self) -> Sequence[Any]:
        """Return the feed of the record."""
        return [] if self._record_feed is None else [self._record_feed]

    def forget(self) -> None:
        """Drop the record of the place of before."""
        super().forget()
        self._record, self._record_of, self._record_feed = None, None, None

    def draw_details(self) -> None:
        """Follow the details of the cursor's row while they are shown."""
        super().draw_details()
        if not self.is_shown:
            return
        key = self.table.cursor_key
        feed = None
        if key is not None and self.has_class("-detailed"):
            if key == self._record_of:
                return
            feed = self.record_feed(key)
        if feed is None:
            self._record_of, self._record_feed = None, None
            self.stop_feed("detail")
            return
        self._record_of, self._record_feed = key, feed
        feed.hold(self.held)
        self.follow("detail", feed, self._show_record)

    def _show_record(self, snapshot: Snapshot[Any]) -> None:
        if snapshot.value is not None:
            self._record = snapshot.value
            self.record_came()

    def record_came(self) -> None:
        """Show the details anew: more is known of them."""
        key = self.table.cursor_key if self.is_whole else None
        if key and self.has_class("-detailed"):
            self.show_details(self.details_of(key))
