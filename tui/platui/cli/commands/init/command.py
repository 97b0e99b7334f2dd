"""`platui init`: create a working profile from an address and a token."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from platui.cli.command_options import epilog, with_global_options
from platui.cli.commands.init.conversation import Answers, Keep, Said, Talk
from platui.cli.commands.init.profile import (
    ask_address,
    ask_default,
    ask_keep,
    ask_name,
    ask_production,
)
from platui.cli.commands.init.saving import save
from platui.cli.commands.init.token import ask_token, split_command
from platui.cli.commands.init.watch import ask_watch
from platui.cli.completions import projects
from platui.cli.exit_codes import Exit
from platui.cli.list_options import READING
from platui.cli.prompts import print_paragraph
from platui.config.address import BadAddressError, normalize_root
from platui.config.environment import URL, harden
from platui.config.load import config_file, load_settings
from platui.config.profile import WRITES, Profile
from platui.config.profile_choice import replace_admin_url, replace_url
from platui.config.settings import Settings
from platui.core.errors import ConfigError
from platui.core.paths import absolute_path, path_exists, tilde_path, user_path
from platui.core.text import clean

if TYPE_CHECKING:
    from asyncio import Runner
    from collections.abc import Mapping

    from platui.config.settings import Options

_EXAMPLES: Final = """
init
init prod --url https://p.example.com --token-command 'pass token'
init prod --url https://p.example.com --yes --token-stdin < token
init test --token-file ~/.test-token --writes confirm --watch active
"""
_PATH: Final = click.Path(path_type=Path)
_GLOBAL: Final = partial(
    with_global_options, url="The platform: its root, or the address of any page on it."
)


@click.command("init", epilog=epilog(_EXAMPLES, *READING))
@click.argument("name", required=False, default="")
@_GLOBAL
@click.option(
    "--token-file", type=_PATH, help="A file of mode 0600 with the token; it stays there."
)
@click.option("--token-stdin", is_flag=True, help="Read the token from stdin.")
@click.option("--token-command", default="", help="A command that prints the token each time.")
@click.option("--keyring", is_flag=True, help="Keep the token in the system's keyring.")
@click.option("--production/--no-production", default=None, help="Whether it is marked in red.")
@click.option("--writes", type=click.Choice(WRITES), help="What platui may change; else locked.")
@click.option("--admin-url", default="", help="Root of the administration API, for reports.")
@click.option("--ca-bundle", type=_PATH, help="Certificates of your organization, in PEM form.")
@click.option("--insecure", is_flag=True, help="Accept plain http: the token goes in clear.")
@click.option(
    "--watch",
    multiple=True,
    metavar="PROJECT",
    shell_complete=projects,
    help="Watch it; or all, active, none, later.",
)
@click.option("--default", is_flag=True, help="Open this profile when none is named.")
@click.option("--no-test", is_flag=True, help="Do not ask the platform; for a machine without it.")
@click.option("-y", "--yes", is_flag=True, help="Ask nothing; change a profile of that name.")
@click.pass_obj
def init_command(options: Options, /, **words: Any) -> int:
    """Make a profile: where the platform is, how to sign in, and how careful to be there.

    What is not said on the command line is asked; without a terminal it is as by default.
    Address and token are tested at once, over HTTP. At the end the profile is written to
    config.toml, whose comments stay, and the token to a file that only you can read.
    Ctrl+C writes nothing; at the last question, what is watched, it leaves only that open.

    The token is never an argument: it is typed unseen, read from --token-stdin or
    --token-file, printed by --token-command, or taken from PLATUI_TOKEN.
    """
    import asyncio  # noqa: PLC0415  (not for help or completion)

    from platui.service.triage.state import TriageState  # noqa: PLC0415  (not for help or completion)

    said = _said(words)
    environ = harden()
    settings = _settings(options, environ)
    try:
        with asyncio.Runner() as runner:
            answers = _answers(options, said, settings, environ, runner)
            written = save(answers, options.config)
            if answers.watch is not None:
                runner.run(TriageState(answers.profile).watch(answers.watch))
    except KeyboardInterrupt:
        print_paragraph("")
        print_paragraph("Nothing was written.")
        return Exit.INTERRUPTED
    _tell_end(answers, written, settings, options)
    return Exit.DONE


def _said(words: Mapping[str, Any]) -> Said:
    given = [name for name in ("token_file", "token_stdin", "token_command") if words[name]]
    if len(given) > 1:
        named = " and ".join(f"--{name.replace('_', '-')}" for name in given)
        raise ConfigError(f"{named}: the token comes from one of them.")
    if words["keyring"] and words["token_command"]:
        raise ConfigError("--keyring and --token-command: the token comes from one of them.")
    admin_url = words["admin_url"]
    try:
        admin_url = admin_url and normalize_root(admin_url)
    except BadAddressError as error:
        raise ConfigError(f"--admin-url {error}.") from error
    changed = {
        "token_file": _path(words["token_file"]),
        "token_command": split_command(words["token_command"]),
        "admin_url": admin_url,
        "ca_bundle": _path(words["ca_bundle"]),
    }
    return Said(**{**words, **changed})


def _path(path: Path | None) -> Path | None:
    return None if path is None else absolute_path(user_path(str(path)))


def _settings(options: Options, environ: Mapping[str, str]) -> Settings:
    """Return what is configured already; a file that is named need not be there yet."""
    if options.config is not None and not path_exists(options.config):
        return Settings()
    return load_settings(options.config, environ, options)


def _answers(
    options: Options,
    said: Said,
    settings: Settings,
    environ: Mapping[str, str],
    runner: Runner,
) -> Answers:
    from platui.core.clock import SystemClock  # noqa: PLC0415  (it brings asyncio)
    from platui.service.sign_in import SignIn  # noqa: PLC0415  (not for help or completion)

    clock = SystemClock()
    before = settings.profiles.get(said.name) if said.name else None
    bundle = said.ca_bundle or (before.ca_bundle if before is not None else None)
    insecure = said.insecure or (before is not None and before.insecure)
    said = replace(said, insecure=insecure)
    sign_in = SignIn(clock, ca_bundle=bundle, insecure=insecure)
    talk = Talk(said, sign_in, runner, clock, environ)
    name = ask_name(talk, "", settings.profiles) if said.name else ""
    known = before.url if before is not None else environ.get(URL, "")
    given = options.url or ""
    root = ask_address(talk, given or ("" if talk.asks else known), known)
    signed = ask_token(talk, root, before)
    name = name or ask_name(talk, root, settings.profiles)
    before = settings.profiles.get(name)
    profile = replace(
        Profile(name, root) if before is None else replace_url(before, root),
        production=ask_production(talk, name, before),
        insecure=insecure,
        ca_bundle=sign_in.ca_bundle,
        token=None,
    )
    if said.writes is not None:
        profile = replace(profile, writes=said.writes)  # type: ignore[arg-type]  # one of WRITES
    if said.admin_url:
        profile = replace_admin_url(profile, said.admin_url)
    signed = ask_keep(talk, profile, signed)
    if signed.keep is not Keep.SAME:
        profile = replace(
            profile,
            token_command=signed.command,
            token_keyring=signed.keep is Keep.KEYRING,
            token_file=signed.file,
        )
    is_default = ask_default(talk, name, settings)
    return Answers(profile, signed, ask_watch(talk, signed.said), is_default)


def _tell_end(answers: Answers, written: Path, settings: Settings, options: Options) -> None:
    profile = answers.profile
    mark = ", production" if profile.production else ""
    writes = {"off": "nothing is ever written", "locked": "writes are locked: U unlocks them"}
    told = writes.get(profile.writes, "each write is asked for")
    said = answers.signed.said
    if said is not None and said.token is not None and said.token.may_write is False:
        told = "its token can only look"
    print_paragraph("")
    print_paragraph(clean(f"Profile {profile.name}{mark} is in {tilde_path(written)}; {told}."))
    others = [one for one in settings.profiles if one != profile.name]
    words = ["platui"]
    if options.config is not None and options.config != config_file():
        words += ["--config", str(options.config)]
    if others and not answers.is_default and settings.default_profile != profile.name:
        words += ["--profile", profile.name]
    command = " ".join(words)
    print_paragraph(f"Next: `{command}` opens it, `{command} doctor` looks whether all is well.")
