"""Detect secrets in answers, by key, variable name or pattern."""

from __future__ import annotations

import re
from typing import Final

from platui.core.secrets import MASK

_SECRET: Final = re.compile(
    r"token|secret|passw(?:or)?d|passphrase|private.?key|access.?key|api.?key|credential"
    r"|authorization|cookie",
    re.IGNORECASE,
)
# Ends of keys that describe a secret without being one: `token_expires_at`
_ABOUT: Final = re.compile(
    r"_(?:id|at|on|enabled|count|interval|ttl|type|url|path|name|scopes?)$", re.IGNORECASE
)

# Secrets within a text, each with a literal to check first: answers may be megabytes long
_LOOKS: Final = (
    ("@", re.compile(r"(://[^/\s:@\"]*:)[^/\s@\"]+(?=@)")),
    ("token=", re.compile(r"([?&](?:private_|access_|job_|refresh_)?token=)[^&\s\"#]+")),
    ("Bearer ", re.compile(r"(\bBearer )[A-Za-z0-9+/=._~-]{12,}")),
    ("Basic ", re.compile(r"(\bBasic )[A-Za-z0-9+/=._~-]{12,}")),
    ("gl", re.compile(r"(\bgl[a-z]{2,8}-)[A-Za-z0-9_.-]{12,}")),
)


def is_secret(key: str) -> bool:
    return _SECRET.search(key) is not None and _ABOUT.search(key) is None


def names_secret(name: str) -> bool:
    return _SECRET.search(name) is not None


def masked(text: str) -> tuple[str, int]:
    """Return a text with its secrets masked, and their number."""
    count = 0
    for sign, pattern in _LOOKS:
        if sign in text:
            text, found = pattern.subn(rf"\g<1>{MASK}", text)
            count += found
    return text, count
