"""A window over rows that are counted: where it is, and the cursor in it; arithmetic only."""

from __future__ import annotations


class RowWindow:
    """So many rows in sight, of so many. It never begins before the first, nor ends after the last.

    Attributes:
        top: the first row in sight.
        height: rows that fit in; 0 before anybody knows.
        count: rows there are.
    """

    def __init__(self) -> None:
        self.top = self.height = self.count = 0

    @property
    def last_top(self) -> int:
        """Return the top at which the last row is in sight."""
        return max(0, self.count - self.height)

    @property
    def in_sight(self) -> range:
        """Return the rows in sight."""
        return range(self.top, min(self.count, self.top + self.height))

    def fit(self, height: int, count: int) -> None:
        """Take another size, or another number of rows."""
        self.height, self.count = height, count
        self.move_to(self.top)

    def move_to(self, top: int) -> None:
        """Have a row at the top, as far as more is below it."""
        self.top = max(0, min(self.last_top, top))

    def scroll(self, rows: int) -> None:
        """Move by rows."""
        self.move_to(self.top + rows)

    def reveal(self, row: int, *, below: int = 0) -> None:
        """Bring a row in sight: a third from the top, unless it is there with rows below it."""
        if not self.top <= row < self.top + self.height - min(below, self.height - 1):
            self.move_to(row - self.height // 3)


class CursorWindow(RowWindow):
    """A window with a cursor, which is on one of its rows.

    Attributes:
        cursor: the row; 0 where there is none.
    """

    def __init__(self) -> None:
        super().__init__()
        self.cursor = 0

    def fit(self, height: int, count: int) -> None:
        """Take another size, or another number of rows; the window stays with the cursor."""
        self.height, self.count = height, count
        self.point_at(self.cursor)

    def point_at(self, row: int) -> None:
        """Put the cursor on a row, or the nearest one, and the window around it."""
        self.cursor = min(max(0, row), max(0, self.count - 1))
        if self.height > 0:
            self.move_to(min(max(self.top, self.cursor - self.height + 1), self.cursor))

    def page(self, rows: int) -> None:
        """Move the cursor by rows, and the window with it."""
        self.move_to(self.top + rows)
        self.point_at(self.cursor + rows)

    def scroll(self, rows: int) -> None:
        """Move the window by rows; the cursor stays in sight."""
        super().scroll(rows)
        bottom = max(self.top, self.top + self.height - 1)
        self.point_at(min(max(self.cursor, self.top), bottom))

    def go_to(self, row: int) -> None:
        """Put the cursor on a row, and that a third from the top unless it is well in sight."""
        self.reveal(row, below=2)
        self.point_at(row)
