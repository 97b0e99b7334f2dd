"""Run the dashboard, and reopen it for another profile."""

from __future__ import annotations

import os
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING

from platui.cli.debug import log_requests, write_debug_to
from platui.service import PlatformService
from platui.ui.terminal.handover import TerminalHandover
from platui.ui.terminal.unused_textual import skip_command_palette

if TYPE_CHECKING:
    from platui.config.profile_choice import SessionProfiles
    from platui.config.settings import Settings
    from platui.core.secrets import Secret
    from platui.models.values.routes import Route
    from platui.ui.app import PlatuiApp
    from platui.ui.controllers.app.profiles import NextApp
    from platui.ui.terminal.detection import Terminal


def prepare_terminal() -> None:
    # Shorter delays for Escape (30 ms) and for a frame after a key.
    os.environ.setdefault("ESCDELAY", "30")
    os.environ.setdefault("TEXTUAL_FPS", "240")
    skip_command_palette()


def import_app() -> None:
    prepare_terminal()
    import_module("platui.ui.app")


def run_app(
    service: PlatformService,
    settings: Settings,
    terminal: Terminal,
    start: Route | None,
    session_profiles: SessionProfiles | None = None,
    *,
    words: str = "",
    handover: TerminalHandover | None = None,
) -> int:
    """Run the dashboard and return its exit code; `start` None: the configured view."""
    import_app()
    from platui.ui.app import PlatuiApp  # noqa: PLC0415  (after the cheap checks)

    write_debug_to(settings.debug_file, service)
    handover = handover or TerminalHandover()
    typed_tokens: dict[tuple[str, str], Secret | None] = {}
    """Tokens typed in the dashboard, by profile name and address."""
    app = PlatuiApp(
        service, settings, terminal, start=start, words=words, session_profiles=session_profiles,
        last_frames=handover.last_frames if start is None else None,
    )  # fmt: skip
    try:
        while True:
            app.handover = handover
            code = app.run_in_terminal()
            next_app = app.next_app
            if next_app is None or code:
                return code
            before, after = app.service.profile, next_app.profile
            typed_tokens[before.name, before.url] = app.service.given_token
            terminal = replace(terminal, dark=app.theme_switcher.is_dark)
            app = build_next_app(next_app, typed_tokens.get((after.name, after.url)), terminal)
    finally:
        handover.restore()


def build_next_app(next_app: NextApp, token: Secret | None, terminal: Terminal) -> PlatuiApp:
    from platui.ui.app import PlatuiApp  # noqa: PLC0415  (imported already)

    session_profiles, profile = next_app.session_profiles, next_app.profile
    settings, environ = session_profiles.settings, session_profiles.environ_of(profile)
    service = PlatformService(profile, settings, environ=environ)
    service.given_token = token
    if settings.debug_file is not None:
        log_requests(service)
    return PlatuiApp(
        service, settings, terminal, start=next_app.route, words=next_app.words,
        session_profiles=session_profiles, first_hint=next_app.hint,
    )  # fmt: skip
