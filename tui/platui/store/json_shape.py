"""What is taken from a JSON file that platui wrote, and that a hand may have changed since.

Read before the first frame: nothing heavier than `datetime`.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any, Final

SHAPE_ERRORS: Final = (
    ValueError, TypeError, AttributeError, LookupError, OverflowError, RecursionError
)  # fmt: skip
"""What reading a document raises that is none of ours, or of another version."""


def expect_type(value: Any, *types: type) -> Any:
    """Return the value if it is of one of the types, and of no other that derives from them.

    Raises TypeError: it is of another type.
    """
    if type(value) not in types:
        raise TypeError(type(value))
    return value


def parse_time(text: Any) -> datetime:
    """Return a moment that was written in ISO 8601 with its zone.

    Raises ValueError: it is none, or without a zone; TypeError: it is no text.
    """
    read = datetime.fromisoformat(text)
    if read.tzinfo is None:
        raise ValueError(text)
    return read


_PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,79}")


def file_stem(profile: str) -> str:
    """Return a file name, without its ending, of a profile's own.

    A configured profile's name is one already. The name of an ephemeral profile is a host and
    perhaps a port; it is spelled in hexadecimal where it has other characters.
    """
    if _PLAIN.fullmatch(profile):
        return profile
    from hashlib import blake2b  # noqa: PLC0415  (rare, and not free before the first frame)

    return "~" + blake2b(profile.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
