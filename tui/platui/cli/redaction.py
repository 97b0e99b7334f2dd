"""Mask known and likely secrets in texts that leave this machine."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from platui.config.environment import SECRETS
from platui.config.load import parse_toml
from platui.config.schema import ACTION, ERROR, PROFILE, SECTIONS, TOP
from platui.core.errors import ConfigError
from platui.core.secrets import MASK, PREFIXED_TOKEN

_SHORTEST: Final = 4  # Characters; shorter secrets would match everywhere
_LEAST_BY_NAME: Final = 8  # The same for variables with the name of a secret

_SECRET_NAME: Final = re.compile(
    r"token|secret|passw|credential|api_?key|private_?key|cookie", re.IGNORECASE
)
# Up to the last @: a password may contain an unencoded @ or slash.
_USER: Final = re.compile(r"""(?<=://)(?:[^/?#\s:@]*:[^\s"'<>]+|[^/?#\s@]+)@""")
_PASSWORD: Final = re.compile(r"""://[^/?#\s@:]*:([^\s"'<>]+)@""")
_QUERY: Final = re.compile(
    r"([?&;][\w.\[\]%-]*(?:token|secret|passw|key|sig|auth|credential)[\w.\[\]%-]*=)"
    r"[^&#;\s\"']+",
    re.IGNORECASE,
)
_HEADER: Final = re.compile(
    r"\b((?:private|job)-token|authorization|cookie)(\"?\s*[:=]\s*\"?)[^\r\n\"]+", re.IGNORECASE
)
_PATTERNS: Final = (
    (_USER, f"{MASK}@"),
    (_QUERY, rf"\1{MASK}"),
    (_HEADER, rf"\1\2{MASK}"),
    (PREFIXED_TOKEN, MASK),
)
"""Secrets in addresses, queries and headers, and tokens with a known prefix."""


_TABLE: Final = re.compile(r"\s*\[{1,2}\s*[\w-]+(?:\.[\w.\s\"'-]+)?\]{1,2}(?=\s*(?:#|$))")
"""The header of a table; a list that begins a line would begin with a quote."""


class Redactor:
    """Masks secrets in texts, also encoded ones."""

    def __init__(self, secrets: Iterable[str]) -> None:
        """`secrets` are the known ones; too short ones are ignored."""
        known = {one.strip() for one in secrets}
        forms = {form for one in known if len(one) >= _SHORTEST for form in _encodings(one)}
        # Longest first: a secret may be part of another.
        longest = sorted(forms, key=len, reverse=True)
        self._known = re.compile("|".join(map(re.escape, longest))) if longest else None

    def __call__(self, text: str) -> str:
        if self._known is not None:
            text = self._known.sub(MASK, text)
        for pattern, replacement in _PATTERNS:
            text = pattern.sub(replacement, text)
        return text

    def value(self, value: Any) -> Any:
        match value:
            case str():
                return self(value)
            case dict():
                return {self(str(key)): self.value(one) for key, one in value.items()}
            case list() | tuple():
                return [self.value(one) for one in value]
        return value


def secrets_among(environ: Mapping[str, str]) -> list[str]:
    own = [environ[name] for name in SECRETS if name in environ]
    named = [
        value
        for name, value in environ.items()
        if len(value) >= _LEAST_BY_NAME and _SECRET_NAME.search(name)
    ]
    return [*own, *named, *_PASSWORD.findall("\n".join(environ.values()))]


def masked_config(text: str, file: Path, redact: Redactor) -> str:
    """Mask secrets and arguments of commands; of invalid TOML keep only the keys."""
    try:
        document = parse_toml(text, file)
    except ConfigError as error:
        return f"# {redact(error.sentence)}\n{_keys_only(text)}"
    import tomli_w  # noqa: PLC0415  (only for a config.toml)

    return tomli_w.dumps(_masked_document(document, redact))


def _encodings(secret: str) -> set[str]:
    data = secret.encode()
    packed = {base64.b64encode(data).decode(), base64.urlsafe_b64encode(data).decode()}
    inside_json = json.dumps(secret)[1:-1]
    return {
        secret, quote(secret, safe=""), quote(secret), inside_json, data.hex(),
        *packed, *(one.rstrip("=") for one in packed),
    }  # fmt: skip


def _masked_document(document: Mapping[str, Any], redact: Redactor) -> dict[str, Any]:
    known: dict[str, Any] = {}
    for name, value in document.items():
        if name in {"profiles", "actions"} and isinstance(value, dict):
            table = PROFILE if name == "profiles" else ACTION
            known[name] = {key: _masked_table(one, table, redact) for key, one in value.items()}
        elif name == "errors" and isinstance(value, list):
            known[name] = [_masked_table(one, ERROR, redact) for one in value]
        elif name in SECTIONS:
            known[name] = _masked_table(value, SECTIONS[name], redact)
        elif name == "keys":
            known[name] = redact.value(value)
        else:
            known[name] = redact.value(value) if name in TOP else MASK
    return known


def _masked_table(table: Any, known: Mapping[str, object], redact: Redactor) -> Any:
    if not isinstance(table, dict):
        return MASK
    return {name: _masked_value(name, value, known, redact) for name, value in table.items()}


def _masked_value(name: str, value: Any, known: Mapping[str, object], redact: Redactor) -> Any:
    if name not in known or name in {"token", "admin_key"}:
        return MASK
    if name.endswith("command"):
        words = value if isinstance(value, list) else [MASK]
        return [redact(str(word)) if at == 0 else MASK for at, word in enumerate(words)]
    return redact.value(value)


def _keys_only(text: str) -> str:
    lines = []
    for line in text.splitlines():
        key, equals, _ = line.partition("=")
        if header := _TABLE.match(line):
            lines.append(header[0])
        elif line.lstrip().startswith("["):
            lines.append("[…]")
        elif equals and re.fullmatch(r"[\w.\s-]+", key):
            lines.append(f"{key}= {MASK}")
    return "\n".join([*lines, ""])
