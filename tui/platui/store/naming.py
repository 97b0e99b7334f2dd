"""File names for profiles, whatever their names are made of."""

from __future__ import annotations

import re

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
