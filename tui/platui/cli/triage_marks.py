"""What is said of incidents from the command line: known, put off, whose, and a note."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    from platui.cli.triage_finding import Found
    from platui.config.settings import Options
    from platui.service import PlatformService


def acknowledge(platform: Platform, word: str, *, undo: bool) -> int:
    """Say that an incident is known, or that it is not any more; returns the exit code.

    Raises:
        PlatuiError: the word means none, or several.
    """
    book = platform.service.triage_book

    async def change(found: Found) -> str:
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
            return "is not acknowledged any more."
        key = "" if item.signature is None else item.signature.key
        await book.acknowledge({found.key: key})
        until = "until it fails for another cause or is green" if key else "whatever its cause is"
        return f"is acknowledged, {until}."

    return _change(platform, word, change)


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
    platform: Platform, word: str, options: Options, length: str, until: str, *, undo: bool
) -> int:
    """Put an incident off for a while; returns the exit code.

    Raises:
        ConfigError: that is no time.
        PlatuiError: the word means none, or several.
    """
    service = platform.service
    now = service.clock.now()
    at = None
    if not undo:
        at = now + length_of(length) if length else moment_of(until, now, utc=options.utc)

    async def change(found: Found) -> str:
        await service.triage_book.snooze([found.key], at)
        if at is None:
            return "is not put off any more."
        return f"is quiet until {dated(at, utc=options.utc)}."

    return _change(platform, word, change)


def note(platform: Platform, word: str, text: str) -> int:
    """Write a note on an incident, in the stead of the one of before; returns the exit code.

    Raises:
        PlatuiError: the word means none, or several.
    """
    said = text.strip()

    async def change(found: Found) -> str:
        await platform.service.triage_book.note([found.key], said)
        return "has a note now." if said else "has no note any more."

    return _change(platform, word, change)


def own(platform: Platform, word: str, owner: str) -> int:
    """Say who sees to an incident; returns the exit code.

    Raises:
        PlatuiError: the word means none, or several.
    """
    name = owner.strip()

    async def change(found: Found) -> str:
        await platform.service.triage_book.own([found.key], name)
        return f"is seen to by {shorten(name, 100)}." if name else "is nobody's any more."

    return _change(platform, word, change)


def _change(platform: Platform, word: str, change: Callable[[Found], Awaitable[str]]) -> int:
    service = platform.service

    async def find_and_change() -> str:
        await service.start()
        found = await find_incident(service, word)
        return f"{found.name} {await change(found)}"

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
