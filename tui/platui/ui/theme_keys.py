"""The keys of a theme file: each with what it is for, told alike to readers and to files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


class ThemeKey(NamedTuple):
    """A key with a colour in it."""

    name: str
    what: str
    like: str = ""
    """The one that it looks like where a file leaves it out; empty: it may not be left out."""


BACKGROUNDS: Final = (
    ThemeKey("base", "behind everything"),
    ThemeKey("surface", "fields to type into; the cursor's row while the keys go elsewhere"),
    ThemeKey("panel", "header, footer, titles; the line of a log that one is at"),
    ThemeKey("cursor", "the row under the cursor"),
)

FOREGROUNDS: Final = (
    ThemeKey("text", "what is read"),
    ThemeKey("strong", "what is read first; bold in any case", "text"),
    ThemeKey("muted", "what can be read later"),
    ThemeKey("accent", "focus, keys, marks and links"),
    ThemeKey("section", "sections of a log; bold in any case", "accent"),
    ThemeKey("success", "what went well"),
    ThemeKey("failed", "what failed, errors, and a profile of production"),
    ThemeKey("running", "what runs", "accent"),
    ThemeKey("pending", "what waits, and what a search found"),
    ThemeKey("warning", "what is late", "pending"),
    ThemeKey("canceled", "what was stopped"),
    ThemeKey("skipped", "what was not run", "muted"),
    ThemeKey("manual", "what waits for somebody"),
)

SETTINGS: Final = {
    "dark": "Whether light texts stand on dark grounds.",
    "ansi": "Whether colours are the terminal's own sixteen, whose looks nobody knows.",
    "contrast": "What every text has on every ground, 1 to 21 (WCAG: 4.5 reads, 7 reads well).\n"
    "# platui warns where it does not, and moves the colours of logs until they do.",
}

_HEAD: Final = """\
# A theme of platui: {about}
#
# A colour is "#rrggbb"; "bold", "italic" or "underline" may stand before it: "bold #ff7b86".
# With ansi = true it is one of the terminal's own ("red", "bright_blue", "default"), and "dim"
# or "reverse" may stand alone.
# `platui themes check FILE` says what is wrong with it. Saved while platui shows it, it is read
# anew at once.
"""


def theme_text(
    about: str,
    settings: Mapping[str, bool | float],
    backgrounds: Mapping[str, str],
    foregrounds: Mapping[str, str],
) -> str:
    """Return a theme file with a comment on every key; those left out stand there as comments.

    Args:
        about: what is special about it, for its first line.
        settings: `dark`, `ansi` and `contrast`.
        backgrounds: colours by key, as a file has them.
        foregrounds: the same; what may be left out may be missing.
    """
    lines = [_HEAD.format(about=about)]
    for name, what in SETTINGS.items():
        value = settings[name]
        said = str(value).lower() if isinstance(value, bool) else f"{value:.1f}"
        lines += [f"# {what}", f"{name} = {said}", ""]
    for title, keys, values in (
        ("backgrounds", BACKGROUNDS, backgrounds),
        ("foregrounds", FOREGROUNDS, foregrounds),
    ):
        lines.append(f"[{title}]")
        said_of = {key.name: _line(key, values) for key in keys}
        width = max(map(len, said_of.values()))
        lines += [f"{said_of[key.name].ljust(width)}  # {_comment(key)}" for key in keys]
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def _line(key: ThemeKey, values: Mapping[str, str]) -> str:
    value = values.get(key.name)
    return f'# {key.name} = "{values[key.like]}"' if value is None else f'{key.name} = "{value}"'


def _comment(key: ThemeKey) -> str:
    return f"{key.what}; left out: as {key.like}" if key.like else key.what
