"""The first question of `platui init`: where the platform is.

An address that was wrong is not offered again, but one whose platform may only be away is; where
the answer tells which other one may be meant, that one is: enter alone takes it, and nothing was
sent there before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.api.address import project_address
from platui.cli.init_talk import NOBODY
from platui.cli.prompting import aside, ask
from platui.config.address import BadAddressError, host_name, possible_roots
from platui.core.errors import (
    ConfigError,
    OfflineError,
    PlatuiError,
    ServerFailedError,
    Unreachable,
)
from platui.core.paths import typed_path, whole_path
from platui.present.sign_in import other_address, remedy_before_profile

if TYPE_CHECKING:
    from platui.cli.init_talk import Talk


_PASSING: Final = frozenset({Unreachable.TIMEOUT, Unreachable.DROPPED, Unreachable.PROXY})
"""What another try of the same address may mend."""
_CERTIFICATES: Final = "--ca-bundle FILE names the certificates of your organization."


def ask_address(talk: Talk, given: str, default: str) -> str:
    """Return the root of the platform.

    Args:
        talk: asks.
        given: the command line's, or the environment's where nobody is asked.
        default: what enter alone takes.

    Raises:
        PlatuiError: it is no platform's, and nobody can be asked for another one.
    """
    if not given and not talk.asks:
        raise ConfigError(NOBODY, hint="--url ADDRESS says which platform it is.")
    text = given
    while True:
        if not text:
            text = ask(
                "Address of the platform, or of any page on it", default, talk.keyboard.shown_line
            )
        try:
            root = _root(talk, text) if text else ""
        except PlatuiError as error:
            if not talk.asks:
                error.hint = remedy_before_profile(error, _CERTIFICATES)
                raise
            talk.tell(error)
            if _takes_certificates(talk, error):
                continue
            default = _instead(text, error) or ("" if text == default else default)
            text = ""
        else:
            if root:
                return root


def _root(talk: Talk, text: str) -> str:
    if talk.said.tests:
        root = talk.run(talk.sign_in.root_of(text), f"asking {_host(text)}")
        aside(f"  {talk.good} {root} is a platform.")
        return root
    try:
        root = possible_roots(text)[0]
    except BadAddressError as error:
        raise ConfigError(f"This {error}.") from error
    return project_address(root, insecure=talk.said.insecure).base


def _host(text: str) -> str:
    """Return the host that an address names; what is none is asked of nobody."""
    try:
        return host_name(possible_roots(text)[0])
    except BadAddressError:
        return "the platform"


def _instead(text: str, error: PlatuiError) -> str:
    """Return the address that may be meant in the place of one that was wrong; empty: unknown."""
    match error:
        case ServerFailedError():
            return text
        case OfflineError(reason=reason) if reason in _PASSING:
            return text
    return other_address(text, error)


def _takes_certificates(talk: Talk, error: PlatuiError) -> bool:
    """Ask for a file of certificates where those of the system do not do; None is given."""
    if not isinstance(error, OfflineError) or error.reason is not Unreachable.TLS:
        return False
    while typed := ask("  File with your organization's certificates (enter: another address)"):
        try:
            talk.run(talk.sign_in.trust(whole_path(typed_path(typed))), "reading them")
        except PlatuiError as problem:
            talk.tell(problem)
        else:
            return True
    return False
