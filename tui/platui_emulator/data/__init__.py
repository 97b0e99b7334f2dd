"""Names, texts and payloads of the simulated company, one file a kind."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final

_FOLDER: Final = Path(__file__).parent
_HEADING: Final = re.compile(r"(?m)^=== (\S+)\n")


def rows(name: str) -> tuple[tuple[str, ...], ...]:
    """Return the lines of a text file, each split at `|`."""
    text = (_FOLDER / name).read_text(encoding="utf-8")
    return tuple(tuple(line.split("|")) for line in text.splitlines())


def lists(name: str) -> dict[str, tuple[str, ...]]:
    """Return the lines of each section of a text file."""
    return {key: tuple(text.splitlines()) for key, text in sections(name).items()}


def sections(name: str) -> dict[str, str]:
    """Return the texts of a file, each below a line `=== key`."""
    parts = _HEADING.split((_FOLDER / name).read_text(encoding="utf-8"))
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def read_json(name: str) -> Any:
    return json.loads((_FOLDER / name).read_text(encoding="utf-8"))


TEMPLATES: Final = sections("templates.txt")
"""Files of repositories and blocks of logs, with fields for `str.format`."""
