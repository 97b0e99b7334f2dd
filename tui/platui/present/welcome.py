"""The rows and help of the setup form of the first run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from datetime import datetime
from typing import TYPE_CHECKING, Final

from platui.core.dataclass import dataclass
from platui.core.text import clean
from platui.present import sign_in
from platui.present.chrome import KeyHint, Piece
from platui.present.form_rows import START, Field, FormRow, Takes, field_row

if TYPE_CHECKING:
    from platui.models.values.connection import SignInInfo

ADDRESS: Final = "URL"
TOKEN: Final = "token"  # noqa: S105  (a field's name)
NAME: Final = "name"
PRODUCTION: Final = "production"
DEMO: Final = "demo"

CERTIFICATES: Final = (
    "Quit, and set your organization's certificates: `platui init --ca-bundle FILE`."
)
SEEN_ADDRESS: Final = "{} is a URL. Enter it in the field `URL`."
SEEN_TOKEN: Final = "This looks like a token. Enter it in the field `token`."  # noqa: S105  (a sentence)

_DOTS: Final = "•" * 12
_BEGIN: Final = "Open the dashboard …"
_LOOK: Final = "Open the demo instead …"
_MADE_AT: Final = "Create one on the platform: profile, access tokens"
_PAGE_LATER: Final = f"{_MADE_AT}. The link appears here once the URL is known."
_SCOPES: Final = "Scope read_api: read-only. Scope api: also run pipelines."
_KEPT: Final = (
    "Saved in {}, the token in a file that only you can read. Next: choose watched projects."
)
_ABOUT: Final = {
    ADDRESS: "URL of the platform or of any page on it. It is checked immediately, without a "
    "token.",
    NAME: "Shown in the header, and used by --profile.",
    PRODUCTION: "Production is marked in red. Writes are always locked: U unlocks them for "
    "15 minutes, and each asks for confirmation.",
    DEMO: "An emulated platform on this machine, without URL and token.",
}
_DEMO: Final = KeyHint("d", "open the demo instead")
_QUIT: Final = KeyHint("q", "quit")
_NEXT: Final = KeyHint("↓ tab", "next")
_END: Final = KeyHint("esc", "quit")


@dataclass(frozen=True, slots=True)
class Setup:
    """The state of the setup form."""

    address: str = ""
    root: str = ""  # Empty: not found yet
    instead: str = ""  # Likely correct address; empty: unknown
    has_token: bool = False
    info: SignInInfo | None = None
    name: str = ""
    production: bool = False
    problems: Mapping[str, str] = field(default_factory=dict)  # Field -> message

    @property
    def is_untouched(self) -> bool:
        return not (self.address or self.has_token)


def setup_rows(setup: Setup, now: datetime) -> list[FormRow]:
    problems = setup.problems
    address = Field(ADDRESS, "paste the URL of any page on the platform")
    return [
        field_row(address, setup.address, problems, "✔ platform found" if setup.root else ""),
        FormRow(
            TOKEN, TOKEN, _DOTS if setup.has_token else "type or paste; never shown",
            "text" if setup.has_token else "muted", _token_note(setup, now),
            clean(problems.get(TOKEN, "")), Takes.HIDDEN, is_filled=setup.has_token,
        ),
        field_row(Field(NAME, "name of this platform"), setup.name, problems),
        field_row(
            Field(PRODUCTION, words=("no", "yes")), "yes" if setup.production else "no", problems
        ),
        FormRow(""),
        FormRow(START, "", _BEGIN, "strong", problem=clean(problems.get(START, ""))),
        FormRow(DEMO, "", _LOOK, "text"),
    ]  # fmt: skip


def setup_help(setup: Setup, row: str, now: datetime, kept_in: str) -> Sequence[Piece]:
    if row == TOKEN and setup.info is not None:
        return _introduction(setup.info, now)
    if row == TOKEN:
        if not setup.root:
            return ((_PAGE_LATER, "muted"), (_SCOPES, "muted"))
        page = sign_in.token_page(setup.root, writes=False)
        return ((f"{_MADE_AT}:", "muted"), (f"  {page}", "accent"), (_SCOPES, "muted"))
    if row == START:
        return ((_KEPT.format(clean(kept_in)), "muted"),)
    return ((_ABOUT[row], "muted"),) if row in _ABOUT else ()


def optional_rows(setup: Setup) -> frozenset[str]:
    named = bool(setup.name) and NAME not in setup.problems
    return frozenset({PRODUCTION, NAME} if named else {PRODUCTION})


def setup_keys(setup: Setup, row: str, *, is_typing: bool) -> Sequence[KeyHint]:
    if is_typing:
        return (KeyHint("enter", "accept"), KeyHint("esc", "discard"))
    if setup.is_untouched and row == ADDRESS:
        return (KeyHint("type or paste", "the URL"), _NEXT, KeyHint("esc", "quit"))
    if row == START:
        return (KeyHint("enter", "open the dashboard"), KeyHint("↑", "back"), _DEMO, _QUIT)
    if row == DEMO:
        return (KeyHint("enter", "open the demo"), KeyHint("↑", "back"), _QUIT)
    if row == PRODUCTION:
        return (KeyHint("space", "change"), KeyHint("enter ↓ tab", "next"), _DEMO, _QUIT)
    if row in optional_rows(setup):
        return (KeyHint("type", "replaces it"), KeyHint("enter ↓ tab", "next"), _END)
    if row == ADDRESS and setup.instead:
        return (
            KeyHint("enter", f"use {clean(setup.instead)}"),
            KeyHint("type", "replaces it"),
            _END,
        )
    hints = (KeyHint("type", "fills it in"), KeyHint("enter", "edit"), _NEXT, _END)
    return hints if row != TOKEN else (KeyHint("type or paste", "hidden"), *hints[2:])


def _token_note(setup: Setup, now: datetime) -> str:
    if setup.info is None:
        return ""
    me = setup.info.name or setup.info.username
    return f"✔ {' · '.join(filter(None, [me, sign_in.short_expiry(setup.info.token, now)]))}"


def _introduction(info: SignInInfo, now: datetime) -> Sequence[Piece]:
    me = sign_in.who(info)
    known = (sign_in.describe_scopes(info.token), sign_in.describe_expiry(info.token, now))
    facts = ", ".join(filter(None, known))
    limits = sign_in.describe_permissions(info.token)
    return (
        (f"You are {me}." if me else "The token is accepted.", "text"),
        (facts[:1].upper() + facts[1:] + ".", "muted"),
        *(((limits, "warning"),) if limits else ()),
    )
