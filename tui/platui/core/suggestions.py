"""Names in error messages: the most similar one, or all."""

from __future__ import annotations

import os.path
import shlex
from collections.abc import Iterable, Sequence

from platui.core.text import clean, shorten

_CELLS = 60


def nearest(name: str, names: Iterable[str], cutoff: float = 0.6) -> str:
    """Return the most similar name, ignoring case; empty without one."""
    import difflib  # noqa: PLC0415  (only after a mistake)

    folded: dict[str, str] = {}
    for one in names:
        folded.setdefault(one.casefold(), one)
    word = name.casefold()
    near = difflib.get_close_matches(word, folded, cutoff=cutoff)
    letters = sorted(word)
    # The same letters first: else "pipelinse" would be nearer to "pipeline".
    near.sort(key=lambda one: sorted(one) != letters)
    return folded[near[0]] if near else ""


def did_you_mean(near: str) -> str:
    return f"Did you mean {near}?" if near else ""


def listed(names: Sequence[str], most: int) -> str:
    """Join names by commas, `most` (or one more) of them."""
    shown = [shorten(name, _CELLS) for name in names]
    if len(shown) <= most + 1:
        return ", ".join(shown)
    return f"{', '.join(shown[:most])} and {len(shown) - most} more"


def file_hint(word: str) -> str:
    """Return the command that opens a saved log; empty if `word` is not a file."""
    is_one = os.path.isfile(word)  # noqa: PTH113  (a Path raises for a name that is too long)
    return f"platui log --file {clean(shlex.quote(word))}" if is_one else ""
