"""Writes as values."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import field, replace
from hashlib import blake2b
from typing import Final, Generic
from urllib.parse import urlencode

from platui.api.endpoint import Decoder, Pairs, T_co
from platui.core.dataclass import dataclass

_SALT: Final = os.urandom(16)
"""Salt of digests: a short secret must not be guessable from its digest."""


@dataclass(frozen=True, slots=True)
class Write(Generic[T_co]):
    """A request that changes data. Its fields may hold secrets, so repr omits them."""

    name: str  # For confirmations and the audit log: `start pipeline`
    path: str
    decode: Decoder[T_co]
    method: str = "POST"
    """The specification has POST only; optional endpoints also use PUT and DELETE."""
    query: Pairs = ()
    payload: Pairs | Mapping[str, object] = field(default=(), repr=False)
    """Pairs are sent as a form, an object as JSON (spec §4.1 accepts both)."""
    credential: str = ""  # The form field with a trigger token, sent instead of the access token
    optional: bool = False

    @property
    def target(self) -> str:
        return f"{self.path}?{urlencode(self.query)}" if self.query else self.path

    @property
    def content(self) -> tuple[bytes | None, dict[str, str]]:
        """Return the body and its headers."""
        if self.payload == ():
            return None, {}
        if isinstance(self.payload, tuple):
            form = {"Content-Type": "application/x-www-form-urlencoded"}
            return urlencode(self.payload).encode(), form
        return json.dumps(self.payload).encode(), {"Content-Type": "application/json"}

    @property
    def digest(self) -> str:
        """Return the hash of the request without the credential; a `Confirmation` lists it."""
        public = self
        if isinstance(self.payload, tuple):
            payload = tuple(pair for pair in self.payload if pair[0] != self.credential)
            public = replace(self, payload=payload)
        parts = (self.method, self.target, self.credential, *public.content)
        return blake2b(repr(parts).encode(), digest_size=16, key=_SALT).hexdigest()
