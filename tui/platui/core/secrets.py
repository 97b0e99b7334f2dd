"""Secrets that are masked in repr, logs, tracebacks and JSON; detection of tokens in text."""

from __future__ import annotations

import re
from typing import Final, NoReturn

MASK: Final = "•••"

PREFIXED_TOKEN: Final = re.compile(r"\bgl[a-z]{2,6}-[\w.-]{10,}")
"""With a prefix of GitLab; host names may match."""

_ONE_WORD: Final = re.compile(r"[\w.+=~-]{20,}", re.ASCII)
_RANDOM: Final = re.compile(r"(?=[A-Za-z]*[0-9][A-Za-z]*[0-9])(?=[0-9]*[A-Za-z])[A-Za-z0-9]{16,}")
"""Random letters and digits: at least two digits and a letter."""
_PEM_BEGIN: Final = "-----BEGIN "
_PEM_END: Final = "-----END "
_LETTERS: Final = 2  # Minimum length of a top-level domain


def has_token_prefix(text: str) -> bool:
    """Return whether a text is a token with a known prefix; unlike hosts it has capitals."""
    return PREFIXED_TOKEN.fullmatch(text) is not None and text != text.lower()


def looks_like_token(text: str) -> bool:
    """Return whether a text is likely a token rather than an address, path or name."""
    if not _ONE_WORD.fullmatch(text):
        return False
    if has_token_prefix(text):
        return True
    _, dot, last = text.rpartition(".")
    is_host = dot and last.isalpha() and len(last) >= _LETTERS
    return not is_host and _RANDOM.search(text) is not None


def lines_beside_pem(text: str) -> tuple[list[tuple[int, str]], int]:
    """Return the numbered lines outside keys and certificates, and the first line of one, or 0.

    Inside, lines may look like `KEY=value`.
    """
    found: list[tuple[int, str]] = []
    first, is_inside = 0, False
    for number, line in enumerate(text.splitlines(), 1):
        ends = _PEM_END in line
        if is_inside or (_PEM_BEGIN in line and not ends):
            first, is_inside = first or number, not ends
        else:
            found.append((number, line))
    return found, first


def is_pem(text: str) -> bool:
    """Return whether a text has a key or certificate of several lines."""
    return lines_beside_pem(text)[1] > 0


class Secret:
    """A token, key or password; only `reveal()` returns its text."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        """Return the text, for a request or a file of mode 0600."""
        return self._text

    def fingerprint(self) -> str:
        """Return a short hash, for cache keys."""
        import hashlib  # noqa: PLC0415  (not before the first frame)

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
        raise TypeError("a Secret cannot be pickled")
