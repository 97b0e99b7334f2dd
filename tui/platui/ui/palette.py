"""Palettes: the style of each role, shared by all widgets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY  # noqa: TC003  (the decorator looks it up)
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from rich.color import Color, ColorSystem
from rich.style import Style

from platui.core.dataclass import dataclass
from platui.core.named_tuple import NamedTuple
from platui.ui.contrast import (
    BLACK,
    RGB,
    WHITE,
    MadeReadable,
    blend,
    channels,
    hexadecimal,
    ratio,
    readable,
    readable_background,
    rgb,
)

if TYPE_CHECKING:
    from platui.models.values.log import SpanStyle

_SPAN_ROLES: Final = {
    "section": "section", "error": "failed", "muted": "muted", "name": "accent",
    "literal": "manual",
}  # fmt: skip

_BY_ROLE: Final = {
    "red": "failed",
    "green": "success",
    "yellow": "pending",
    "blue": "accent",
    "magenta": "manual",
    "white": "text",
    "bright-white": "strong",
    "black": "muted",
    "bright-black": "muted",
    "bright-red": "failed",
    "bright-green": "success",
    "bright-yellow": "pending",
    "bright-blue": "accent",
    "bright-magenta": "manual",
}

_NAMED: Final[dict[str, RGB]] = {
    "black": (0, 0, 0),
    "red": (178, 34, 52),
    "green": (23, 110, 60),
    "yellow": (214, 170, 60),
    "blue": (36, 90, 170),
    "magenta": (130, 60, 160),
    "cyan": (30, 140, 155),
    "white": (220, 223, 228),
    "bright-black": (96, 104, 116),
    "bright-red": (240, 90, 100),
    "bright-green": (90, 200, 130),
    "bright-yellow": (250, 215, 110),
    "bright-blue": (100, 160, 250),
    "bright-magenta": (200, 140, 250),
    "bright-cyan": (90, 205, 220),
    "bright-white": (255, 255, 255),
}


# Attributes only, for terminals with 16 or no colours.
_ANSI_HIT: Final = Style(
    color="default", bgcolor="default", bold=True, underline=True, reverse=True
)
_ANSI_FOUND: Final = Style(color="default", bgcolor="default", bold=True, underline=True)


class Backgrounds(NamedTuple):
    base: Style
    surface: Style
    panel: Style
    cursor: Style


@dataclass(eq=False)
class Palette:
    """The styles of one theme; `base`, `surface`, `panel`, `hit`, `production` set both colours."""

    name: str
    _: KW_ONLY
    dark: bool
    ansi: bool
    backgrounds: Backgrounds
    inks: Mapping[str, Style]
    contrast: float = 4.5  # Least contrast of every text on every background; unknown where `ansi`
    made_readable: MadeReadable = readable

    def __post_init__(self) -> None:
        ansi, backgrounds, inks = self.ansi, self.backgrounds, self.inks
        text, bold = inks["text"], Style(bold=True)
        self.base = backgrounds.base + text
        self.surface = backgrounds.surface + text
        self.panel = backgrounds.panel + text
        self.cursor = backgrounds.cursor
        self.cursor_unfocused = bold if ansi else backgrounds.surface + bold
        self.line = bold if ansi else backgrounds.panel
        self.accent = inks["accent"]
        self.muted = inks["muted"]
        self.key = inks["accent"] + bold
        self.mark = inks["accent"] + bold
        self.hit = _ANSI_HIT if ansi else self._badge("pending")
        self.found = _ANSI_FOUND if ansi else self._shaded("pending")
        self.production = self._badge("failed")
        self.thumb = self.base + inks["muted"]
        self.track = self.base + Style(color=None if ansi else backgrounds.panel.bgcolor)
        self._styles = {role: self.base + ink for role, ink in inks.items()}
        self.span = lru_cache(1024)(self._ansi_span if ansi else self._colour_span)

    def style(self, role: str) -> Style:
        """Return the style of a role on the base background; of plain text if unknown."""
        return self._styles.get(role) or self._styles["text"]

    def ink(self, role: str) -> Style:
        """Return the style of a role without a background."""
        return self.inks.get(role) or self.inks["text"]

    def variables(self) -> dict[str, str]:
        return {f"status-{role}": css(ink.color) for role, ink in self.inks.items()}

    def _shaded(self, role: str) -> Style:
        base, ink = channels(self.backgrounds.base.bgcolor), channels(self.inks[role].color, WHITE)
        background = self.made_readable(blend(base, ink, 0.3), (base,), 1.0)
        text = self.made_readable(
            channels(self.inks["text"].color, WHITE), (background,), self.contrast
        )
        return Style(color=hexadecimal(text), bgcolor=hexadecimal(background), bold=True)

    def _badge(self, role: str) -> Style:
        if self.ansi:
            # Reversed to be visible without colours.
            colour = self.inks[role].color
            return Style(color=colour, bgcolor="default", bold=True, dim=False, reverse=True)
        return Style(color=self.backgrounds.base.bgcolor, bgcolor=self.inks[role].color, bold=True)

    def _colour_span(self, span: SpanStyle) -> Style:
        if role := _SPAN_ROLES.get(span.role):
            return self.backgrounds.base + self.inks[role] + _attributes(span)
        if span.background and (background := _named(span.background)) is not None:
            background = readable_background(background, self.contrast, self.made_readable)
            # Text without a colour takes the clearest one on a foreign background.
            ink = _named(span.foreground) or max(
                (WHITE, BLACK), key=lambda end: ratio(end, background)
            )
            colours = self._legible(ink, (background,), dim=span.dim)
            return colours + Style(bgcolor=hexadecimal(background)) + _attributes(span)
        return self.backgrounds.base + self._foreground(span) + _attributes(span)

    def _foreground(self, span: SpanStyle) -> Style:
        grounds = tuple(channels(background.bgcolor) for background in self.backgrounds)
        role = _BY_ROLE.get(span.foreground)
        if role is None and (colour := _named(span.foreground)) is not None:
            return self._legible(colour, grounds, dim=span.dim)
        if not span.dim:
            return self.inks[role or "text"]
        if role is None:
            return self.muted
        text = channels(self.inks["text"].color, WHITE)
        return self._legible(channels(self.inks[role].color, text), grounds, dim=True)

    def _legible(self, colour: RGB, backgrounds: tuple[RGB, ...], *, dim: bool) -> Style:
        # The terminal's dimming ignores contrast.
        if dim:
            colour = blend(colour, backgrounds[0], 0.4)
        return Style(color=hexadecimal(self.made_readable(colour, backgrounds, self.contrast)))

    def _ansi_span(self, span: SpanStyle) -> Style:
        """Return the style of a log span in the terminal's sixteen colours."""
        if role := _SPAN_ROLES.get(span.role):
            return self.inks[role] + _attributes(span)
        background, ink = _sixteen(span.background), _sixteen(span.foreground)
        dim = span.dim or None
        if background is not None:
            if ink is None or ink == background:
                ink = "black" if "white" in background or "bright" in background else "bright_white"
            colours = Style(color=ink, bgcolor=background)
        elif ink in {None, "black", "white", "bright_white"}:
            colours = Style()
        elif ink == "bright_black":
            colours, dim = Style(), True
        else:
            colours = Style(color=ink)
        return colours + Style(dim=dim) + _attributes(span)


def css(colour: Color | None) -> str:
    if colour is None or colour.is_default:
        return "ansi_default"
    if colour.triplet is not None:
        return colour.triplet.hex
    return f"ansi_{colour.name}"


def _attributes(span: SpanStyle) -> Style:
    names = ("bold", "italic", "underline", "strike", "reverse")
    return Style(**{name: getattr(span, name) or None for name in names})


def _named(name: str) -> RGB | None:
    if name.startswith("#"):
        return rgb(name)
    return _NAMED.get(name)


def _sixteen(name: str) -> str | None:
    if not name:
        return None
    if not name.startswith("#"):
        return name.replace("-", "_")
    number = Color.parse(name).downgrade(ColorSystem.STANDARD).number or 0
    return list(_NAMED)[number].replace("-", "_")
