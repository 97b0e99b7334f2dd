"""Lines and blocks as shapes: no font draws them so that they join in every viewer.

A cell is 10 units wide and 20 high, from its upper left corner.
"""

from __future__ import annotations

from typing import Final, NamedTuple

WIDTH: Final = 10
HEIGHT: Final = 20

_MIDDLE_X, _MIDDLE_Y = WIDTH / 2, HEIGHT / 2
_WEIGHTS: Final = (0.0, 1.5, 3.0)
"""How thick nothing, a light and a heavy line are."""


class Box(NamedTuple):
    """A rectangle within a cell."""

    left: float
    top: float
    right: float
    bottom: float


_ARMS: Final = {
    # left, right, up, down: 1 is light, 2 heavy
    "─": "1100", "━": "2200", "│": "0011", "┃": "0022",
    "┌": "0101", "┏": "0202", "┐": "1001", "┓": "2002",
    "└": "0110", "┗": "0220", "┘": "1010", "┛": "2020",
    "├": "0111", "┣": "0222", "┤": "1011", "┫": "2022",
    "┬": "1101", "┳": "2202", "┴": "1110", "┻": "2220",
    "┼": "1111", "╋": "2222",
    "╴": "1000", "╵": "0010", "╶": "0100", "╷": "0001",
    "╸": "2000", "╹": "0020", "╺": "0200", "╻": "0002",
    "╼": "1200", "╽": "0012", "╾": "2100", "╿": "0021",
}  # fmt: skip

_DASHES: Final = {"╌": (2, 1), "╍": (2, 2), "┄": (3, 1), "┅": (3, 2), "┈": (4, 1), "┉": (4, 2)}
"""Dashes in a cell, and their weight."""

_ARCS: Final = {"╭": (1, 1), "╮": (-1, 1), "╰": (1, -1), "╯": (-1, -1)}
"""Where the arms point: right or left, down or up."""

_QUADRANTS: Final = {
    # upper left, upper right, lower left, lower right
    "▘": "1000", "▝": "0100", "▖": "0010", "▗": "0001", "▚": "1001", "▞": "0110",
    "▛": "1110", "▜": "1101", "▙": "1011", "▟": "0111",
}  # fmt: skip


def _blocks() -> dict[str, tuple[Box, ...]]:
    found = {
        "▀": Box(0, 0, WIDTH, HEIGHT / 2),
        "▔": Box(0, 0, WIDTH, HEIGHT / 8),
        "▐": Box(WIDTH / 2, 0, WIDTH, HEIGHT),
        "▕": Box(WIDTH * 7 / 8, 0, WIDTH, HEIGHT),
    }
    for eighths, sign in enumerate("▁▂▃▄▅▆▇█", 1):
        found[sign] = Box(0, HEIGHT * (8 - eighths) / 8, WIDTH, HEIGHT)
    for eighths, sign in enumerate("▏▎▍▌▋▊▉", 1):
        found[sign] = Box(0, 0, WIDTH * eighths / 8, HEIGHT)
    return {sign: (box,) for sign, box in found.items()}


def _lines() -> dict[str, tuple[Box, ...]]:
    found = {}
    for sign, arms in _ARMS.items():
        left, right, up, down = (_WEIGHTS[int(arm)] / 2 for arm in arms)
        # Arms go as far past the middle as the thickest across them is wide.
        wide, high = max(up, down), max(left, right)
        x, y = _MIDDLE_X, _MIDDLE_Y
        boxes = (
            Box(0, y - left, x + (0 if left == right else wide), y + left) if left else None,
            Box(x - (0 if left == right else wide), y - right, WIDTH, y + right) if right else None,
            Box(x - up, 0, x + up, y + high) if up else None,
            Box(x - down, y - high, x + down, HEIGHT) if down else None,
        )
        found[sign] = tuple(box for box in boxes if box)
    for sign, (count, weight) in _DASHES.items():
        step, half = WIDTH / count, _WEIGHTS[weight] / 2
        found[sign] = tuple(
            Box(step * (n + 0.2), _MIDDLE_Y - half, step * (n + 0.8), _MIDDLE_Y + half)
            for n in range(count)
        )
    for sign, quarters in _QUADRANTS.items():
        found[sign] = tuple(
            Box(x, y, x + WIDTH / 2, y + HEIGHT / 2)
            for place, taken in enumerate(quarters)
            if taken == "1"
            for x, y in [(place % 2 * WIDTH / 2, place // 2 * HEIGHT / 2)]
        )
    return found


_BOXES: Final = {**_blocks(), **_lines()}

SHAPES: Final = frozenset({*_BOXES, *_ARCS})
"""The signs that are drawn here."""


def path(signs: str, x: float, y: float) -> str:
    """Return the outline of a run of such signs, its first cell's corner at x and y."""
    boxes: list[Box] = []
    pieces: list[str] = []
    for place, sign in enumerate(signs):
        at = x + place * WIDTH
        if sign in _ARCS:
            pieces.append(_arc(*_ARCS[sign], at, y))
            continue
        for box in _BOXES[sign]:
            moved = Box(box.left + at, box.top + y, box.right + at, box.bottom + y)
            before = boxes[-1] if boxes else None
            # Drawn in one piece, what lies side by side has no seam at any scale.
            if before and before.right == moved.left and before[1::2] == moved[1::2]:
                boxes[-1] = before._replace(right=moved.right)
            else:
                boxes.append(moved)
    outlines = [
        f"M{box.left:g} {box.top:g}H{box.right:g}V{box.bottom:g}H{box.left:g}Z" for box in boxes
    ]
    return "".join([*outlines, *pieces])


def _arc(to_x: int, to_y: int, x: float, y: float) -> str:
    """Return a rounded corner, from the middle of one side to the middle of another."""
    half, radius = _WEIGHTS[1] / 2, WIDTH / 2
    outer, inner = radius + half, radius - half
    middle_x, middle_y = x + _MIDDLE_X, y + _MIDDLE_Y
    side = middle_x + to_x * _MIDDLE_X
    turn = middle_y + to_y * radius
    end = middle_y + to_y * _MIDDLE_Y
    there, back = (0, 1) if to_x * to_y > 0 else (1, 0)
    return (
        f"M{side:g} {middle_y - to_y * half:g}"
        f"A{outer:g} {outer:g} 0 0 {there} {middle_x - to_x * half:g} {turn:g}"
        f"V{end:g}H{middle_x + to_x * half:g}V{turn:g}"
        f"A{inner:g} {inner:g} 0 0 {back} {side:g} {middle_y + to_y * half:g}Z"
    )
