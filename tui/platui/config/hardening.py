"""Close the side doors through which a secret leaves a process."""

from __future__ import annotations

import os
import resource

from platui.config.environment import SECRETS

_KEY_LOGGER = "TEXTUAL_LOG"
"""Textual writes every key typed there, those of a password too. It reads it at import."""


def harden() -> dict[str, str]:
    """Return the environment as it is now, and keep its secrets from whatever comes later.

    Call it first, before Textual is imported: programs that platui starts then see no
    secret, no typed key is logged, and a crash leaves no core file with memory in it.
    """
    environment = dict(os.environ)
    for name in (*SECRETS, _KEY_LOGGER):
        os.environ.pop(name, None)
    # The soft limit is enough, and leaves the choice to programs started by platui.
    _, hard = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (0, hard))
    return environment
