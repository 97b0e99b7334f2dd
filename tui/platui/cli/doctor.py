"""`platui doctor`: is all well, line by line, and what to do where it is not."""

from __future__ import annotations

import asyncio
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from platui.cli.doctor_admin import look_at_admin
from platui.cli.doctor_finding import SCHEMA, Finding, exit_of, lines_of, summary
from platui.cli.doctor_here import (
    look_at_config,
    look_at_permissions,
    look_at_profile,
    look_at_stores,
    look_at_token,
    look_at_versions,
)
from platui.cli.doctor_platform import (
    look_at_examined,
    look_at_outage,
    look_at_proxy,
    look_at_refusal,
    look_at_way,
    skip_network,
)
from platui.cli.doctor_terminal import look_at_sequences, look_at_terminal
from platui.cli.exits import Exit
from platui.cli.manner import epilog, json_option, with_global_options
from platui.cli.patience import narrate
from platui.cli.progress_line import ProgressLine
from platui.cli.stdout import has_colours, is_terminal
from platui.cli.told import say, say_object
from platui.config.credentials import resolve
from platui.config.hardening import harden
from platui.core.clock import SystemClock
from platui.core.errors import ConfigError, CredentialError, PlatuiError
from platui.core.origins import origin_of
from platui.core.paths import at_home, typed_path, whole_path
from platui.core.text import clean, shorten
from platui.present.sizes import human_bytes
from platui.service.examination import Examination
from platui.service.sign_in import SignIn

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from platui.cli.doctor_bundle import Evidence
    from platui.config.credentials import Credentials
    from platui.config.profile import Profile
    from platui.config.settings import Options, Settings
    from platui.core.clock import Clock
    from platui.models.values.connection import RequestRecord

_EXAMPLES: Final = """
doctor
doctor --profile prod --json
doctor --bundle
doctor --offline --bundle report.tar.gz
"""
_MORE: Final = """\b
The code is that of the first line that failed; a warning is none. --json is
one object (schema platui.doctor/1): `checks`, each with name, status, what,
remedy and facts.
"""
_ENDINGS: Final = (".tar.gz", ".tgz")
_ENDS: Final = (Exit.DONE, Exit.USAGE, Exit.TRY_AGAIN, Exit.REFUSED)


@click.command("doctor", epilog=epilog(*_ENDS, examples=_EXAMPLES, more=_MORE))
@click.option("--offline", is_flag=True, help="Ask nobody over the network.")
@click.option(
    "--bundle",
    type=click.Path(),
    is_flag=False,
    flag_value="",
    help="Write it for a bug report: FILE.tar.gz; without a name, one in this folder.",
)
@json_option
@with_global_options
@click.pass_obj
def doctor_command(options: Options, /, *, offline: bool, bundle: str | None, as_json: bool) -> int:
    """Look whether all is well: a line for each thing, and what to do where it is not.

    Configuration, permissions, token (never what it is), proxy, certificates, clock,
    who you are, scopes, what of the quota is spent, what the platform offers, the
    administration API, terminal, and what is kept on disk.

    It asks the platform some fifteen things, and changes nothing.

    --bundle writes an archive for a bug report, readable by you alone: what was found,
    config.toml, the end of the debug log (--debug), sizes, the last requests. Tokens, keys
    and passwords are masked in it; the names of your platform and projects are not.
    """
    environ = harden()
    path = None if bundle is None else _archive(bundle)
    teller = _Teller(options, environ, as_json=as_json)
    doctor = Doctor(options, environ, teller, offline=offline)
    with asyncio.Runner() as runner:
        runner.run(doctor.look())
    code = teller.end()
    if path is not None:
        from platui.cli.doctor_bundle import write_bundle  # noqa: PLC0415  (where it is wanted)

        clock = SystemClock()
        size = write_bundle(path, doctor.evidence(report(teller.findings, clock)), clock.now())
        narrate(
            f"{at_home(path)} is written, {human_bytes(size)}: look into it before you send it."
        )
    return code


def _archive(named: str) -> Path:
    """Return where the archive is written; what has no name gets one, with the time in it.

    Raises:
        ConfigError: its name says that it is of another kind, or is none.
    """
    if not named:
        return Path.cwd() / f"platui-report-{SystemClock().now():%Y%m%dT%H%M%SZ}.tar.gz"
    path = whole_path(typed_path(named))
    if not path.name.endswith(_ENDINGS):
        stem = path.name.partition(".")[0] or "platui-report"
        raise ConfigError(
            clean(f"--bundle {shorten(path.name, 60)}: it is written as .tar.gz, and no other."),
            hint=clean(f"As --bundle {shorten(stem, 60)}.tar.gz"),
        )
    return path


class _Teller:
    """Prints findings as they come; or, for a program, all of them at the end."""

    def __init__(self, options: Options, environ: Mapping[str, str], *, as_json: bool) -> None:
        self.findings: list[Finding] = []
        self._as_json = as_json
        self._progress = ProgressLine()
        encoding = (sys.stdout.encoding or "").lower() if sys.stdout is not None else ""
        self._ascii = options.ascii or not encoding.startswith("utf")
        self._coloured = has_colours("", environ)
        self._width = shutil.get_terminal_size().columns if is_terminal() else 0

    def tell(self, findings: Iterable[Finding]) -> None:
        """Take findings, each told as soon as it is there."""
        for one in findings:
            self._progress.clear()
            self.findings.append(one)
            if self._as_json:
                continue
            for line in lines_of(one, self._width, ascii_only=self._ascii, coloured=self._coloured):
                say(line)

    def doing(self, what: str) -> None:
        """Say what is being looked at, as long as that takes."""
        self._progress.show(what)

    def end(self) -> int:
        """Say how all of it is; returns the exit code."""
        self._progress.clear()
        code = exit_of(self.findings)
        if self._as_json:
            say_object(report(self.findings, SystemClock()))
        else:
            say(summary(self.findings))
        return code


def report(findings: Iterable[Finding], clock: Clock) -> dict[str, Any]:
    """Return everything that was found, for JSON."""
    found = list(findings)
    code = exit_of(found)
    return {
        "schema": SCHEMA,
        "at": clock.now().isoformat(timespec="seconds"),
        "is_ok": code is Exit.DONE,
        "exit_code": code.value,
        "checks": [one.as_object() for one in found],
    }


class Doctor:
    """Looks at one thing after the other; what failed keeps it from few of the others."""

    def __init__(
        self, options: Options, environ: Mapping[str, str], teller: _Teller, *, offline: bool
    ) -> None:
        """Prepare it; nothing is looked at yet.

        Args:
            options: which profile.
            environ: as it was, secrets too.
            teller: is told what is found.
            offline: whether nobody is asked.
        """
        self._options = options
        self._environ = environ
        self._teller = teller
        self._offline = offline
        self._clock = SystemClock()
        self.settings: Settings | None = None
        self.profile: Profile | None = None
        self.credentials: Credentials | None = None
        self.asked: Sequence[RequestRecord] = ()
        """What was asked of the platform."""

    async def look(self) -> None:
        """Look at everything."""
        tell = self._teller.tell
        tell([look_at_versions()])
        settings: dict[str, Settings] = {}
        profiles: dict[str, Profile] = {}
        tell(look_at_config(self._options, self._environ, settings))
        self.settings = settings.get("settings")
        if self.settings is not None:
            tell(look_at_profile(self.settings, self._environ, self._options, profiles))
            self.profile = profiles.get("profile")
        tell(look_at_permissions(self.profile, self._options.config))
        credentials = self.credentials = await self._credentials()
        if self._offline or self.profile is None:
            tell(skip_network("--offline" if self._offline else "no profile says which"))
        else:
            await self._look_there(self.profile, credentials)
        tell(look_at_terminal(self._environ))
        tell(look_at_sequences(self._environ, self.settings))
        self._teller.doing("reading what is kept on disk …")
        tell(await asyncio.to_thread(lambda: list(look_at_stores(self.settings))))

    def evidence(self, found: Mapping[str, Any]) -> Evidence:
        """Return what an archive for a bug report is made of.

        Args:
            found: what was told, as JSON has it.
        """
        from platui.cli.doctor_bundle import Evidence  # noqa: PLC0415  (where it is wanted)

        return Evidence(
            found, self._environ, self.settings, self.credentials, self._options.config, self.asked
        )

    async def _credentials(self) -> Credentials | None:
        """Return the secrets of the profile; None where there are none."""
        profile = self.profile
        if profile is None:
            return None
        self._teller.doing("looking for the token …")
        try:
            found: Credentials | CredentialError
            found = await asyncio.to_thread(resolve, profile, self._environ)
        except CredentialError as error:
            found = error
        self._teller.tell(look_at_token(found, profile))
        return None if isinstance(found, CredentialError) else found

    async def _look_there(self, profile: Profile, credentials: Credentials | None) -> None:
        tell = self._teller.tell
        token = None if credentials is None else credentials.token
        from_job = credentials is not None and credentials.from_job
        self._teller.doing(f"asking {profile.url} …")
        try:
            async with Examination.open(profile, token, self._clock, from_job=from_job) as platform:
                tell([look_at_proxy(platform.proxy, profile)])
                self.asked = platform.asked
                await self._ask(platform, profile)
        except PlatuiError as error:  # certificates or a proxy that cannot be used
            tell(look_at_outage(error, profile))
        self._teller.doing("asking the administration API …")
        tell(await look_at_admin(profile, self._environ, self._clock))

    async def _ask(self, platform: Examination, profile: Profile) -> None:
        tell, now = self._teller.tell, self._clock.now()
        try:
            reached = await platform.reach()
        except PlatuiError as error:
            tell(look_at_outage(error, profile))
            return
        nearer = await self._nearer(profile) if reached.wrong is not None else ""
        tell(look_at_way(reached, profile, now, nearer))
        if reached.wrong is not None:
            return
        self._teller.doing("asking what the platform offers …")
        try:
            tell(look_at_examined(await platform.examine(), profile, now))
        except PlatuiError as error:
            tell(look_at_refusal(error, profile))

    async def _nearer(self, profile: Profile) -> str:
        """Return where on its host a platform answers; empty: nowhere. No token is sent."""
        sign_in = SignIn(self._clock, ca_bundle=profile.ca_bundle, insecure=profile.insecure)
        origin = origin_of(profile.url)
        if origin is None or origin.root == profile.url:
            return ""
        try:
            return await sign_in.root_of(origin.root)
        except PlatuiError:
            return ""
