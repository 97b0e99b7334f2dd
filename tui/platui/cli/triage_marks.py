"""What is said of incidents from the command line: known, put off, whose, and a note."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from platui.analysis.triage.cause_keys import key_of
from platui.cli.patience import narrate
from platui.cli.triage_finding import find_cause, find_incident
from platui.cli.triage_times import length_of, moment_of
from platui.core.errors import CommandError
from platui.core.text import shorten
from platui.present.counts import counted
from platui.present.times import dated

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from platui.cli.connecting import Platform
    from platui.config.settings import Options
    from platui.models.values.triage_memory import IncidentKey
    from platui.service import PlatformService


class Named(NamedTuple):
    """What something is said of, as it was typed."""

    word: str
    is_cause: bool = False
    """Whether it is the key of a cause, with all of its incidents."""


class _Meant(NamedTuple):
    """The incidents that something is said of."""

    incidents: list[IncidentKey]
    name: str
    """What they are called, clean: the subject of a sentence."""


def acknowledge(platform: Platform, word: str, *, undo: bool) -> int:
    """Say that an incident is known, or that it is not any more; returns the exit code.

    Raises:
        PlatuiError: the word means none, or several.
    """
    service = platform.service
    book = service.triage_book

    async def find_and_change() -> str:
        await service.start()
        found = await find_incident(service, word)
        item = found.item
        if undo:
            # What joined a cause that is known is so by the mark of the cause.
            mark = book.memory.value.marks.get(found.key)
            if mark is None or mark.acked is None:
                raise CommandError(
                    f"{found.name} is not acknowledged.",
                    hint="A whole cause is so until: platui triage ack --cause CAUSE --undo",
                )
            await book.acknowledge({found.key: None})
            return f"{found.name} is not acknowledged any more."
        key = "" if item.signature is None else item.signature.key
        await book.acknowledge({found.key: key})
        until = "until it fails for another cause or is green" if key else "whatever its cause is"
        return f"{found.name} is acknowledged, {until}."

    narrate(platform.run(find_and_change()))
    return kept(service)


def acknowledge_cause(platform: Platform, word: str, *, undo: bool) -> int:
    """Say that a cause is known with all of its incidents, or not any more; returns the exit code.

    Raises:
        PlatuiError: the word means none.
    """
    service = platform.service

    async def find_and_change() -> str:
        await service.start()
        group = await find_cause(service, word)
        signature = group.signature
        key = None if undo else "" if signature is None else signature.key
        incidents = [(item, item.incident) for item in group.items if item.incident is not None]
        cause = signature.shared if signature else ""
        of = f" of “{shorten(cause, 100)}”" * bool(cause)
        if undo:
            incidents = [one for one in incidents if one[0].mark.acked is not None]
            if not incidents:
                raise CommandError(f"Cause {shorten(word, 80)}{of} is not acknowledged.")
        keys = [incident.key for _, incident in incidents]
        await service.triage_book.acknowledge(dict.fromkeys(keys, key), () if undo else keys)
        count = counted(len(keys), "incident")
        if undo:
            return f"{count}{of} {'is' if len(keys) == 1 else 'are'} not acknowledged any more."
        until = "until it fails for another cause or is green, and what joins the cause with them"
        return f"{count}{of} acknowledged, {until}."

    narrate(platform.run(find_and_change()))
    return kept(service)


def snooze(
    platform: Platform, named: Named, options: Options, length: str, until: str, *, undo: bool
) -> int:
    """Put what is named off for a while; returns the exit code.

    Raises:
        ConfigError: that is no time.
        PlatuiError: it means none, or several; or it is not put off that is to be so no more.
    """
    service = platform.service
    now = service.clock.now()
    at = None
    if not undo:
        at = now + length_of(length) if length else moment_of(until, now, utc=options.utc)

    async def change(meant: _Meant) -> str:
        keys = meant.incidents
        if at is None:
            marks = service.triage_book.memory.value.marks
            until = {key: marks[key].snoozed_until for key in keys if key in marks}
            keys = [key for key, end in until.items() if end is not None and now < end]
            if not keys:
                raise CommandError(f"{meant.name} is not put off.")
        await service.triage_book.snooze(keys, at)
        if at is None:
            return "is not put off any more."
        return f"is quiet until {dated(at, utc=options.utc)}."

    return _change(platform, named, change)


def note(platform: Platform, named: Named, text: str) -> int:
    """Write a note, in the stead of the one of before; returns the exit code.

    Raises:
        PlatuiError: what is named means none, or several.
    """
    said = text.strip()

    async def change(meant: _Meant) -> str:
        await platform.service.triage_book.note(meant.incidents, said)
        return "has a note now." if said else "has no note any more."

    return _change(platform, named, change)


def own(platform: Platform, named: Named, owner: str) -> int:
    """Say who sees to what is named; returns the exit code.

    Raises:
        PlatuiError: it means none, or several.
    """
    name = owner.strip()

    async def change(meant: _Meant) -> str:
        await platform.service.triage_book.own(meant.incidents, name)
        return f"is seen to by {shorten(name, 100)}." if name else "is nobody's any more."

    return _change(platform, named, change)


async def _find(service: PlatformService, named: Named) -> _Meant:
    if not named.is_cause:
        found = await find_incident(service, named.word)
        return _Meant([found.key], found.name)
    group = await find_cause(service, named.word)
    keys = [item.incident.key for item in group.items if item.incident is not None]
    return _Meant(keys, f"Cause {key_of(group)}, {counted(len(keys), 'incident')},")


def _change(platform: Platform, named: Named, change: Callable[[_Meant], Awaitable[str]]) -> int:
    service = platform.service

    async def find_and_change() -> str:
        await service.start()
        meant = await _find(service, named)
        return f"{meant.name} {await change(meant)}"

    narrate(platform.run(find_and_change()))
    return kept(service)


def kept(service: PlatformService) -> int:
    """Return the exit code of what was to be remembered.

    Raises:
        PlatuiError: it is not.
    """
    if service.triage_book.problem:
        raise CommandError(service.triage_book.problem)
    return 0
