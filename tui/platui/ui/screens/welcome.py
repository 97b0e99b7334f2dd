"""The first page: a form that leads to a profile; each answer is tested when it is given."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from textual import getters, on
from textual.containers import Vertical

from platui.config.address import looks_like_address
from platui.config.kinds import WrongValueError, check_profile_name
from platui.config.profile import Profile
from platui.core.errors import PlatuiError
from platui.core.origins import origin_of, same_origin
from platui.core.paths import at_home, config_dir
from platui.core.secrets import Secret, looks_like_token
from platui.present.form_rows import START
from platui.present.sign_in import (
    is_production_name,
    name_for,
    other_address,
    remedy_before_profile,
)
from platui.present.welcome import (
    ADDRESS,
    CERTIFICATES,
    DEMO,
    NAME,
    PRODUCTION,
    SEEN_ADDRESS,
    SEEN_TOKEN,
    TOKEN,
    Setup,
    settled_rows,
    setup_keys,
    setup_passage,
    setup_rows,
)
from platui.ui.keys_in_use import bind
from platui.ui.terminal.screen import TerminalScreen
from platui.ui.widgets.bar import Bar, Footer
from platui.ui.widgets.field_input import VALUE
from platui.ui.widgets.form_view import FormView
from platui.ui.widgets.passage import Passage
from platui.ui.works import work

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import ComposeResult

    from platui.core.clock import Clock
    from platui.service.sign_in import SignIn

    Save = Callable[[Profile, Secret], object]  # Writes both; may block; raises PlatuiError

_NEEDED: Final = {ADDRESS: "An address is needed.", TOKEN: "A token is needed."}


class WelcomeScreen(TerminalScreen[None]):
    """Asks for address, token, name, production; calls `made` when all of it is written."""

    DEFAULT_CSS = """
    WelcomeScreen { align-horizontal: center; }
    WelcomeScreen > #page { width: 100%; max-width: 100; height: 1fr; padding: 1 1 0 1; }
    WelcomeScreen #about { margin-bottom: 1; }
    WelcomeScreen FormView { height: auto; }
    WelcomeScreen Passage { margin: 1 0 0 2; }
    WelcomeScreen > #progress { dock: bottom; margin-bottom: 1; }
    """
    BINDINGS = [bind("escape", "welcome.end", "To the end of the form", action="leave_field")]

    view = getters.query_one(FormView)
    passage = getters.query_one(Passage)

    def __init__(
        self,
        sign_in: SignIn,
        save: Save,
        clock: Clock,
        *,
        made: Callable[[], None],
        demo: Callable[[], None],
    ) -> None:
        """Prepare an empty form; call `made` when all is written, `demo` if that is wanted."""
        super().__init__()
        self.setup = Setup()
        self._sign_in = sign_in
        self._save = save
        self._made = made
        self._demo = demo
        self._clock = clock
        self._token: Secret | None = None
        self._token_of = ""  # The root that the token was sent to; empty: none yet.
        self._named = False  # Whether the name is the user's own
        self._chosen = False  # Whether production or not is the user's own choice
        self._opens = False  # Whether the dashboard is to open as soon as all is well

    def compose(self) -> ComposeResult:
        """Yield what it is, the form, what there is to know, how far it is, and the keys."""
        with Vertical(id="page"):
            yield Bar(id="title")
            yield Bar(id="about")
            yield FormView(end=START)
            yield Passage()
        yield Bar(id="progress")
        yield Footer()

    def on_mount(self) -> None:
        """Show the empty form."""
        self.query_one("#title", Bar).show((("   Welcome to platui", "strong"),))
        about = "   What is broken on your data platform, since when, and why."
        self.query_one("#about", Bar).show(((about, "muted"),))
        self._draw()
        self.set_focus(self.view)

    def _draw(self) -> None:
        now = self._clock.now()
        self.view.settled = settled_rows(self.setup)
        self.view.show(setup_rows(self.setup, now))
        self._tell()

    def _tell(self) -> None:
        row = self.view.field
        folder = at_home(config_dir())
        self.passage.tell(setup_passage(self.setup, row, self._clock.now(), folder))
        hints = setup_keys(self.setup, row, is_typing=self.view.is_typing)
        self.query_one(Footer).tell(hints)

    def _progress(self, text: str = "") -> None:
        self.query_one("#progress", Bar).show(((f"   {text}", "muted"),) if text else ())

    def _change(self, **fields: object) -> None:
        self.setup = replace(self.setup, **fields)  # type: ignore[arg-type]  # by their names

    def _wrong(self, field: str, sentence: str) -> None:
        """Say what is wrong with a field, below it; an empty sentence takes that away."""
        others = {name: text for name, text in self.setup.problems.items() if name != field}
        self._change(problems={**others, field: sentence} if sentence else others)

    @on(FormView.Moved)
    def _moved(self, event: FormView.Moved) -> None:
        event.stop()
        self._tell()

    @on(FormView.Chosen)
    async def _choose(self, event: FormView.Chosen) -> None:
        event.stop()
        if event.field == START:
            self._open()
        elif event.field == DEMO:
            self._demo()
        elif event.field == PRODUCTION:
            self._chosen = True
            self._change(production=not self.setup.production)
            self._draw()
        elif event.field == ADDRESS and self.setup.instead and not event.part and not event.text:
            self._take(ADDRESS, self.setup.instead)
            self.view.step(1)
        elif event.field == TOKEN:
            await self.view.type(TOKEN, VALUE, event.text, masked=True)
        else:
            before = self.setup.address if event.field == ADDRESS else self.setup.name
            await self.view.type(event.field, VALUE, event.text or before)

    @on(FormView.Typed)
    def _typed(self, event: FormView.Typed) -> None:
        event.stop()
        if self._take(event.field, event.text) and event.is_entered and event.field != TOKEN:
            self.view.step(1)

    @on(FormView.Pasted)
    def _pasted(self, event: FormView.Pasted) -> None:
        """Take a text that was pasted on a field, without `enter`."""
        event.stop()
        fits = event.field in {ADDRESS, TOKEN, NAME}
        if fits and self._take(event.field, event.text) and event.field != TOKEN:
            self.view.lead_on()

    def _take(self, field: str, text: str) -> bool:
        """Take and test what was given for a field; return whether it may be right."""
        text, *more = [line.strip() for line in text.splitlines() if line.strip()] or [""]
        if field != TOKEN and looks_like_token(text):
            self._wrong(field, SEEN_TOKEN)  # it is not shown any longer than it has been
            self._draw()
            return False
        if field == ADDRESS:
            self._take_address(text)
            if more and looks_like_token(more[0]):  # the two were copied together
                self._take_token(more[0])
        elif field == TOKEN and looks_like_address(text):
            self._take_address_for_token(text)
        elif field == TOKEN and text:
            self._take_token(text)
        elif field == NAME:
            self._named = bool(text)
            self._take_name(text or name_for(self.setup.root))
        self._draw()
        return bool(text) and (field != NAME or NAME not in self.setup.problems)

    def _take_token(self, text: str) -> None:
        self._token, self._token_of = Secret(text), ""
        self._change(has_token=True, said=None)
        for field in (TOKEN, *(one for one, told in self.setup.problems.items()
                               if told == SEEN_TOKEN)):  # fmt: skip
            self._wrong(field, "")
        self._look()

    def _take_address_for_token(self, text: str) -> None:
        """Take an address where a token was wanted: to its field, if that has no good one."""
        if self.setup.root:
            self._wrong(TOKEN, SEEN_ADDRESS.format(_host(text)))
        else:
            self._take_address(text)

    def _take_address(self, text: str) -> None:
        if text == self.setup.address and self.setup.root:
            return
        self._change(address=text, root="", instead="", said=None)
        self._wrong(ADDRESS, "")
        self._wrong(TOKEN, "")
        if text:
            self._look()

    def _take_name(self, name: str) -> None:
        self._change(name=name)
        try:
            check_profile_name(name)
        except WrongValueError as error:
            self._wrong(NAME, f"This {error}. {error.remedy}".rstrip())
        else:
            self._wrong(NAME, "")
        if not self._chosen:
            self._change(production=is_production_name(name))

    def _look(self) -> None:
        """Ask the platform about what is filled in, in the place of what was asked before."""
        self.run_worker(work(self._test), group="sign in", exclusive=True)

    async def _test(self) -> None:
        if self.setup.address and not self.setup.root:
            await self._test_address()
        if self.setup.root and self._token is not None and self.setup.said is None:
            await self._test_token(self.setup.root, self._token)
        self._progress()
        self._draw()
        if self._opens:
            self._open()

    async def _test_address(self) -> None:
        address = self.setup.address
        self._progress(f"asking {_host(address)} …")
        try:
            root = await self._sign_in.root_of(address)
        except PlatuiError as error:
            self._change(instead=other_address(address, error))
            self._refuse(ADDRESS, error)
            return
        self._change(address=root, root=root, instead="")
        if not self._named:
            self._take_name(name_for(root))
        if self._token_of and not same_origin(self._token_of, root):
            self._forget_token()
        self._draw()

    def _forget_token(self) -> None:
        """Drop a token that another platform was given: it goes to no second one by itself."""
        self._wrong(TOKEN, f"Another one is needed: that was for {_host(self._token_of)}.")
        self._token, self._token_of, self._opens = None, "", False
        self._change(has_token=False)

    async def _test_token(self, root: str, token: Secret) -> None:
        self._progress("asking who you are …")
        self._token_of = root
        try:
            said = await self._sign_in.introduce(root, token)
        except PlatuiError as error:
            self._refuse(TOKEN, error)
            return
        self._change(said=said)
        if self.view.field == TOKEN and not self.view.is_typing:
            self.view.lead_on()

    def _refuse(self, field: str, error: PlatuiError) -> None:
        """Say an error at its field; what was typed stays there.

        The cursor comes back to it from the end of the form, and to the address from the token
        that it went on to; but not while one is typed there, which would go on, to be seen by
        all, in the field of the address.
        """
        self._opens = False
        told = remedy_before_profile(error, CERTIFICATES)
        self._wrong(field, f"{error.sentence} {told}".strip())
        waits = self.view.field == TOKEN and not (self.view.is_typing or self.setup.has_token)
        if self.view.field == START or (field == ADDRESS and waits):
            self.view.lead_to(field)

    def _open(self) -> None:
        """Write all of it and go on, once all is well; else go to what is not."""
        for field, is_there in ((ADDRESS, self.setup.address), (TOKEN, self.setup.has_token)):
            if not is_there:
                self._wrong(field, _NEEDED[field])
                self._draw()
                self.view.go_to(field)
                return
        if self.setup.said is None:
            # Perhaps it is being asked; after an error, it is asked once more.
            is_first, self._opens = not self._opens, True
            if is_first:
                self._look()
            return
        if NAME in self.setup.problems:
            self.view.go_to(NAME)
            return
        self._opens = False
        self.run_worker(work(self._write), group="sign in", exclusive=True)

    async def _write(self) -> None:
        setup, token = self.setup, self._token
        assert token is not None  # noqa: S101  (for the type: the platform accepted it)
        profile = Profile(setup.name, setup.root, production=setup.production)
        try:
            await asyncio.to_thread(self._save, profile, token)
        except PlatuiError as error:
            self._refuse(START, error)
            self._draw()
        else:
            self._made()

    def action_leave_field(self) -> None:
        """Go to the end of the form, where letters are keys; with nothing filled in, leave."""
        if self.setup.is_untouched:
            self.app.exit(None)
        else:
            self.view.go_to(START)


def _host(address: str) -> str:
    """Return the host of an address as it was typed, and its port where it is not the usual one."""
    origin = origin_of(address if "://" in address else f"https://{address}")
    return "the platform" if origin is None else origin.name
