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
    exit_code,
    failure,
    finding_lines,
    skipped,
    summary,
    works,
)
from platui.cli.commands.doctor.machine import (
    check_config,
    check_permissions,
    check_profile,
    check_stores,
    check_token,
    check_versions,
)
from platui.cli.commands.doctor.platform import (
    access_denied,
    check_access,
    check_connection,
    check_proxy,
    connection_failed,
    skip_network,
)
from platui.cli.commands.doctor.terminal import check_escape_sequences, check_terminal
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
    environ = harden()
    output = _Output(options, environ, as_json=as_json)
    doctor = Doctor(options, environ, output, offline=offline)
    with asyncio.Runner() as runner:
        runner.run(doctor.run())
    code = output.end()
    if archive is not None:
        clock = SystemClock()
        found = report(output.findings, clock)
        size = write_bundle(archive, doctor, found, clock.now())
        print_notice(
            f"Wrote {tilde_path(archive)} ({human_bytes(size)}). Review it before you send it."
        )
    return code


class _Output:
    def __init__(self, options: Options, environ: Mapping[str, str], *, as_json: bool) -> None:
        self.findings: list[Finding] = []
        self._as_json = as_json
        self._progress = ProgressLine()
        encoding = (sys.stdout.encoding or "").lower() if sys.stdout is not None else ""
        self._ascii = options.ascii or not encoding.startswith("utf")
        self._coloured = has_colours("", environ)
        self._width = shutil.get_terminal_size().columns if is_terminal() else 0

    def add(self, findings: Iterable[Finding]) -> None:
        for one in findings:
            self._progress.clear()
            self.findings.append(one)
            if self._as_json:
                continue
            for line in finding_lines(
                one, self._width, ascii_only=self._ascii, coloured=self._coloured
            ):
                print_line(line)

    def show_progress(self, what: str) -> None:
        self._progress.show(what)

    def end(self) -> int:
        self._progress.clear()
        code = exit_code(self.findings)
        if self._as_json:
            print_object(report(self.findings, SystemClock()))
        else:
            print_line(summary(self.findings))
        return code


def report(findings: Iterable[Finding], clock: Clock) -> dict[str, Any]:
    found = list(findings)
    code = exit_code(found)
    return {
        "schema": SCHEMA,
        "at": clock.now().isoformat(timespec="seconds"),
        "is_ok": code is Exit.DONE,
        "exit_code": code.value,
        "checks": [one.as_object() for one in found],
    }


class Doctor:
    """Runs the checks one after the other; most run even after a failed one."""

    def __init__(
        self, options: Options, environ: Mapping[str, str], output: _Output, *, offline: bool
    ) -> None:
        self.options = options
        self.environ = environ
        self._output = output
        self._offline = offline
        self._clock = SystemClock()
        self.settings: Settings | None = None
        self.profile: Profile | None = None
        self.credentials: Credentials | None = None
        self.requests: Sequence[RequestRecord] = ()

    async def run(self) -> None:
        add = self._output.add
        add([check_versions()])
        self.settings, found = check_config(self.options, self.environ)
        add(found)
        if self.settings is not None:
            self.profile, one = check_profile(self.settings, self.environ, self.options)
            add([one])
        add(check_permissions(self.profile, self.options.config))
        credentials = self.credentials = await self._credentials()
        if self._offline or self.profile is None:
            add(skip_network("--offline" if self._offline else "no profile"))
        else:
            await self._check_platform(self.profile, credentials)
        add(check_terminal(self.environ))
        add(check_escape_sequences(self.environ, self.settings))
        self._output.show_progress("measuring local data …")
        add(await asyncio.to_thread(lambda: list(check_stores(self.settings))))

    async def _credentials(self) -> Credentials | None:
        profile = self.profile
        if profile is None:
            return None
        self._output.show_progress("reading the token …")
        try:
            found: Credentials | CredentialError
            found = await asyncio.to_thread(resolve, profile, self.environ)
        except CredentialError as error:
            found = error
        self._output.add(check_token(found, profile))
        return None if isinstance(found, CredentialError) else found

    async def _check_platform(self, profile: Profile, credentials: Credentials | None) -> None:
        add = self._output.add
        token = None if credentials is None else credentials.token
        from_job = credentials is not None and credentials.from_job
        self._output.show_progress(f"connecting to {profile.url} …")
        try:
            async with PlatformCheck.open(
                profile, token, self._clock, from_job=from_job
            ) as platform:
                add([check_proxy(platform.proxy, profile)])
                self.requests = platform.asked
                await self._ask(platform, profile)
        except PlatuiError as error:  # unusable certificates or proxy
            add(connection_failed(error, profile))
        self._output.show_progress("requesting the administration API …")
        add(await _check_admin_api(profile, self.environ, self._clock))

    async def _ask(self, platform: PlatformCheck, profile: Profile) -> None:
        add, now = self._output.add, self._clock.now()
        try:
            reached = await platform.reach()
        except PlatuiError as error:
            add(connection_failed(error, profile))
            return
        nearer = await self._find_platform(profile) if reached.wrong is not None else ""
        add(check_connection(reached, profile, now, nearer))
        if reached.wrong is not None:
            return
        self._output.show_progress("checking supported operations …")
        try:
            add(check_access(await platform.examine(), profile, now))
        except PlatuiError as error:
            add(access_denied(error, profile))

    async def _find_platform(self, profile: Profile) -> str:
        sign_in = SignIn(self._clock, ca_bundle=profile.ca_bundle, insecure=profile.insecure)
        origin = origin_of(profile.url)
        if origin is None or origin.root == profile.url:
            return ""
        try:
            return await sign_in.root_of(origin.root)
        except PlatuiError:
            return ""


async def _check_admin_api(
    profile: Profile, environ: Mapping[str, str], clock: Clock
) -> list[Finding]:
    # Read only the headers: the report may be hundreds of megabytes.
    if profile.admin_url is None:
        return [skipped("admin", "no admin_url in the profile: access reports are unavailable")]
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
    text = f"{profile.admin_url} accepts the key from {source}"
    return [works("admin", text, admin_url=profile.admin_url, source=source)]
