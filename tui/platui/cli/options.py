"""The global options, read by hand so that the dashboard starts without a parser."""

from __future__ import annotations

import os.path
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from platui.cli.exits import Exit, table_of
from platui.config.settings import Options
from platui.core.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

_FLAGS: Final[dict[str, dict[str, Any]]] = {
    "--read-only": {"read_only": True},
    "--ascii": {"ascii": True},
    "--utc": {"utc": True},
}
_TAKE_A_WORD: Final[dict[str, Callable[[str], dict[str, Any]]]] = {
    "--profile": lambda word: {"profile": word},
    "--url": lambda word: {"url": word},
    "--config": lambda word: {"config": _path(word)},
    "--debug": lambda word: {"debug": _path(word)},
}
HELP_ALL: Final = "--help-all"
HELP_NAMES: Final = ["-h", "--help"]
"""What asks for help, of platui and of every command."""
_ASK: Final = ("--version", *HELP_NAMES, HELP_ALL)

HELP_TOO: Final = "help"
"""What people type who do not know of --help."""
DEMO: Final = "demo"
LOG: Final = "log"

HELP: Final = f"""\
Usage: platui [OPTIONS] [URL | PROJECT | :VIEW | COMMAND …]

The terminal dashboard for a data-operations platform.
Without a command it opens the dashboard, on what is broken in all that you
watch; with the address of a project, pipeline, job, file or group it opens
there, and so it does with the path of a project, as acme/etl, and with what is
typed after : in it, as ':jobs acme/etl #7'.

Commands:
  demo        open the dashboard on an emulated platform
  emulator    serve an emulated platform over HTTP
  init        make a profile: where the platform is, and how to sign in
  doctor      say whether all is well: token, clock, terminal, disk
  namespaces  list groups, and the places of users' projects
  projects    list projects, and how each ran last
  pipelines   list the pipelines of a project
  pipeline    tell all of a pipeline, with its jobs
  jobs        list the jobs of a project or of a pipeline
  job         tell all of a job
  schedules   list the schedules of a project
  file        print a file of a repository, or the file of a pipeline
  log         show or print the log of a job, or a saved log
  run         start a pipeline
  trigger     start a pipeline with a trigger token
  wait        wait for the end of a pipeline or job, and end as it does
  cancel      cancel a pipeline or job
  retry       try again what failed in a pipeline, or a job
  play        start a manual job
  project     create a project
  schedule    list, create, change and run schedules
  triage      what is broken, since when and why; acknowledge it, hand it over
  report      fetch, search and compare access reports: who holds which level
  audit       show what was written to platforms from here
  cache       what is kept on this machine, and how to be rid of it
  config      the configuration: where it is, what it says, what is wrong
  keys        print every key of the dashboard, as it is bound here
  docs        explain a view of the dashboard, the settings, a command
  themes      list the themes, check or begin one of your own
  help        print the help of a command
  completion  print what bash, zsh or fish needs to complete words
Each has a --help of its own. What writes asks first, or takes --yes; --dry-run
shows it.

Options:
  --profile NAME   profile of config.toml to use
  --url URL        address of the platform, with or without /api/v4
  --read-only      write nothing to the platform, whatever the profile allows
  --ascii          draw with ASCII characters only
  --utc            show times in UTC
  --config FILE    another config.toml
  --debug FILE     write what is requested to a file; no secret gets there
  --version        print the version
  -h, --help       print this
  --help-all       print the help of every command, as one document

Exit codes:
{table_of(*Exit)}
Environment: PLATUI_URL PLATUI_TOKEN PLATUI_PROFILE PLATUI_ADMIN_URL
PLATUI_ADMIN_KEY PLATUI_TRIGGER_TOKEN; inside a pipeline job CI_JOB_TOKEN
CI_SERVER_URL CI_PROJECT_PATH, where nothing else is said.
In the dashboard, ? explains each view and lists its keys.
"""

DEMO_HELP: Final = """\
Usage: platui demo [OPTIONS]

Open the dashboard on an emulated platform: a process of its own on this
machine, with a company whose pipelines run and fail while you look. It needs no
account and no network, listens on loopback only, keeps nothing, and ends with
the dashboard.
Without a terminal a plain summary of it is printed.

Options:
  --ascii          draw with ASCII characters only
  --utc            show times in UTC
  --read-only      write nothing to it
  --config FILE    another config.toml: look and keys are taken from it
  --debug FILE     write what is requested to a file; no secret gets there
  -h, --help       print this

Examples:
  platui demo
  platui demo --ascii --read-only

platui emulator serves such a platform for longer, with scenarios and faults.
"""


def split(arguments: Sequence[str]) -> tuple[Options, str, list[str]]:
    """Return the global options, what was asked (`--version`, `--help` or empty), and the rest.

    They may also stand behind an address or `demo`; any other command reads what follows it.

    Raises:
        PlatuiError: an unknown option, or one without its word.
    """
    options, asked = Options(), ""
    words = list(arguments)
    rest: list[str] = []
    while words:
        word = words.pop(0)
        if word in _ASK:
            asked = asked or word
        elif word.startswith("-") and word != "--":
            given = global_option(word, words)
            if given is None:
                raise unknown_option(word.partition("=")[0], (), "platui --help lists them.")
            options = replace(options, **given)
        else:
            rest += [word] * (word != "--")
            if word != DEMO and not opens(word):
                break
    return options, asked, [*rest, *words]


def global_option(word: str, following: list[str]) -> dict[str, Any] | None:
    """Return what a global option says, None for any other word.

    One that needs a word may take it from those that follow.

    Raises:
        PlatuiError: the word it needs is missing, or is no path where one is needed.
    """
    name, equals, value = word.partition("=")
    if word in _FLAGS:
        return _FLAGS[word]
    if name not in _TAKE_A_WORD:
        return None
    if not equals and following:
        value = following.pop(0)
    if not value:
        raise ConfigError(f"The option {name} needs a word after it.")
    return _TAKE_A_WORD[name](value)


def _path(word: str) -> Path:
    from platui.core.paths import typed_path  # noqa: PLC0415  (where a file is named only)

    return typed_path(word)


def is_address(word: str) -> bool:
    """Return whether a word is an address rather than a command."""
    return word.startswith(("http://", "https://"))


def is_typed(word: str) -> bool:
    """Return whether a word is what one types after `:` in the dashboard."""
    return word.startswith(":")


def is_path(word: str) -> bool:
    """Return whether a word is the path of a project: no command has a slash, and no file is it."""
    first, *rest = word.split("/")
    is_one = all((first, *rest)) and bool(rest) and (first[0].isalnum() or first[0] == "_")
    return is_one and not os.path.isfile(word)  # noqa: PTH113  (a Path raises where it is too long)


def opens(word: str) -> bool:
    """Return whether a word says where the dashboard opens."""
    return is_address(word) or is_typed(word) or is_path(word)


def unknown_option(name: str, others: Sequence[str], hint: str) -> ConfigError:
    """Return what to say of an option that is neither global nor one of `others`."""
    known = [*_FLAGS, *_TAKE_A_WORD, *_ASK, *others]
    import difflib  # noqa: PLC0415  (on a mistake only)

    # Without their dashes: these make --json as good as --version.
    named = {one.lstrip("-"): one for one in known}
    near = difflib.get_close_matches(name.lstrip("-"), named, n=1)
    return ConfigError(
        f"There is no option {name}.", hint=f"Did you mean {named[near[0]]}?" if near else hint
    )
