"""What of config.toml a command does without, said once on stderr."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.cli.patience import narrate

if TYPE_CHECKING:
    from platui.config.settings import Settings


def tell_left_out(settings: Settings) -> None:
    """Say what is left out of account: a mistake, but none that is worth an end."""
    if settings.problem is not None:
        narrate(f"{settings.problem.sentence} {settings.problem.hint}")
