"""Convert text with escape sequences to clean spans; only SGR and carriage returns are applied."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

from platui.core.text import cells, clean
from platui.models.values.log import PLAIN, Span, SpanStyle

TAB: Final = 8

# Every alternative is linear: a string's body holds no introducer, so that many
# unterminated strings are not each scanned to the end of the line.
_ESCAPE: Final = (
    "(?:\x1b\\[|\x9b)(?P<values>[0-?]*)[ -/]*(?P<final>[@-~]?)"  # CSI
    "|(?:\x1b[\\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x80-\x9f]*(?:\x07|\x1b\\\\|\x9c)"  # strings
    "|\x1b[ -/]*[0-~]?"  # any other, and a broken one
)
_BEGUN: Final = re.compile(
    "(?:(?:\x1b\\[|\x9b)[0-?]*[ -/]*"
    "|(?:\x1b[\\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x80-\x9f]*\x1b?"
    "|\x1b[ -/]*)\\Z"
)
_MAX_PENDING: Final = 64 * 1024  # Characters buffered while a sequence is incomplete
_ESCAPES: Final = re.compile(_ESCAPE)
_TOKENS: Final = re.compile(f"(?P<return>\r)|{_ESCAPE}")
_STEERING: Final = re.compile("[\x1b\r\x80-\x9f]")
_SGR_VALUES: Final = re.compile("[0-9;:]*")

_COLOURS: Final = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
_CUBE: Final = (0, 95, 135, 175, 215, 255)
_BYTE: Final = 255

_ATTRIBUTES: Final[dict[int, dict[str, Any]]] = {
    1: {"bold": True},
    2: {"dim": True},
    3: {"italic": True},
    4: {"underline": True},
    7: {"reverse": True},
    9: {"strike": True},
    21: {"bold": False},
    22: {"bold": False, "dim": False},
    23: {"italic": False},
    24: {"underline": False},
    27: {"reverse": False},
    29: {"strike": False},
    39: {"foreground": ""},
    49: {"background": ""},
    **{30 + at: {"foreground": name} for at, name in enumerate(_COLOURS)},
    **{40 + at: {"background": name} for at, name in enumerate(_COLOURS)},
    **{90 + at: {"foreground": f"bright-{name}"} for at, name in enumerate(_COLOURS)},
    **{100 + at: {"background": f"bright-{name}"} for at, name in enumerate(_COLOURS)},
}
_MISSING: Final = "-"
_MAX_CACHED: Final = 40  # Longer parameter lists are rare and not cached
_FOREGROUND, _BACKGROUND, _UNDERLINE_COLOUR = 38, 48, 58


def without_escapes(text: str) -> str:
    return _ESCAPES.sub("", text) if _has_controls(text) else text


def _has_controls(text: str) -> bool:
    if text.isascii():
        return "\x1b" in text or "\r" in text
    return _STEERING.search(text) is not None


def to_spans(text: str) -> tuple[Span, ...]:
    """Return one line as clean spans; colours hold until the end of the line."""
    if not _has_controls(text):
        cleaned = clean(expand_tabs(text))
        return (Span(cleaned),) if cleaned else ()
    line = SpanReader()
    line.take(text)
    return tuple(line.spans())


def erases_line(text: str) -> bool:
    line = SpanReader()
    line.write("x")
    before = line.first
    line.take(text)
    return line.first is not before


class SpanReader:
    """One line, written the way a terminal writes it, and read as spans."""

    def __init__(
        self, style: SpanStyle = PLAIN, column: int = 0, held: str = "", *, returned: bool = False
    ) -> None:
        # Pieces of one style are joined at the end: there can be as many as escapes.
        self._runs: list[tuple[list[str], SpanStyle]] = []
        self._style = style
        self._column = column
        self._held = held  # The beginning of a sequence
        self._returned = returned

    @property
    def first(self) -> object:
        """Return an object that stays the same until the line is erased."""
        return self._runs[0] if self._runs else None

    def copy(self) -> SpanReader:
        """Return a line that continues this one, without its spans."""
        return SpanReader(self._style, self._column, self._held, returned=self._returned)

    def read(self, text: str, *, is_last: bool) -> tuple[Span, ...]:
        """Return the spans of the next piece, which are never erased."""
        piece, self._held = self._held + text, ""
        if not is_last and _has_controls(piece):
            begun = _BEGUN.search(piece, max(0, len(piece) - _MAX_PENDING))
            if begun is not None:
                piece, self._held = piece[: begun.start()], piece[begun.start() :]
        self.take(piece)
        spans = tuple(self.spans())
        self._runs.clear()
        return spans

    def take(self, text: str) -> None:
        if not _has_controls(text):
            self.write(text)
            return
        at = 0
        for token in _TOKENS.finditer(text):
            self.write(text[at : token.start()])
            at = token.end()
            self.obey(token)
        self.write(text[at:])

    def write(self, text: str) -> None:
        if not text:
            return
        if self._returned:
            self._clear()
        if self._runs and self._runs[-1][1] == self._style:
            self._runs[-1][0].append(text)
        else:
            self._runs.append(([text], self._style))

    def obey(self, token: re.Match[str]) -> None:
        if token["return"]:
            self._returned = True
            return
        values, final = token["values"] or "", token["final"]
        if final == "m" and _SGR_VALUES.fullmatch(values):
            apply = _cached_sgr if len(values) <= _MAX_CACHED else apply_sgr
            self._style = apply(self._style, values)
        elif final == "G" and values in {"", "0", "1"}:
            self._returned = True
        elif (final == "K" and values == "2") or (
            final in {"K", "J"} and values in {"", "0"} and self._returned
        ):
            self._clear()

    def spans(self) -> Iterator[Span]:
        held: list[str] = []
        style = PLAIN
        for pieces, own in self._runs:
            expanded = expand_tabs("".join(pieces), self._column)
            self._column += cells(expanded)
            # Text of variation selectors alone is empty after cleaning.
            if text := clean(expanded):
                if held and own != style:
                    yield Span("".join(held), style)
                    held.clear()
                held.append(text)
                style = own
        if held:
            yield Span("".join(held), style)

    def _clear(self) -> None:
        self._runs.clear()
        self._returned = False


def expand_tabs(text: str, column: int = 0) -> str:
    """Replace tabs by blanks up to the next multiple of 8; the text starts at `column`."""
    if "\t" not in text:
        return text
    pieces: list[str] = []
    for piece in text.split("\t"):
        column += cells(piece)
        gap = TAB - column % TAB
        column += gap
        pieces += (piece, " " * gap)
    return "".join(pieces[:-1])


def apply_sgr(style: SpanStyle, values: str) -> SpanStyle:
    """Return the style after an SGR sequence; unknown values are ignored."""
    codes = iter(values.split(";"))
    for code in codes:
        head, *parts = code.split(":")
        number = _number(head)
        if number == 0:
            style = PLAIN
        elif number in {_FOREGROUND, _BACKGROUND, _UNDERLINE_COLOUR}:
            colour = _colon_colour(parts) if parts else _semicolon_colour(codes)
            if colour and number == _FOREGROUND:
                style = style._replace(foreground=colour)
            elif colour and number == _BACKGROUND:
                style = style._replace(background=colour)
        elif number == 4 and parts:  # noqa: PLR2004  (4:0 is no underline, 4:3 a curly one)
            style = style._replace(underline=_number(parts[0]) != 0)
        else:
            style = style._replace(**_ATTRIBUTES.get(number, {}))
    return style


_cached_sgr = lru_cache(1024)(apply_sgr)


def _number(text: str) -> int:
    """Return a parameter: 0 if empty, -1 if invalid."""
    if not text:
        return 0
    return int(text) if text.isdecimal() and len(text) <= 3 else -1  # noqa: PLR2004  (longest code)


def _semicolon_colour(codes: Iterator[str]) -> str:
    match _number(next(codes, _MISSING)):
        case 5:
            return _indexed(_number(next(codes, _MISSING)))
        case 2:
            return _rgb([_number(next(codes, _MISSING)) for _ in range(3)])
        case _:
            return ""


def _colon_colour(parts: list[str]) -> str:
    kind, *values = (_number(part) for part in parts)
    if kind == 5 and values:  # noqa: PLR2004  (numbers of the standard)
        return _indexed(values[0])
    if kind == 2 and len(values) >= 3:  # noqa: PLR2004  (the same)
        return _rgb(values[1:4] if len(values) > 3 else values)  # noqa: PLR2004  (the same)
    return ""


def _indexed(number: int) -> str:
    if not 0 <= number <= _BYTE:
        return ""
    if number < 8:  # noqa: PLR2004  (the 256: 8 names, 8 bright, a cube of 6³, 24 greys)
        return _COLOURS[number]
    if number < 16:  # noqa: PLR2004  (the same)
        return f"bright-{_COLOURS[number - 8]}"
    if number >= 232:  # noqa: PLR2004  (the same)
        return _rgb([8 + 10 * (number - 232)] * 3)
    cube = number - 16
    return _rgb([_CUBE[cube // 36], _CUBE[cube // 6 % 6], _CUBE[cube % 6]])


def _rgb(values: list[int]) -> str:
    if not all(0 <= value <= _BYTE for value in values):
        return ""
    red, green, blue = values
    return f"#{red:02x}{green:02x}{blue:02x}"
