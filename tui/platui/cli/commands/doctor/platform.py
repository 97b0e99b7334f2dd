"""Checks of the platform and of the connection to it."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Final

from platui.cli.commands.doctor.finding import failed, failure, init_command, skipped, works
from platui.cli.error_output import hint_of
from platui.cli.exit_codes import Exit
from platui.core.errors import OfflineError, OfflineReason, PlatuiError, UnauthorizedError
from platui.core.text import shorten
from platui.present import sign_in as words
from platui.present.counts import counted
from platui.present.times import span

if TYPE_CHECKING:
    from platui.cli.commands.doctor.finding import Finding
    from platui.config.profile import Profile
    from platui.models.values.connection import ConnectionCheck, PlatformFacts
    from platui.models.wire import Job

_SLOW: Final = 1500  # Milliseconds of a round trip that raise a warning
_MAX_SKEW: Final = 5.0  # Seconds between both clocks that raise a warning
_CERTIFICATE_DAYS: Final = 14  # Days before a certificate expires that raise a warning
_A_DAY: Final = 86_400.0
_USER_CHECKS: Final = ("scopes", "budget", "neighbours")
NETWORK_CHECKS: Final = ("tls", "clock", "user", *_USER_CHECKS)

_TLS_ERRORS: Final = frozenset({OfflineReason.TLS, OfflineReason.NOT_TLS})

_OPTIONAL_OFF: Final = 'optional endpoints are disabled: neighbours = "off"'

# The effect of each missing optional endpoint
_MISSING_FEATURES: Final[Mapping[str, str]] = {
    "user": "your own items are not marked",
    "token": "expiry is unknown",
    "version": "",
    "project": "default branches are unknown",
    "schedules": "only those created by platui are listed",
    "branches": "no suggestions of refs",
    "tags": "no suggestions of tags",
    "tree": "no suggestions of files",
    "bridges": "no child pipelines",
    "variables": "reruns have no variables",
}


def check_proxy(proxy: str, profile: Profile) -> Finding:
    if not proxy:
        return works("proxy", "none", proxy=None)
    return works("proxy", f"{proxy}, from the environment; exceptions in no_proxy", proxy=proxy,
                 url=profile.url)  # fmt: skip


def check_connection(
    reached: ConnectionCheck, profile: Profile, now: datetime, platform_url: str = ""
) -> Iterator[Finding]:
    """Check the connection; `platform_url` is a platform found elsewhere on the host, or ""."""
    first, median = reached.milliseconds[0], round(statistics.median(reached.milliseconds))
    text = f"{profile.url} responds in {median} ms; first request with connect {first} ms"
    facts = {"median_ms": median, "round_trips_ms": list(reached.milliseconds)}
    if reached.wrong is not None:
        use = f"set it as url in the profile {profile.name}"
        use = "use this URL" if profile.ephemeral else use
        remedy = f"The platform is at {platform_url}: {use}." if platform_url else ""
        yield failure("platform", reached.wrong, remedy, **facts)
    else:
        slow = "The connection is slow: platui shows cached data meanwhile."
        yield works("platform", text, slow if median > _SLOW else "", **facts)
    yield _tls(reached, profile, now)
    yield _clock(reached)
    if reached.wrong is not None:
        yield from skip("no platform at this URL", "user", *_USER_CHECKS)


def access_denied(error: PlatuiError, profile: Profile) -> Iterator[Finding]:
    remedy = hint_of(error) or "Retry in a minute."
    if isinstance(error, UnauthorizedError) and error.hint == error.default_hint:
        remedy = f"Replace it with: {init_command(profile)}; or change PLATUI_TOKEN or the "
        remedy += "output of token_command."
    yield failure("user", error, remedy)
    yield from skip("needs a valid token", *_USER_CHECKS)


def connection_failed(error: PlatuiError, profile: Profile) -> Iterator[Finding]:
    remedy = words.remedy(error)
    if isinstance(error, OfflineError) and error.reason in _TLS_ERRORS:
        yield failed("tls", error.sentence, remedy, Exit.TRY_AGAIN, reason=str(error.reason))
    else:
        reason = str(error.reason) if isinstance(error, OfflineError) else None
        remedy = remedy or f"Check the URL {profile.url} and your network or VPN."
        yield failure("platform", error, remedy, reason=reason)
    for name in NETWORK_CHECKS:
        if name != "tls" or not isinstance(error, OfflineError):
            yield skipped(name, "the platform cannot be reached")


def check_access(found: PlatformFacts, profile: Profile, now: datetime) -> Iterator[Finding]:
    if found.job is not None:
        yield from _job_token(found.job)
        return
    me = words.who(found.info)
    version = f", release {found.info.version}" if found.info.version else ""
    yield works("user", f"{me or 'The token is accepted; its user is unknown'}{version}",
                username=found.info.username or None, name=found.info.name or None,
                version=found.info.version or None)  # fmt: skip
    yield from _token(found, profile, now)
    budget = found.budget
    by = "counted by the platform" if budget.from_server else "counted locally"
    others = (
        f"; {counted(found.others, 'request')} by other local processes" if found.others else ""
    )
    text = f"{budget.used} of {budget.limit:,} requests used this minute ({by}), "
    text += f"{found.requests} by this check{others}"
    spent = {
        "used": budget.used, "limit": budget.limit, "from_server": budget.from_server,
        "others_here": found.others, "by_doctor": found.requests,
    }  # fmt: skip
    scarce = "Other tools with tokens of this user share this quota."
    yield works("budget", text, scarce if budget.used > budget.limit * 0.9 else "", **spent)
    yield (
        skipped("neighbours", _OPTIONAL_OFF) if profile.neighbours == "off" else _neighbours(found)
    )


def _job_token(job: Job) -> Iterator[Finding]:
    text = f"token of the running job #{job.id}{f' {job.name}' * bool(job.name)}: "
    yield works("user", shorten(f"{text}reads this job and triggers pipelines", 200), username=None,
                name=None, version=None, job=job.id)  # fmt: skip
    yield from skip("not available with a job token", *_USER_CHECKS)


def skip(why: str, *names: str) -> Iterator[Finding]:
    return (skipped(name, why) for name in names)


def _tls(reached: ConnectionCheck, profile: Profile, now: datetime) -> Finding:
    if not reached.is_encrypted:
        if profile.insecure:
            remedy = "Use https, and remove `insecure` from the profile."
            text = "Plain http: the token is sent unencrypted."
            return works("tls", text, remedy, verified=False)
        return works("tls", "plain http, local connection", verified=None)
    bundle = f" and {profile.ca_bundle}" if profile.ca_bundle is not None else ""
    issuer = f", signed by {reached.issuer}" if reached.issuer else ""
    text = f"verified with the system certificates{bundle}{issuer}"
    facts = {
        "verified": True, "issuer": reached.issuer or None, "host": reached.host or None,
        "ca_bundle": None if profile.ca_bundle is None else str(profile.ca_bundle),
        "ends_at": None if reached.ends_at is None else reached.ends_at.isoformat(),
    }  # fmt: skip
    if reached.ends_at is None:
        return works("tls", text, **facts)
    left = (reached.ends_at - now).total_seconds() / _A_DAY
    text = f"{text}; valid for {counted(int(left), 'day')}"
    ending = "Ask the administrators of the platform to renew the certificate."
    return works("tls", text, ending if left < _CERTIFICATE_DAYS else "", **facts)


def _clock(reached: ConnectionCheck) -> Finding:
    ahead = reached.ahead
    if ahead is None:
        return skipped("clock", "the platform does not send its time")
    text, remedy = "in sync with the platform", ""
    if abs(ahead) >= _MAX_SKEW:
        side = "behind" if ahead > 0 else "ahead of"
        text = f"This machine is {span(abs(ahead))} {side} the platform: shown ages are wrong."
        remedy = "Enable network time on this machine (timedatectl set-ntp true)."
    return works("clock", text, remedy, ahead_seconds=round(ahead, 1))


def _token(found: PlatformFacts, profile: Profile, now: datetime) -> Iterator[Finding]:
    facts = found.info.token
    if profile.neighbours == "off":
        yield skipped("scopes", _OPTIONAL_OFF)
        return
    if facts is None:
        yield works("scopes", "scopes and expiry of the token are unknown")
        return
    left, remedy = words.days_left(facts, now), ""
    text = ", ".join(
        filter(None, [words.describe_scopes(facts), words.describe_expiry(facts, now)])
    )
    given = {
        "token_name": facts.name or None,
        "scopes": list(facts.scopes),
        "expires_on": None if facts.expires_on is None else facts.expires_on.isoformat(),
        "days_left": left,
    }
    if left is not None and left <= words.SOON:
        page = words.token_page(profile.url, writes=facts.may_write is not False)
        remedy = f"Create a new token: {page}"
    elif facts.may_write is False and profile.writes == "confirm":
        text += ": writes are not allowed."
        remedy = 'Use a token with the scope api, or set writes = "off" in the profile.'
    yield works("scopes", text, remedy, **given)


def _neighbours(found: PlatformFacts) -> Finding:
    endpoints = dict(found.optional_endpoints)
    supported = sum(map(bool, endpoints.values()))
    text = f"{supported} of {len(endpoints)} optional endpoints are supported"
    effects = []
    for name, is_supported in endpoints.items():
        if is_supported is False:
            effect = _MISSING_FEATURES.get(name)
            effects.append(f"no {name} ({effect})" if effect else f"no {name}")
    return works("neighbours", ": ".join(filter(None, [text, ", ".join(effects)])),
                 neighbours=endpoints)  # fmt: skip
