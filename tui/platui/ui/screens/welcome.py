"""The first page: a form that creates a profile and tests each answer at once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from textual import getters, on
from textual.containers import Vertical

from platui.core.errors import PlatuiError
from platui.core.paths import config_dir, tilde_path
from platui.present.form_rows import START
from platui.present.sign_in import other_address, remedy_before_profile
from platui.present.welcome import (
    ADDRESS,
    CERTIFICATES,
    DEMO,
    NAME,
    PRODUCTION,
    TOKEN,
    Setup,
    optional_rows,
    setup_help,
    setup_keys,
    setup_rows,
)
from platui.ui.active_keys import bind
from platui.ui.screens.welcome_form import WelcomeForm, host_of
from platui.ui.terminal.screen import TerminalScreen
from platui.ui.widgets.bar import Bar, Footer
from platui.ui.widgets.field_input import VALUE, FieldInput
from platui.ui.widgets.form_view import FormView
from platui.ui.widgets.text_pane import TextPane
from platui.ui.workers import work

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from platui.config.profile import Profile
    from platui.core.clock import Clock
    from platui.core.secrets import Secret
    from platui.service.sign_in import SignIn

    Save = Callable[[Profile, Secret], object]  # Writes both; may block; raises PlatuiError


class WelcomeScreen(TerminalScreen[None]):
    """Asks for address, token, name and production flag; calls `made` when saved."""

    DEFAULT_CSS = """
    WelcomeScreen { align-horizontal: center; }
    WelcomeScreen > #page { width: 100%; max-width: 100; height: 1fr; padding: 1 1 0 1; }
    WelcomeScreen #about { margin-bottom: 1; }
    WelcomeScreen FormView { height: auto; }
    WelcomeScreen TextPane { margin: 1 0 0 2; }
    WelcomeScreen > #progress { dock: bottom; margin-bottom: 1; }
    """
    BINDINGS = [bind("escape", "welcome.end", "Go to the end of the form", action="leave_field")]

    view = getters.query_one(FormView)
    setup_text = getters.query_one(TextPane)

    def __init__(
        self,
        sign_in: SignIn,
        save: Save,
        clock: Clock,
        *,
        made: Callable[[], None],
        demo: Callable[[], None],
    ) -> None:
        super().__init__()
        self.form = WelcomeForm()
        self._sign_in = sign_in
        self._save = save
        self._made = made
        self._demo = demo
        self._clock = clock
        self._opens = False  # Whether to open the dashboard after the tests

    def compose(self) -> ComposeResult:
        with Vertical(id="page"):
            yield Bar(id="title")
            yield Bar(id="about")
            yield FormView(end=START)
            yield TextPane()
        yield Bar(id="progress")
        yield Footer()

    def on_mount(self) -> None:
        self.query_one("#title", Bar).show((("   Welcome to platui", "strong"),))
        about = "   Failures of your data platform: since when, and why."
        self.query_one("#about", Bar).show(((about, "muted"),))
        self._draw()
        self.set_focus(self.view)

    @property
    def setup(self) -> Setup:
        return self.form.setup

    def _draw(self) -> None:
        now = self._clock.now()
        self.view.complete_fields = optional_rows(self.setup)
        self.view.show(setup_rows(self.setup, now))
        self._show_help()

    def _show_help(self) -> None:
        row = self.view.cursor.field
        folder = tilde_path(config_dir())
        self.setup_text.show(setup_help(self.setup, row, self._clock.now(), folder))
        hints = setup_keys(self.setup, row, is_typing=self.view.is_typing)
        self.query_one(Footer).show_keys(hints)

    def _progress(self, text: str = "") -> None:
        self.query_one("#progress", Bar).show(((f"   {text}", "muted"),) if text else ())

    @on(FormView.Moved)
    def _moved(self, event: FormView.Moved) -> None:
        event.stop()
        self._show_help()

    @on(FormView.Chosen)
    async def _choose(self, event: FormView.Chosen) -> None:
        event.stop()
        if event.field == START:
            self._open()
        elif event.field == DEMO:
            self._demo()
        elif event.field == PRODUCTION:
            self.form.toggle_production()
            self._draw()
        elif event.field == ADDRESS and self.setup.instead and not event.part and not event.text:
            self._take(ADDRESS, self.setup.instead)
            self.view.step(1)
        elif event.field == TOKEN:
            await self.view.type(FieldInput(TOKEN, VALUE, event.text, masked=True))
        else:
            before = self.setup.address if event.field == ADDRESS else self.setup.name
            await self.view.type(FieldInput(event.field, VALUE, event.text or before))

    @on(FormView.Typed)
    def _typed(self, event: FormView.Typed) -> None:
        event.stop()
        if self._take(event.field, event.text) and event.is_entered and event.field != TOKEN:
            self.view.step(1)

    @on(FormView.Pasted)
    def _pasted(self, event: FormView.Pasted) -> None:
        event.stop()
        fits = event.field in {ADDRESS, TOKEN, NAME}
        if fits and self._take(event.field, event.text) and event.field != TOKEN:
            self.view.step(1, is_automatic=True)

    def _take(self, field: str, text: str) -> bool:
        may_be_right = self.form.take(field, text)
        if self.form.needs_test:
            self._test_soon()
        self._draw()
        return may_be_right

    def _test_soon(self) -> None:
        self.form.needs_test = False
        self.run_worker(work(self._test), group="sign in", exclusive=True)

    async def _test(self) -> None:
        if self.setup.address and not self.setup.root:
            await self._test_address()
        if (to_test := self.form.token_to_test()) is not None:
            await self._test_token(*to_test)
        self._progress()
        self._draw()
        if self._opens:
            self._open()

    async def _test_address(self) -> None:
        address = self.setup.address
        self._progress(f"connecting to {host_of(address)} …")
        try:
            root = await self._sign_in.root_of(address)
        except PlatuiError as error:
            self.form.change(instead=other_address(address, error))
            self._show_error(ADDRESS, error)
            return
        if not self.form.take_root(root):
            self._opens = False
        self._draw()

    async def _test_token(self, root: str, token: Secret) -> None:
        self._progress("checking the token …")
        try:
            info = await self._sign_in.introduce(root, token)
        except PlatuiError as error:
            self._show_error(TOKEN, error)
            return
        self.form.change(info=info)
        if self.view.cursor.field == TOKEN and not self.view.is_typing:
            self.view.step(1, is_automatic=True)

    def _show_error(self, field: str, error: PlatuiError) -> None:
        """Show an error at its field; go there unless a token, which must not show, is typed."""
        self._opens = False
        remedy = remedy_before_profile(error, CERTIFICATES)
        self.form.set_problem(field, f"{error.sentence} {remedy}".strip())
        waits = self.view.cursor.field == TOKEN and not (
            self.view.is_typing or self.setup.has_token
        )
        if self.view.cursor.field == START or (field == ADDRESS and waits):
            self.view.go_to(field, is_automatic=True)

    def _open(self) -> None:
        if missing := self.form.find_missing():
            self._draw()
            self.view.go_to(missing)
            return
        if self.setup.info is None:
            # A test may be running; after an error, test once more.
            is_first, self._opens = not self._opens, True
            if is_first:
                self._test_soon()
            return
        if NAME in self.setup.problems:
            self.view.go_to(NAME)
            return
        self._opens = False
        self.run_worker(work(self._write), group="save", exclusive=True)

    async def _write(self) -> None:
        token = self.form.token
        assert token is not None  # noqa: S101  (for the type: the platform accepted it)
        try:
            await asyncio.to_thread(self._save, self.form.profile, token)
        except PlatuiError as error:
            self._show_error(START, error)
            self._draw()
        else:
            self._made()

    def action_leave_field(self) -> None:
        """Go to the end of the form, where letters are keys; quit if the form is empty."""
        if self.setup.is_untouched:
            self.app.exit(None)
        else:
            self.view.go_to(START)
