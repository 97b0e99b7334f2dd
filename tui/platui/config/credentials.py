"""Where secrets come from: environment, a command, a 0600 file, in that order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from platui.core.secrets import Secret


@dataclass(frozen=True, slots=True)
class Credentials:
    """The secrets of one profile, and where each came from (or why there is none)."""

    token: Secret | None = None
    admin_key: Secret | None = None
    trigger_token: Secret | None = None
    token_source: str = ""
    admin_key_source: str = ""
    trigger_token_source: str = ""
