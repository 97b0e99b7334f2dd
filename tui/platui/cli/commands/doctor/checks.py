"""Run the checks of `platui doctor` in order."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import platui
from platui.api.address import admin_address
from platui.api.connect import Server, open_admin_api
from platui.cli.commands.doctor import machine, platform, terminal
from platui.cli.commands.doctor.bundle import write_bundle
from platui.cli.commands.doctor.finding import (
    SCHEMA,
    Finding,
    exit_code,
    failure,
    finding_lines,
    init_command,
    skipped,
    summary,
    works,
)
from platui.cli.exit_codes import Exit
from platui.cli.output.progress import ProgressLine, print_notice
from platui.cli.output.stdout import has_colours, line_width, print_line, print_object
from platui.config.credentials import Credentials, find_admin_key, resolve
from platui.config.environment import harden
from platui.config.profile_choice import environ_of_secrets
from platui.core.clock import SystemClock
from platui.core.errors import ConfigError, CredentialError, PlatuiError
from platui.core.origins import origin_of
from platui.core.paths import tilde_path
from platui.present.counts import human_bytes
from platui.service.access.admin_client import no_key, with_hint
from platui.service.platform_check import PlatformCheck
from platui.service.sign_in import SignIn

if TYPE_CHECKING:
    from platui.config.profile import Profile
    from platui.config.settings import Options, Settings
    from platui.models.values.connection import RequestRecord


def run_doctor(options: Options, *, offline: bool, archive: Path | None, as_json: bool) -> int:
    doctor = Doctor(options, is_offline=offline, as_json=as_json)
    with asyncio.Runner() as runner:
        runner.run(doctor.run())
    now, code = SystemClock().now(), exit_code(doctor.findings)
    checks = [
        {
            "name": one.name,
            "status": one.level.value,
            "what": one.what,
            "remedy": one.remedy or None,
            "facts": dict(one.facts),
        }
        for one in doctor.findings
    ]
    report = {
        "schema": SCHEMA,
        "at": now.isoformat(timespec="seconds"),
        "is_ok": code is Exit.DONE,
        "exit_code": code.value,
        "checks": checks,
    }
    if as_json:
        print_object(report)
    else:
        print_line(summary(doctor.findings))
    if archive is not None:
        size = write_bundle(archive, doctor, report, now)
        print_notice(
            f"Wrote {tilde_path(archive)} ({human_bytes(size)}). Review it before you send it."
        )
    return code


class Doctor:
    """Runs the checks one after the other; most run even after a failed one."""

    def __init__(self, options: Options, *, is_offline: bool, as_json: bool) -> None:
        self.options = options
        self.environ: Mapping[str, str] = harden()
        self.findings: list[Finding] = []
        self.settings: Settings | None = None
        self.profile: Profile | None = None
        self.credentials: Credentials | None = None
        self.requests: Sequence[RequestRecord] = ()
        self._is_offline = is_offline
        self._as_json = as_json
        self._clock = SystemClock()
        self._progress = ProgressLine()

    def _add(self, findings: Iterable[Finding]) -> None:
        encoding = (sys.stdout.encoding or "").lower() if sys.stdout is not None else ""
        is_set = self.options.ascii or (self.settings is not None and self.settings.ascii)
        ascii_only = is_set or not encoding.startswith("utf")
        width = line_width() or 0
        for one in findings:
            self._progress.clear()
            self.findings.append(one)
            if not self._as_json:
                coloured = has_colours("", self.environ)
                for line in finding_lines(one, width, ascii_only=ascii_only, coloured=coloured):
                    print_line(line)

    async def run(self) -> None:
        self.settings, found = machine.check_config(self.options, self.environ)
        self._add([machine.check_versions()])
        folder = Path(platui.__file__).parent
        self._add(machine.check_bytecode(tuple(sys.modules.values()), folder))
        self._add(found)
        if self.settings is not None:
            self.profile, one = machine.check_profile(self.settings, self.environ, self.options)
            self._add([one])
            self.environ = environ_of_secrets(self.settings, self.environ)
        self._add(machine.check_permissions(self.profile, self.options.config))
        if self.profile is not None:
            await self._check_token(self.profile)
        if self._is_offline or self.profile is None:
            why = "--offline" if self._is_offline else "no profile"
            self._add(platform.skip(why, "proxy", "platform", *platform.NETWORK_CHECKS, "admin"))
        else:
            await self._check_platform(self.profile, self.credentials)
        self._add(terminal.check_terminal(self.environ))
        self._add(terminal.check_escape_sequences(self.environ, self.settings))
        self._progress.show("measuring local data …")
        stores = await asyncio.to_thread(lambda: list(machine.check_stores(self.settings)))
        self._add(stores)
        self._progress.clear()

    async def _check_token(self, profile: Profile) -> None:
        self._progress.show("reading the token …")
        try:
            self.credentials = await asyncio.to_thread(resolve, profile, self.environ)
        except CredentialError as error:
            remedy = error.hint or f"Replace it with: {init_command(profile)}"
            self._add([failure("token", error, remedy)])
        else:
            self._add([machine.check_token(self.credentials, profile)])

    async def _check_platform(self, profile: Profile, credentials: Credentials | None) -> None:
        token = None if credentials is None else credentials.token
        from_job = credentials is not None and credentials.from_job
        self._progress.show(f"connecting to {profile.url} …")
        try:
            async with PlatformCheck.open(profile, token, self._clock, from_job=from_job) as check:
                self._add([platform.check_proxy(check.proxy, profile)])
                self.requests = check.asked
                await self._ask(check, profile)
        except PlatuiError as error:  # unusable certificates or proxy
            self._add(platform.connection_failed(error, profile))
        self._progress.show("requesting the administration API …")
        self._add(await self._check_admin_api(profile))

    async def _ask(self, check: PlatformCheck, profile: Profile) -> None:
        now = self._clock.now()
        try:
            reached = await check.reach()
        except PlatuiError as error:
            self._add(platform.connection_failed(error, profile))
            return
        nearer = await self._find_platform(profile) if reached.wrong is not None else ""
        self._add(platform.check_connection(reached, profile, now, nearer))
        if reached.wrong is not None:
            return
        self._progress.show("checking supported operations …")
        try:
            self._add(platform.check_access(await check.examine(), profile, now))
        except PlatuiError as error:
            self._add(platform.access_denied(error, profile))

    async def _find_platform(self, profile: Profile) -> str:
        sign_in = SignIn(self._clock, ca_bundle=profile.ca_bundle, insecure=profile.insecure)
        origin = origin_of(profile.url)
        if origin is None or origin.root == profile.url:
            return ""
        try:
            return await sign_in.root_of(origin.root)
        except PlatuiError:
            return ""

    async def _check_admin_api(self, profile: Profile) -> list[Finding]:
        # Read only the headers: the report may be hundreds of megabytes.
        if profile.admin_url_problem:
            return [failure("admin", ConfigError(profile.admin_url_problem))]
        if profile.admin_url is None:
            return [skipped("admin", "no admin_url in the profile: access reports are unavailable")]
        try:
            key, source = await asyncio.to_thread(find_admin_key, profile, self.environ)
            if key is None:
                raise no_key(source)
            address = admin_address(profile.admin_url, insecure=profile.insecure)
            server = Server(address.base, profile.insecure, profile.ca_bundle, profile.timeout)
            api = await open_admin_api(server, key, self._clock)
        except PlatuiError as error:
            return [failure("admin", error, admin_url=profile.admin_url)]
        try:
            async with api.report():
                pass
        except PlatuiError as error:
            return [failure("admin", with_hint(error), admin_url=profile.admin_url)]
        finally:
            await api.aclose()
        text = f"{profile.admin_url} accepts the key from {source}"
        return [works("admin", text, admin_url=profile.admin_url, source=source)]
