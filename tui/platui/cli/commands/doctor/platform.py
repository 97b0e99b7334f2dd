"""Checks of the platform and of the connection to it."""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING, Final

from platui.cli.commands.doctor.finding import failed, failure, init_of, skipped, works
from platui.cli.exit_codes import Exit, hint_of
from platui.core.errors import OfflineError, OfflineReason, PlatuiError, UnauthorizedError
from platui.core.text import shorten
from platui.present import sign_in as words
from platui.present.counts import counted
from platui.present.times import span

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from platui.cli.commands.doctor.finding import Finding
    from platui.config.profile import Profile
    from platui.models.values.sign_in import ConnectionCheck, PlatformFacts
    from platui.models.wire import Job

SLOW: Final = 1500
"""Milliseconds of a round trip from which it is said."""
_SKEW: Final = 5.0
"""Seconds between two clocks that ages begin to be wrong by."""
_CERTIFICATE: Final = 14
"""Days before a certificate's end from which it is said."""
_A_DAY: Final = 86_400.0
_OF_USER: Final = ("scopes", "budget", "neighbours")
_NETWORK: Final = ("tls", "clock", "user", *_OF_USER)

_OF_TLS: Final = frozenset({OfflineReason.TLS, OfflineReason.NOT_TLS})

_NOT_ASKED: Final = 'nothing is asked that the specification lacks: neighbours = "off"'

_LOST: Final[Mapping[str, str]] = {
    "user": "what is yours is not told apart",
    "token": "its end is not told",
    "version": "",
    "project": "default branches are not known",
    "schedules": "only those that platui made are listed",
    "branches": "refs are typed",
    "tags": "tags are typed",
    "tree": "files are typed",
    "bridges": "child pipelines are not seen",
    "variables": "a run is repeated without its variables",
}
"""What goes without each of the operations that a platform need not have."""


def look_at_proxy(proxy: str, profile: Profile) -> Finding:
    if not proxy:
        return works("proxy", "none: straight to the platform", proxy=None)
    return works("proxy", f"{proxy}, as the environment says; no_proxy goes around it", proxy=proxy,
                 url=profile.url)  # fmt: skip


def look_at_way(
    reached: ConnectionCheck, profile: Profile, now: datetime, nearer: str = ""
) -> Iterator[Finding]:
    """`nearer` is the root at which a platform answers where the profile's address is none."""
    first, median = reached.milliseconds[0], round(statistics.median(reached.milliseconds))
    told = f"{profile.url} answers in {median} ms; the first time, with connecting, in {first} ms"
    facts = {"median_ms": median, "round_trips_ms": list(reached.milliseconds)}
    if reached.wrong is not None:
        yield failure("platform", reached.wrong, _right_address(profile, nearer), **facts)
    else:
        slow = "The line is slow: platui shows what is kept meanwhile."
        yield works("platform", told, slow if median > SLOW else "", **facts)
    yield _tls(reached, profile, now)
    yield _clock(reached)
    if reached.wrong is not None:
        for name in ("user", *_OF_USER):
            yield skipped(name, "no platform answers at this address")


def look_at_refusal(error: PlatuiError, profile: Profile) -> Iterator[Finding]:
    remedy = hint_of(error) or "Ask again in a minute."
    if isinstance(error, UnauthorizedError) and error.hint == error.default_hint:
        remedy = f"{init_of(profile)} asks for a new one and puts it in its place; or set "
        remedy += "PLATUI_TOKEN, or what token_command prints."
    yield failure("user", error, remedy)
    for name in _OF_USER:
        yield skipped(name, "it is told to a token that the platform accepts")


def look_at_outage(error: PlatuiError, profile: Profile) -> Iterator[Finding]:
    remedy = words.remedy(error)
    if isinstance(error, OfflineError) and error.reason in _OF_TLS:
        yield failed("tls", error.sentence, remedy, Exit.TRY_AGAIN, reason=str(error.reason))
    else:
        reason = str(error.reason) if isinstance(error, OfflineError) else None
        remedy = remedy or f"Is {profile.url} the right address, and the network (or VPN) there?"
        yield failure("platform", error, remedy, reason=reason)
    for name in _NETWORK:
        if name != "tls" or not isinstance(error, OfflineError):
            yield skipped(name, "the platform could not be asked")


def look_at_examined(found: PlatformFacts, profile: Profile, now: datetime) -> Iterator[Finding]:
    if found.job is not None:
        yield from _of_job(found.job)
        return
    said = found.said
    me = words.who(said)
    version = f", release {said.version}" if said.version else ""
    yield works("user", f"{me or 'The token is accepted; whose it is is not told'}{version}",
                username=said.username or None, name=said.name or None,
                version=said.version or None)  # fmt: skip
    yield from _token(found, profile, now)
    budget = found.budget
    by = "as the platform counts" if budget.from_server else "as counted here"
    others = f"; {counted(found.others, 'request')} of other processes here" if found.others else ""
    told = f"{budget.used} of {budget.limit:,} requests of this minute are spent, {by}, "
    told += f"{found.requests} of them by this{others}"
    spent = {
        "used": budget.used, "limit": budget.limit, "from_server": budget.from_server,
        "others_here": found.others, "by_doctor": found.requests,
    }  # fmt: skip
    scarce = "Other tools with this user's tokens spend it as well."
    yield works("budget", told, scarce if budget.used > budget.limit * 0.9 else "", **spent)
    yield skipped("neighbours", _NOT_ASKED) if profile.neighbours == "off" else _neighbours(found)


def _of_job(job: Job) -> Iterator[Finding]:
    """Say what a job's token opens; of the rest nothing is told to it, and nothing is amiss."""
    told = f"the job #{job.id}{f' {job.name}' * bool(job.name)} that runs now: its token opens it, "
    yield works("user", shorten(f"{told}and triggers pipelines", 200), username=None, name=None,
                version=None, job=job.id)  # fmt: skip
    for name in _OF_USER:
        yield skipped(name, "it is not told to a job's token")


def _right_address(profile: Profile, nearer: str) -> str:
    if nearer and profile.ephemeral:
        return f"The platform is at {nearer}: that is the address to give."
    if nearer:
        return f"The platform is at {nearer}: put that as url into the profile {profile.name}."
    return ""


def skip_network(why: str) -> Iterator[Finding]:
    for name in ("proxy", "platform", *_NETWORK, "admin"):
        yield skipped(name, why)


def _tls(reached: ConnectionCheck, profile: Profile, now: datetime) -> Finding:
    if not reached.is_encrypted:
        if profile.insecure:
            remedy = "Use https, and take `insecure` out of the profile."
            told = "Plain http: the token goes over the line in clear."
            return works("tls", told, remedy, verified=False)
        return works("tls", "plain http, on this machine only", verified=None)
    bundle = f" and {profile.ca_bundle}" if profile.ca_bundle is not None else ""
    issuer = f", signed by {reached.issuer}" if reached.issuer else ""
    told = f"verified by this machine's certificates{bundle}{issuer}"
    facts = {
        "verified": True, "issuer": reached.issuer or None, "host": reached.host or None,
        "ca_bundle": None if profile.ca_bundle is None else str(profile.ca_bundle),
        "ends_at": None if reached.ends_at is None else reached.ends_at.isoformat(),
    }  # fmt: skip
    if reached.ends_at is None:
        return works("tls", told, **facts)
    left = (reached.ends_at - now).total_seconds() / _A_DAY
    told = f"{told}; good for {counted(int(left), 'day')}"
    ending = "Tell whoever runs the platform: without a new one nobody gets in."
    return works("tls", told, ending if left < _CERTIFICATE else "", **facts)


def _clock(reached: ConnectionCheck) -> Finding:
    ahead = reached.ahead
    if ahead is None:
        return skipped("clock", "the platform does not tell its time")
    told, remedy = "as the platform's, to a second or two", ""
    if abs(ahead) >= _SKEW:
        side = "behind" if ahead > 0 else "ahead of"
        told = (
            f"This machine is {span(abs(ahead))} {side} the platform: ages are wrong by that much."
        )
        remedy = "Have this machine take its time from the network (timedatectl set-ntp true)."
    return works("clock", told, remedy, ahead_seconds=round(ahead, 1))


def _token(found: PlatformFacts, profile: Profile, now: datetime) -> Iterator[Finding]:
    facts = found.said.token
    if profile.neighbours == "off":
        yield skipped("scopes", _NOT_ASKED)
        return
    if facts is None:
        yield works("scopes", "the platform tells neither the token's scopes nor its end")
        return
    left, remedy = words.days_left(facts, now), ""
    told = ", ".join(
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
        remedy = f"Make a new one in time: {page}"
    elif facts.may_write is False and profile.writes == "confirm":
        told += ": writes will be refused."
        remedy = 'A token with the scope api writes; else writes = "off" in the profile.'
    yield works("scopes", told, remedy, **given)


def _neighbours(found: PlatformFacts) -> Finding:
    there = [name for name, is_there in found.neighbours.items() if is_there]
    absent = [name for name, is_there in found.neighbours.items() if is_there is False]
    facts = {"neighbours": dict(found.neighbours)}
    told = f"{len(there)} of {len(found.neighbours)} operations that a platform need not have"
    lost = [f"no {name}" + (f" ({_LOST[name]})" if _LOST.get(name) else "") for name in absent]
    return works("neighbours", ": ".join(filter(None, [told, ", ".join(lost)])), **facts)
