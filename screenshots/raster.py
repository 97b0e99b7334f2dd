"""A picture's PNG, which knows the picture that it was made of."""

from __future__ import annotations

import hashlib
import re
import struct
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from PIL.Image import Image

FONT: Final = "DejaVu Sans Mono"
ZOOM: Final = 1.2
"""Pixels a unit: cells are 12 pixels wide and 24 high, so that nothing ends within a pixel."""

_COLOURS: Final = 64
"""Colours of a palette: those of the cells, and most of what smooths their letters."""
_OF_CELLS: Final = re.compile(r"fill:#([0-9a-f]{6})")
_SOURCE: Final = "Source-SHA256"
_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"


class NoRasteriserError(Exception):
    """What draws pixels is not installed; the sentence says what to do."""


def check_tools() -> None:
    """Look whether PNGs can be drawn here.

    Raises:
        NoRasteriserError: they cannot.
    """
    try:
        import PIL.Image  # noqa: F401
        import resvg_py  # noqa: F401
    except ImportError as missing:
        raise NoRasteriserError(
            f"PNGs need {missing.name}: pip install -e '.[pictures]'"
        ) from missing


def fingerprint(svg: str) -> str:
    """Return what a PNG says of the SVG that it was made of."""
    return hashlib.sha256(svg.encode()).hexdigest()


def to_png(svg: str) -> bytes:
    """Return the pixels of a picture, in a palette."""
    import resvg_py
    from PIL import Image, PngImagePlugin

    drawn = resvg_py.svg_to_bytes(svg_string=svg, zoom=ZOOM, monospace_family=FONT)
    with Image.open(BytesIO(bytes(drawn))) as image:
        few = _in_palette(image.convert("RGB"), svg)
    notes = PngImagePlugin.PngInfo()
    notes.add_text(_SOURCE, fingerprint(svg))
    file = BytesIO()
    few.save(file, "PNG", optimize=True, pnginfo=notes)
    return file.getvalue()


def _in_palette(image: Image, svg: str) -> Image:
    """Return an image in the colours of its cells and in those that it has most of besides."""
    from PIL import Image as Images

    found: Any = image.getcolors(image.width * image.height)  # (count, (red, green, blue))
    common = [bytes(channels).hex() for _, channels in sorted(found, reverse=True)]
    colours = list(dict.fromkeys([*_OF_CELLS.findall(svg), *common]))[:_COLOURS]
    palette = Images.new("P", (1, 1))
    palette.putpalette(bytes.fromhex("".join(colours)))
    return image.quantize(palette=palette, dither=Images.Dither.NONE)


def source_of(png: bytes) -> str:
    """Return the fingerprint that a PNG carries; empty where it has none. Needs no library."""
    if not png.startswith(_SIGNATURE):
        return ""
    at = len(_SIGNATURE)
    while at + 8 <= len(png):
        length, kind = struct.unpack_from(">I4s", png, at)
        if kind == b"tEXt":
            name, _, text = png[at + 8 : at + 8 + length].partition(b"\0")
            if name == _SOURCE.encode():
                return text.decode("latin-1")
        at += 12 + length
    return ""
