"""The user's own actions: their keys in each view, and the command that they run."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from platui.config.environment import TOKEN, without_secrets
from platui.config.value_kinds import PLACEHOLDER, PLACEHOLDERS
from platui.core.named_tuple import NamedTuple
from platui.core.suggestions import nearest
from platui.core.text import clean, without_controls
from platui.ui import views
from platui.ui.controller import run_binding
from platui.ui.key_guard import OWN, WRITE_KEYS

if TYPE_CHECKING:
    from textual.binding import Binding
    from textual.dom import DOMNode

    from platui.config.settings import OwnAction, Settings
    from platui.core.secrets import Secret

_VARIABLE: Final = "PLATUI_ACTION_"  # Prefix of the variables that every command has
_IN_SCRIPT: Final = re.compile(rf"{_VARIABLE}([A-Z]+)")
_BRACED: Final = re.compile(r"\{([A-Za-z_]+)\}")
_SHELL: Final = "/bin/sh"
_LONGEST: Final = 30_000  # Characters of a value: the system limits the size of arguments


def actions_by_id(settings: Settings) -> dict[str, OwnAction]:
    """Return id of the key binding -> action; the id of one that writes begins with `write.`."""
    return {
        f"{WRITE_KEYS * action.writes}{OWN}{name}": action
        for name, action in settings.actions.items()
    }


def own_keys(settings: Settings) -> dict[str, str]:
    """Return action id -> keys: those of `[actions]`, then of `[keys]`."""
    return {id_: action.key for id_, action in actions_by_id(settings).items()} | {**settings.keys}


def bindings_in(kind: type[DOMNode], actions: Mapping[str, OwnAction]) -> list[Binding]:
    """Return the bindings of the actions of a screen's class."""
    path = f"{kind.__module__}:{kind.__qualname__}"
    here = {view.id for view in views.all_views() if view.screen == path} if actions else set()
    return [
        run_binding("", id_, clean(action.title), command_line(action))
        for id_, action in actions.items()
        if here and (not action.views or not here.isdisjoint(action.views))
    ]


def command_line(action: OwnAction) -> str:
    """Return the command as the user wrote it, on one line."""
    return clean(" ".join(action.command))


def misspelled_placeholders(action: OwnAction) -> dict[str, str]:
    """Return unknown placeholders of the arguments -> the known one that they resemble."""
    words = dict.fromkeys(_BRACED.findall(" ".join(action.command[1:])))
    near = {word: nearest(word, PLACEHOLDERS) for word in words if word not in PLACEHOLDERS}
    return {f"{{{word}}}": f"{{{known}}}" for word, known in near.items() if known}


class Command(NamedTuple):
    """A program with arguments and environment, ready to run."""

    argv: tuple[str, ...]
    environ: Mapping[str, str]


def missing_value(action: OwnAction, values: Mapping[str, str]) -> str:
    """Return why an action cannot run with these values; empty: it can."""
    script = action.command[0] if action.shell else ""
    needed = [found[1] for word in action.command for found in PLACEHOLDER.finditer(word)]
    needed += [found[1].lower() for found in _IN_SCRIPT.finditer(script)]
    if name := next((one for one in needed if not values.get(one)), ""):
        return f"{clean(action.title)} needs {_WORDS.get(name, name)}; there is none here."
    options = () if action.shell else _options(action.command, values)
    if word := next(iter(options), ""):
        return f"{clean(action.title)}: the value of {word} begins with -; write --option={word}."
    return ""


_WORDS: Final = {
    "project": "a project", "pipeline": "a pipeline", "job": "a job", "url": "a URL",
    "error": "an error", "ref": "a branch or tag",
}  # fmt: skip


def _options(words: Sequence[str], values: Mapping[str, str]) -> list[str]:
    """Return the words that the values would make options of the program."""
    end = words.index("--") if "--" in words else len(words)
    return [
        word
        for word in words[1:end]
        if not word.startswith("-") and _filled(word, values).startswith("-")
    ]


def _filled(word: str, values: Mapping[str, str]) -> str:
    return PLACEHOLDER.sub(lambda found: values.get(found[1], ""), word)


def command_of(action: OwnAction, values: Mapping[str, str], token: Secret | None) -> Command:
    """Return the command with its values, which no shell parses."""
    first, *others = action.command
    filled = [_filled(word, values) for word in others]
    argv = [_SHELL, "-c", first, clean(action.title), *filled] if action.shell else [first, *filled]
    environ = without_secrets(os.environ)
    environ |= {f"{_VARIABLE}{name.upper()}": text for name, text in values.items() if text}
    if token is not None:
        environ[TOKEN] = token.reveal()
    return Command(tuple(argv), environ)


def safe_values(values: Mapping[str, str]) -> dict[str, str]:
    """Return values without control characters; only an error keeps its lines."""
    return {
        name: (without_controls(text) if name == "error" else clean(text))[:_LONGEST]
        for name, text in values.items()
    }
