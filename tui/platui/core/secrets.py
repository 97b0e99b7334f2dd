"""A secret that does not show itself in a repr, a log line, a traceback or JSON."""

from __future__ import annotations

import re
from typing import Final, NoReturn

MASK: Final = "•••"

TOKEN_KIND: Final = re.compile(r"\bgl[a-z]{2,6}-[\w.-]{10,}")
"""Tokens say of which kind they are; a host or a name may happen to look so."""


def looks_like_token(text: str) -> bool:
    """Return whether a text is a token, and neither a host nor a name: it has capitals as well."""
    return TOKEN_KIND.fullmatch(text) is not None and text != text.lower()


class Secret:
    """A token, key or password. `reveal()` is the only way to its text."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        """Return the text itself; only where it is put on the wire or in a 0600 file."""
        return self._text

    def fingerprint(self) -> str:
        """Return a short one-way name of this secret, fit for cache keys."""
        import hashlib  # noqa: PLC0415  (the way to the first frame asks for none)

        return hashlib.blake2b(self._text.encode(), digest_size=8).hexdigest()

    def __bool__(self) -> bool:
        return bool(self._text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._text == self._text

    def __hash__(self) -> int:
        return hash(self._text)

    def __repr__(self) -> str:
        return f"Secret({MASK})"

    def __str__(self) -> str:
        return MASK

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Secret is not pickled")
