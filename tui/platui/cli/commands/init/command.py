"""Create a working profile from an address and a token."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from platui.cli.command_options import READING, epilog, global_options
from platui.cli.commands.init.dialog import (
    Answers,
    InitDialog,
    InitOptions,
    TokenStorage,
    ask_token,
    split_command,
)
from platui.cli.commands.init.profile import (
    ask_address,
    ask_default,
    ask_name,
    ask_production,
    ask_token_storage,
    ask_watch,
    confirm_token_file,
)
from platui.cli.commands.init.saving import save
from platui.cli.completions import projects
from platui.cli.exit_codes import Exit
from platui.cli.prompts import print_paragraph
from platui.config.address import BadAddressError, normalize_root
from platui.config.environment import URL, harden
from platui.config.load import config_file, load_settings
from platui.config.profile import WRITES, Profile
from platui.config.profile_choice import environ_of_secrets, replace_admin_url, replace_url
from platui.config.settings import Options, Settings
from platui.core.errors import ConfigError
from platui.core.paths import absolute_path, path_exists, tilde_path, user_path
from platui.core.text import clean

if TYPE_CHECKING:
    from asyncio import Runner


_EXAMPLES: Final = """
init
init prod --url https://p.example.com --token-command 'pass token'
init prod --url https://p.example.com --yes --token-stdin < token
init test --token-file ~/.test-token --writes confirm --watch active
"""
_PATH: Final = click.Path(path_type=Path)


@click.command("init", epilog=epilog(_EXAMPLES, *READING))
@click.argument("name", required=False, default="")
@global_options({"url": "URL of the platform, or of any page on it."})
@click.option("--token-file", type=_PATH, help="Use the token in this file of mode 0600.")
@click.option("--token-stdin", is_flag=True, help="Read the token from stdin.")
@click.option("--token-command", default="", help="Use a command that prints the token.")
@click.option("--keyring", is_flag=True, help="Store the token in the system's keyring.")
@click.option(
    "--production/--no-production", default=None, help="Mark the profile as production, in red."
)
@click.option("--writes", type=click.Choice(WRITES), help="Allow writes; default: locked.")
@click.option("--admin-url", default="", help="URL of the administration API, for reports.")
@click.option("--ca-bundle", type=_PATH, help="CA certificates of your organization (PEM).")
@click.option("--insecure", is_flag=True, help="Allow plain http: sends the token unencrypted.")
@click.option(
    "--watch",
    multiple=True,
    metavar="PROJECT",
    shell_complete=projects,
    help="Watch this project; or all, active, none, later.",
)
@click.option("--default", is_flag=True, help="Make it the default profile.")
@click.option("--no-test", is_flag=True, help="Skip the connection test.")
@click.option("-y", "--yes", is_flag=True, help="Skip prompts; update an existing profile.")
@click.pass_obj
def init_command(options: Options, /, **words: Any) -> int:
    """Create a profile: the platform's URL, your token and whether writes are allowed.

    Prompts for missing options; without a terminal, uses defaults. Tests URL and token on
    the platform, then saves the profile in config.toml, keeping its comments, and the
    token in a private file. Ctrl+C saves nothing; at the last prompt, for projects to
    watch, it only skips that.

    The token is never an argument: it is typed without echo, or comes from --token-stdin,
    --token-file, --token-command or PLATUI_TOKEN.
    """
    import asyncio  # noqa: PLC0415  (not for help or completion)

    from platui.service.triage.state import TriageState  # noqa: PLC0415  (not for help or completion)

    init_options = _init_options(words)
    environ = harden()
    settings = Settings()
    if options.config is None or path_exists(options.config):  # a given file may not exist yet
        settings = load_settings(options.config, environ, options)
    try:
        with asyncio.Runner() as runner:
            answers = _answers(options, init_options, settings, environ, runner)
            written = save(answers, options.config)
            if answers.watch is not None:
                runner.run(TriageState(answers.profile).watch(answers.watch))
    except KeyboardInterrupt:
        print_paragraph("")
        print_paragraph("Nothing saved.")
        return Exit.INTERRUPTED
    _print_summary(answers, written, settings, options)
    return Exit.DONE


def _init_options(words: Mapping[str, Any]) -> InitOptions:
    given = [name for name in ("token_file", "token_stdin", "token_command") if words[name]]
    if len(given) > 1:
        named = " and ".join(f"--{name.replace('_', '-')}" for name in given)
        raise ConfigError(f"{named}: give only one source of the token.")
    if words["keyring"] and words["token_command"]:
        raise ConfigError("--keyring and --token-command: give only one source of the token.")
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
    return InitOptions(**{**words, **changed})


def _path(path: Path | None) -> Path | None:
    return None if path is None else absolute_path(user_path(str(path)))


def _answers(
    options: Options,
    init_options: InitOptions,
    settings: Settings,
    environ: Mapping[str, str],
    runner: Runner,
) -> Answers:
    from platui.core.clock import SystemClock  # noqa: PLC0415  (it brings asyncio)
    from platui.service.sign_in import SignIn  # noqa: PLC0415  (not for help or completion)

    clock = SystemClock()
    before = settings.profiles.get(init_options.name) if init_options.name else None
    bundle = init_options.ca_bundle or (before.ca_bundle if before is not None else None)
    sign_in = SignIn(clock, ca_bundle=bundle, insecure=init_options.insecure)
    secrets = environ_of_secrets(settings, environ)
    dialog = InitDialog(init_options, sign_in, runner, clock, secrets)
    dialog.insecure_at = before.url if before is not None and before.insecure else ""
    name = ask_name(dialog, "", settings.profiles) if init_options.name else ""
    known = before.url if before is not None else environ.get(URL, "")
    given = options.url or ""
    root = ask_address(dialog, given or ("" if dialog.is_interactive else known), known)
    signed = ask_token(dialog, root, before)
    name = name or ask_name(dialog, root, settings.profiles)
    before = settings.profiles.get(name)
    profile = replace(
        Profile(name, root) if before is None else replace_url(before, root),
        production=ask_production(dialog, name, before),
        insecure=dialog.allows_http(root),
        ca_bundle=sign_in.ca_bundle,
        token=None,
    )
    if init_options.writes is not None:
        profile = replace(profile, writes=init_options.writes)  # type: ignore[arg-type]  # one of WRITES
    if init_options.admin_url:
        profile = replace_admin_url(profile, init_options.admin_url)
    signed = ask_token_storage(dialog, replace(profile, token_file=None), signed)
    if signed.storage is not TokenStorage.UNCHANGED:
        profile = replace(
            profile,
            token_command=signed.command,
            token_keyring=signed.storage is TokenStorage.KEYRING,
            token_file=signed.file,
        )
    if signed.storage is TokenStorage.FILE:
        confirm_token_file(dialog, profile, before)
    is_default = ask_default(dialog, name, settings)
    return Answers(profile, signed, ask_watch(dialog, signed.info), is_default)


def _print_summary(answers: Answers, written: Path, settings: Settings, options: Options) -> None:
    profile = answers.profile
    mark = " (production)" if profile.production else ""
    writes = {"off": "writes are off", "locked": "writes are locked: press U to unlock"}
    mode = writes.get(profile.writes, "each write needs confirmation")
    info = answers.signed.info
    if info is not None and info.token is not None and info.token.may_write is False:
        mode = "its token is read-only"
    print_paragraph("")
    print_paragraph(clean(f"Saved profile {profile.name}{mark} in {tilde_path(written)}; {mode}."))
    others = [one for one in settings.profiles if one != profile.name]
    words = ["platui"]
    if options.config is not None and options.config != config_file():
        words += ["--config", str(options.config)]
    if others and not answers.is_default and settings.default_profile != profile.name:
        words += ["--profile", profile.name]
    command = shlex.join(words)
    print_paragraph(f"Next: open it with `{command}`, or check it with `{command} doctor`.")
