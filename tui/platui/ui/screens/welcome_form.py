"""Values and problems of the first page's form."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from platui.config.address import looks_like_address
from platui.config.profile import Profile
from platui.config.value_kinds import WrongValueError, check_profile_name
from platui.core.origins import origin_of, same_origin
from platui.core.secrets import Secret, looks_like_token
from platui.present.sign_in import is_production_name, name_for
from platui.present.welcome import ADDRESS, NAME, SEEN_ADDRESS, SEEN_TOKEN, TOKEN, Setup

_NEEDED: Final = {ADDRESS: "Enter a URL.", TOKEN: "Enter a token."}


class WelcomeForm:
    """Takes typed or pasted values, and knows what to test next."""

    def __init__(self) -> None:
        self.setup = Setup()
        self.token: Secret | None = None
        self.needs_test = False  # Whether address or token changed since the last test
        self._token_of = ""  # The root that received the token
        self._named = False  # Whether the user chose the name
        self._chosen = False  # Whether the user chose the production flag

    @property
    def profile(self) -> Profile:
        return Profile(self.setup.name, self.setup.root, production=self.setup.production)

    def find_missing(self) -> str:
        """Report the first empty required field; return its name, or nothing."""
        for field, is_filled in ((ADDRESS, self.setup.address), (TOKEN, self.setup.has_token)):
            if not is_filled:
                self.set_problem(field, _NEEDED[field])
                return field
        return ""

    def change(self, **fields: object) -> None:
        self.setup = replace(self.setup, **fields)  # type: ignore[arg-type]  # by their names

    def set_problem(self, field: str, sentence: str) -> None:
        others = {name: text for name, text in self.setup.problems.items() if name != field}
        self.change(problems={**others, field: sentence} if sentence else others)

    def toggle_production(self) -> None:
        self._chosen = True
        self.change(production=not self.setup.production)

    def take(self, field: str, text: str) -> bool:
        text, *more = [line.strip() for line in text.splitlines() if line.strip()] or [""]
        if field != TOKEN and looks_like_token(text):
            self.set_problem(field, SEEN_TOKEN)  # clears the field: a token must not stay visible
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
        return bool(text) and (field != NAME or NAME not in self.setup.problems)

    def _take_token(self, text: str) -> None:
        self.token, self._token_of = Secret(text), ""
        self.change(has_token=True, info=None)
        for field in (TOKEN, *(one for one, text in self.setup.problems.items()
                               if text == SEEN_TOKEN)):  # fmt: skip
            self.set_problem(field, "")
        self.needs_test = True

    def _take_address_for_token(self, text: str) -> None:
        """Move an address typed as the token to its field, unless that is valid."""
        if self.setup.root:
            self.set_problem(TOKEN, SEEN_ADDRESS.format(host_of(text)))
        else:
            self._take_address(text)

    def _take_address(self, text: str) -> None:
        if text == self.setup.address and self.setup.root:
            return
        self.change(address=text, root="", instead="", info=None)
        self.set_problem(ADDRESS, "")
        self.set_problem(TOKEN, "")
        self.needs_test = True  # also if empty: a running test ends

    def _take_name(self, name: str) -> None:
        self.change(name=name)
        try:
            check_profile_name(name)
        except WrongValueError as error:
            self.set_problem(NAME, f"This {error}. {error.remedy}".rstrip())
        else:
            self.set_problem(NAME, "")
        if not self._chosen:
            self.change(production=is_production_name(name))

    def take_root(self, root: str) -> bool:
        """Take the root of the address; return False if the token was sent to another platform."""
        self.change(address=root, root=root, instead="")
        if not self._named:
            self._take_name(name_for(root))
        if not self._token_of or same_origin(self._token_of, root):
            return True
        self.set_problem(
            TOKEN, f"Enter another token: the last one was for {host_of(self._token_of)}."
        )
        self.token, self._token_of = None, ""
        self.change(has_token=False)
        return False

    def token_to_test(self) -> tuple[str, Secret] | None:
        if not self.setup.root or self.token is None or self.setup.info is not None:
            return None
        self._token_of = self.setup.root
        return self.setup.root, self.token


def host_of(address: str) -> str:
    """Return host and unusual port of an address as it was typed."""
    origin = origin_of(address if "://" in address else f"https://{address}")
    return "the platform" if origin is None else origin.name
