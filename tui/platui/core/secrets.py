"""A secret that does not show itself in a repr, a log line, a traceback or JSON."""

from __future__ import annotations

import re
from typing import Final, NoReturn

MASK: Final = "•••"

PREFIXED_TOKEN: Final = re.compile(r"\bgl[a-z]{2,6}-[\w.-]{10,}")
"""Tokens say of which kind they are; a host or a name may happen to look so."""


_ONE_WORD: Final = re.compile(r"[\w.+=~-]{20,}", re.ASCII)
_DICED: Final = re.compile(r"(?=[A-Za-z]*[0-9][A-Za-z]*[0-9])(?=[0-9]*[A-Za-z])[A-Za-z0-9]{16,}")
"""Letters and digits as no word has them: at least two digits, and a letter."""
_LETTERS: Final = 2  # Of the last word of a host, at least


def has_token_prefix(text: str) -> bool:
    """Return whether a text is a token that says so; hosts are not written in capitals."""
    return PREFIXED_TOKEN.fullmatch(text) is not None and text != text.lower()


def looks_like_token(text: str) -> bool:
    """Return whether a text is a token, and neither an address nor a host, a path or a name."""
    if not _ONE_WORD.fullmatch(text):
        return False
    if has_token_prefix(text):
        return True
    _, dot, last = text.rpartition(".")
    is_host = dot and last.isalpha() and len(last) >= _LETTERS
    return not is_host and _DICED.search(text) is not None


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
