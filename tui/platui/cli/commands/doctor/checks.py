"""Run the checks of `platui doctor` in order."""

from __future__ import annotations

import asyncio
import shutil
import sys
from typing import TYPE_CHECKING, Any

from platui.api.address import admin_address
from platui.api.connect import Server, open_admin_api
from platui.cli.commands.doctor.bundle import write_bundle
from platui.cli.commands.doctor.finding import (
    SCHEMA,
    Finding,
    exit_of,
    failure,
    lines_of,
    skipped,
    summary,
    works,
)
from platui.cli.commands.doctor.machine import (
    look_at_config,
    look_at_permissions,
    look_at_profile,
    look_at_stores,
    look_at_token,
    look_at_versions,
)
from platui.cli.commands.doctor.platform import (
    look_at_examined,
    look_at_outage,
    look_at_proxy,
    look_at_refusal,
    look_at_way,
    skip_network,
)
from platui.cli.commands.doctor.terminal import look_at_sequences, look_at_terminal
from platui.cli.exit_codes import Exit
from platui.cli.output.progress import ProgressLine, print_notice
from platui.cli.output.stdout import has_colours, is_terminal, print_line, print_object
from platui.config.credentials import find_admin_key, resolve
from platui.config.environment import harden
from platui.core.clock import SystemClock
from platui.core.errors import CredentialError, PlatuiError
from platui.core.origins import origin_of
from platui.core.paths import tilde_path
from platui.present.counts import human_bytes
from platui.service.access.admin_client import no_key, with_hint
from platui.service.platform_check import PlatformCheck
from platui.service.sign_in import SignIn

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from platui.config.credentials import Credentials
    from platui.config.profile import Profile
    from platui.config.settings import Options, Settings
    from platui.core.clock import Clock
    from platui.models.values.connection import RequestRecord


def run_doctor(options: Options, *, offline: bool, archive: Path | None, as_json: bool) -> int:
    """Print every check; `archive` is where a bundle for a bug report is written."""
    environ = harden()
    teller = _Teller(options, environ, as_json=as_json)
    doctor = Doctor(options, environ, teller, offline=offline)
    with asyncio.Runner() as runner:
        runner.run(doctor.look())
    code = teller.end()
    if archive is not None:
        clock = SystemClock()
        found = report(teller.findings, clock)
        size = write_bundle(archive, doctor, found, clock.now())
        print_notice(
            f"{tilde_path(archive)} is written ({human_bytes(size)}). Review it before you send it."
        )
    return code


class _Teller:
    def __init__(self, options: Options, environ: Mapping[str, str], *, as_json: bool) -> None:
        self.findings: list[Finding] = []
        self._as_json = as_json
        self._progress = ProgressLine()
        encoding = (sys.stdout.encoding or "").lower() if sys.stdout is not None else ""
        self._ascii = options.ascii or not encoding.startswith("utf")
        self._coloured = has_colours("", environ)
        self._width = shutil.get_terminal_size().columns if is_terminal() else 0

    def tell(self, findings: Iterable[Finding]) -> None:
        for one in findings:
            self._progress.clear()
            self.findings.append(one)
            if self._as_json:
                continue
            for line in lines_of(one, self._width, ascii_only=self._ascii, coloured=self._coloured):
                print_line(line)

    def doing(self, what: str) -> None:
        self._progress.show(what)

    def end(self) -> int:
        self._progress.clear()
        code = exit_of(self.findings)
        if self._as_json:
            print_object(report(self.findings, SystemClock()))
        else:
            print_line(summary(self.findings))
        return code


def report(findings: Iterable[Finding], clock: Clock) -> dict[str, Any]:
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
        self.options = options
        self.environ = environ
        self._teller = teller
        self._offline = offline
        self._clock = SystemClock()
        self.settings: Settings | None = None
        self.profile: Profile | None = None
        self.credentials: Credentials | None = None
        self.asked: Sequence[RequestRecord] = ()

    async def look(self) -> None:
        tell = self._teller.tell
        tell([look_at_versions()])
        self.settings, found = look_at_config(self.options, self.environ)
        tell(found)
        if self.settings is not None:
            self.profile, one = look_at_profile(self.settings, self.environ, self.options)
            tell([one])
        tell(look_at_permissions(self.profile, self.options.config))
        credentials = self.credentials = await self._credentials()
        if self._offline or self.profile is None:
            tell(skip_network("--offline" if self._offline else "no profile says which"))
        else:
            await self._look_there(self.profile, credentials)
        tell(look_at_terminal(self.environ))
        tell(look_at_sequences(self.environ, self.settings))
        self._teller.doing("reading what is kept on disk …")
        tell(await asyncio.to_thread(lambda: list(look_at_stores(self.settings))))

    async def _credentials(self) -> Credentials | None:
        profile = self.profile
        if profile is None:
            return None
        self._teller.doing("looking for the token …")
        try:
            found: Credentials | CredentialError
            found = await asyncio.to_thread(resolve, profile, self.environ)
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
            async with PlatformCheck.open(
                profile, token, self._clock, from_job=from_job
            ) as platform:
                tell([look_at_proxy(platform.proxy, profile)])
                self.asked = platform.asked
                await self._ask(platform, profile)
        except PlatuiError as error:  # certificates or a proxy that cannot be used
            tell(look_at_outage(error, profile))
        self._teller.doing("asking the administration API …")
        tell(await _look_at_admin(profile, self.environ, self._clock))

    async def _ask(self, platform: PlatformCheck, profile: Profile) -> None:
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


async def _look_at_admin(
    profile: Profile, environ: Mapping[str, str], clock: Clock
) -> list[Finding]:
    """Read only the head of the report, which may be hundreds of megabytes."""
    if profile.admin_url is None:
        return [skipped("admin", "the profile names no admin_url: there are no access reports")]
    try:
        key, source = await asyncio.to_thread(find_admin_key, profile, environ)
        if key is None:
            raise no_key(source)
        address = admin_address(profile.admin_url, insecure=profile.insecure)
        server = Server(address.base, profile.insecure, profile.ca_bundle, profile.timeout)
        api = await open_admin_api(server, key, clock)
    except PlatuiError as error:
        return [failure("admin", error, admin_url=profile.admin_url)]
    try:
        async with api.report():
            pass
    except PlatuiError as error:
        return [failure("admin", with_hint(error), admin_url=profile.admin_url)]
    finally:
        await api.aclose()
    told = f"{profile.admin_url} gives the report to the key from {source}"
    return [works("admin", told, admin_url=profile.admin_url, source=source)]
