"""Ask the user to confirm a write, unlock a profile, or type a name or secret."""

from __future__ import annotations

import getpass
import shlex
import sys
from typing import TYPE_CHECKING, Final

from platui.cli.prompts import has_terminal, read_line
from platui.core.errors import ConfigError, WriteRefusedError
from platui.core.secrets import Secret
from platui.core.text import clean, shorten
from platui.models.values.writes import Confirmation, RecordAction, WriteRequest
from platui.present.writes.requests import badge, first_time, listed, question

if TYPE_CHECKING:
    from platui.cli.connection import Platform

_LONGEST_NAME: Final = 200
_TRIES: Final = 3
_YES: Final = frozenset({"y", "yes"})


def check_writes_allowed(platform: Platform) -> None:
    """Raise if the write can never be sent, before any prompt or request."""
    service, write_options = platform.service, platform.write_options
    if write_options.dry_run:
        return
    name = clean(service.profile.name)
    if service.writes == "off":
        raise WriteRefusedError(
            f"Writes are off for the profile {name}. Nothing was sent.",
            hint=platform.why_off,
        )
    if service.writes == "locked" and not (write_options.unlock or has_terminal()):
        raise WriteRefusedError(
            f"Writes are locked in profile {name}. Nothing was sent.",
            hint=f"Add --unlock {shlex.quote(name)}{' --yes' * (not write_options.yes)} "
            "to unlock them for one command.",
        )
    if write_options.unlock not in {"", service.profile.name}:
        raise WriteRefusedError(
            f"--unlock: the name of this profile is {name}. Nothing was sent.", hint=""
        )
    if not write_options.yes:
        require_terminal("sent")


def require_terminal(what: str) -> None:
    if not has_terminal():
        raise ConfigError(
            f"Confirmation needs a terminal. Nothing was {what}.",
            hint="Add --yes to confirm.",
        )


def confirm_write(
    platform: Platform, request: WriteRequest, note: str = ""
) -> tuple[Confirmation, str]:
    """Return the confirmation, and the name typed to unlock the profile, if any."""
    service, write_options = platform.service, platform.write_options
    if not write_options.yes:
        head = "".join(text for text, _ in badge(request.profile, production=request.production))
        intent, notes = request.intents[0], [note] if note else []
        if isinstance(intent, RecordAction):
            action = intent.action
            if action.value not in service.local_state.confirmed_actions():
                notes.insert(0, first_time(action, clean(request.profile)))
        asked = (text for text, _ in question(request, notes) if text)
        lines = [head.strip(), *asked, *listed(request)]
        print("\n".join(clean(line) for line in lines), file=sys.stderr)
    typed = write_options.unlock
    if service.writes == "locked" and not (typed or service.writes_open_until.value):
        typed = _name_typed(service.profile.name)
    if not write_options.yes and not ask_to_confirm("Send it?"):
        raise KeyboardInterrupt
    return Confirmation(request), typed


def _name_typed(name: str) -> str:
    for left in reversed(range(_TRIES)):
        typed = read_line("Writes are locked. Type the profile's name to unlock them: ")
        if not typed:
            raise KeyboardInterrupt
        if typed == name:
            return typed
        if left:
            print("platui: The name does not match. Nothing was sent.", file=sys.stderr)
    raise WriteRefusedError(
        f"The name of this profile is {clean(name)}. Nothing was sent.", hint="Type the full name."
    )


def ask_to_confirm(question: str) -> bool:
    return (read_line(f"{question} [y/N] ") or "").casefold() in _YES


def check_typed_name(intent: RecordAction, confirmed: str) -> None:
    target = f"{intent.action.kind} #{intent.id}"
    name = shorten(intent.name, _LONGEST_NAME)
    if not confirmed:
        prompt = f'{target.capitalize()} cannot be restored. Type "{name}" to continue: '
        confirmed = read_line(prompt) or ""
    if " ".join(confirmed.split()) != " ".join(intent.name.split()):
        raise WriteRefusedError(
            f'The name of {target} is "{name}". Nothing was sent.',
            hint="",
        )


def ask_secret(key: str) -> Secret:
    if not has_terminal():
        raise ConfigError(
            f"Typing the secret {clean(key)} needs a terminal.",
            hint=f"Use --secret {clean(key)}=@FILE or --secret {clean(key)}=env:NAME.",
        )
    try:
        return Secret(getpass.getpass(f"Value of {clean(key)} (not shown): ", sys.stderr))
    except EOFError:
        raise KeyboardInterrupt from None
    except UnicodeDecodeError:  # keep the secret out of the traceback
        raise ConfigError(f"The value of {clean(key)} is not UTF-8 text.") from None
