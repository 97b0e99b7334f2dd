"""Whole frames as output for the next start, which shows the last one before anything else."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from platui.core.named_tuple import NamedTuple
from platui.ui.terminal.frames import pieces_of

if TYPE_CHECKING:
    from textual._compositor import LayoutUpdate
    from textual.geometry import Size

    from platui.ui.terminal.encoder import Encoder
    from platui.ui.terminal.frames import FrameOutput

_MOST_APPENDED: Final = 1.2  # Size of a frame with its changes, relative to a whole one


class _Encoded(NamedTuple):
    """A frame as output: one whole, and changes after it."""

    size: Size
    encoder: Encoder
    output: str = ""
    whole: int = 0  # Characters of the whole one


class FrameRecord:
    """The frame that was recorded last; of the next one only the changes are encoded.

    They follow the rest, because exit has to be quick.
    """

    def __init__(self, output: FrameOutput) -> None:
        """`output`: what the terminal gets, which knows colours and styles."""
        self._output = output
        self._last: _Encoded | None = None

    def take(self, frame: LayoutUpdate, size: Size) -> tuple[str, bytes]:
        """Return a whole frame as output for an empty screen, and its cells as JSON."""
        last = self._last
        if last is not None and last.size == size:
            last = self._encode(last, frame)
        if last is None or last.size != size or len(last.output) > _MOST_APPENDED * last.whole:
            last = self._encode(_Encoded(size, self._output.blank_encoder()), frame)
        self._last = last
        return last.output, json.dumps(last.encoder.shown(), separators=(",", ":")).encode()

    def has(self, frame: LayoutUpdate, size: Size) -> bool:
        """Return whether this frame was recorded last, but for its first line."""
        last = self._last
        pieces = (piece for piece in pieces_of(frame) if piece[0])
        return (
            last is not None
            and last.size == size
            and last.encoder.has_written(pieces, size.width, self._output.colour_system)
        )

    def _encode(self, last: _Encoded, frame: LayoutUpdate) -> _Encoded:
        pieces, system = pieces_of(frame), self._output.colour_system
        changes = last.encoder.changes(pieces, last.size.width, system)
        return last._replace(output=last.output + changes, whole=last.whole or len(changes))
