"""Run the dashboard on a service, from its first frame to its exit code."""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING

from platui.cli.debug import write_debug_to

if TYPE_CHECKING:
    from platui.config.settings import Settings
    from platui.models.values.places import Place
    from platui.service import PlatformService
    from platui.ui.terminal import Terminal


def prepare_terminal() -> None:
    """Make the settings that what draws reads at its import."""
    # A lone Escape is told from a sequence after 30 ms, and a key is answered at once
    # rather than at the next of 60 frames a second.
    os.environ.setdefault("ESCDELAY", "30")
    os.environ.setdefault("TEXTUAL_FPS", "240")


def prepare() -> None:
    """Import what draws the dashboard."""
    prepare_terminal()
    import_module("platui.ui.app")


def show(
    service: PlatformService, settings: Settings, terminal: Terminal, start: Place | None
) -> int:
    """Run the app to its end; returns the exit code."""
    prepare()
    from platui.ui.app import PlatuiApp  # noqa: PLC0415  (after every cheap refusal)

    write_debug_to(settings.debug_file, service)
    app = PlatuiApp(service, settings, terminal, start=start)
    return app.run_in_terminal()
