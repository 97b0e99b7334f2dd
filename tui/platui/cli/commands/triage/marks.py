"""Marks of incidents: acknowledgement, snooze, note and owner."""

from __future__ import annotations

import re
from datetime import datetime, time, timedelta
from typing import TYPE_CHECKING, Final

from platui.analysis.triage.causes import key_of
from platui.cli.commands.triage.lookup import find_cause, find_incident, find_incidents
from platui.cli.output.progress import print_notice
from platui.core.errors import CommandError, ConfigError
from platui.core.named_tuple import NamedTuple
from platui.core.text import shorten
from platui.models.values.stored_triage import MAX_NOTE_LENGTH, MAX_OWNER_LENGTH
from platui.present.counts import counted
from platui.present.times import at_wall_time, dated, in_zone

if TYPE_CHECKING:
    from platui.models.values.stored_triage import IncidentKey
    from platui.service import PlatformService


_LENGTH: Final = re.compile(r"(?:(\d{1,3})d)?(?:(\d{1,3})h)?(?:(\d{1,4})m(?:in)?)?", re.ASCII)
_CLOCK: Final = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)", re.ASCII)
_TOMORROW: Final = "tomorrow"
_MORNING: Final = "08:00"
LONGEST: Final = timedelta(days=90)


class MarkTarget(NamedTuple):
    word: str
    is_cause: bool = False
    is_every: bool = False  # Whether the word may match several incidents


def print_saved(service: PlatformService, message: str) -> None:
    """Print what was changed. Raises CommandError: it could not be saved."""
    if problem := service.triage_state.problem:
        raise CommandError(problem)
    print_notice(message)


async def acknowledge(service: PlatformService, target: MarkTarget, *, undo: bool) -> None:
    await service.start()
    change = _cause_change if target.is_cause else _incident_change
    change = _change_of_all if target.is_every else change
    print_saved(service, await change(service, target.word, undo=undo))


async def _incident_change(service: PlatformService, word: str, *, undo: bool) -> str:
    book = service.triage_state
    item, key, name = await find_incident(service, word, ", or --all for all of them")
    if undo:
        # An incident may be acknowledged only through its cause.
        mark = book.memory.value.marks.get(key)
        if mark is None or mark.acked is None:
            raise CommandError(
                f"{name} is not acknowledged.",
                hint="To undo it for a cause: platui triage ack --cause CAUSE --undo",
            )
        await book.acknowledge({key: None})
        return f"{name} is no longer acknowledged."
    cause = "" if item.signature is None else item.signature.key
    await book.acknowledge({key: cause})
    until = "until it fails for another cause or succeeds" if cause else "whatever its cause"
    return f"{name} is acknowledged, {until}."


async def _change_of_all(service: PlatformService, word: str, *, undo: bool) -> str:
    book, found = service.triage_state, await find_incidents(service, word)
    if undo:
        marks = book.memory.value.marks
        found = [one for one in found if one[1] in marks and marks[one[1]].acked is not None]
    if not found:
        raise CommandError(f"No incident of {shorten(word, 80)} is acknowledged.")
    causes = {key: item.signature.key if item.signature else "" for item, key, _ in found}
    await book.acknowledge(dict.fromkeys(causes) if undo else causes)
    of = f"{counted(len(found), 'incident')} of {shorten(word, 80)}"
    are = "is" if len(found) == 1 else "are"
    if undo:
        return f"{of} {are} no longer acknowledged."
    return f"{of} {are} acknowledged, each until it fails for another cause or succeeds."


async def _cause_change(service: PlatformService, word: str, *, undo: bool) -> str:
    group = await find_cause(service, word)
    signature = group.signature
    key = None if undo else "" if signature is None else signature.key
    of = f" of “{shorten(signature.shared, 100)}”" if signature and signature.shared else ""
    keys = [
        item.incident.key
        for item in group.items
        if item.incident is not None and not (undo and item.mark.acked is None)
    ]
    if not keys:
        raise CommandError(f"Cause {shorten(word, 80)}{of} is not acknowledged.")
    await service.triage_state.acknowledge(dict.fromkeys(keys, key), () if undo else keys)
    count = counted(len(keys), "incident")
    if undo:
        return f"{count}{of} {'is' if len(keys) == 1 else 'are'} no longer acknowledged."
    until = "until they fail for another cause or succeed"
    return f"{count}{of} acknowledged {until}, with new incidents of the cause."


async def snooze(
    service: PlatformService, target: MarkTarget, length: str, until: str, *, utc: bool, undo: bool
) -> None:
    now = service.clock.now()
    at = None
    if not undo:
        at = now + length_of(length) if length else moment_of(until, now, utc=utc)
    keys, name = await _find(service, target)
    if at is None:
        marks = service.triage_state.memory.value.marks
        ends = {key: marks[key].snoozed_until for key in keys if key in marks}
        keys = [key for key, end in ends.items() if end is not None and now < end]
        if not keys:
            raise CommandError(f"{name} is not snoozed.")
    await service.triage_state.snooze(keys, at)
    state = "is no longer snoozed" if at is None else f"is snoozed until {dated(at, utc=utc)}"
    print_saved(service, f"{name} {state}.")


async def note(
    service: PlatformService, target: MarkTarget, text: str | None, owner: str | None
) -> None:
    """Set note and owner; None leaves one unchanged, an empty text removes it."""
    _check_length("A note", text, MAX_NOTE_LENGTH)
    _check_length("The name of an owner", owner, MAX_OWNER_LENGTH)
    keys, name = await _find(service, target)
    if text is not None:
        content = text.strip()
        await service.triage_state.note(keys, content)
        print_saved(service, f"The note of {name} was {'saved' if content else 'removed'}.")
    if owner is not None:
        owner = owner.strip()
        await service.triage_state.own(keys, owner)
        owner_text = f"is owned by {shorten(owner, 100)}" if owner else "no longer has an owner"
        print_saved(service, f"{name} {owner_text}.")


def _check_length(what: str, text: str | None, most: int) -> None:
    if text is not None and (length := len(text.strip())) > most:
        raise ConfigError(f"{what} has at most {most:,} characters, not {length:,}.")


async def _find(service: PlatformService, target: MarkTarget) -> tuple[list[IncidentKey], str]:
    """Return the incidents, and the subject of a message as clean text."""
    await service.start()
    if not target.is_cause:
        _, key, name = await find_incident(service, target.word)
        return [key], name
    group = await find_cause(service, target.word)
    keys = [item.incident.key for item in group.items if item.incident is not None]
    return keys, f"Cause {key_of(group)}, {counted(len(keys), 'incident')},"


def length_of(word: str) -> timedelta:
    """Parse a duration such as `30m`, `2h` or `1d12h`."""
    found = _LENGTH.fullmatch(word.strip().lower())
    parts = [int(part or 0) for part in found.groups()] if found is not None else [0]
    if not any(parts):
        raise ConfigError(f'Invalid duration "{shorten(word, 40)}".', hint="Use e.g. 30m, 2h, 1d.")
    days, hours, minutes = parts
    length = timedelta(days=days, hours=hours, minutes=minutes)
    if length > LONGEST:
        raise ConfigError(f"That is longer than {LONGEST.days} days.")
    return length


def moment_of(word: str, now: datetime, *, utc: bool) -> datetime:
    """Parse `08:00`, `tomorrow`, `tomorrow 06:30` or `2026-03-14 06:00`; returns the next one."""
    text = " ".join(word.strip().lower().split())
    here = in_zone(now, utc=utc)
    found = _parse_moment(text, here, utc=utc)
    if found is None:
        raise ConfigError(
            f'Invalid time "{shorten(word, 40)}".',
            hint="Use e.g. 08:00, tomorrow, 'tomorrow 06:30', '2026-03-14 06:00'.",
        )
    if found <= now:
        raise ConfigError(f"{shorten(word, 40)} is in the past.")
    if found - now > LONGEST:
        raise ConfigError(f"That is longer than {LONGEST.days} days.")
    return found


def _parse_moment(text: str, here: datetime, *, utc: bool) -> datetime | None:
    is_tomorrow = text.partition(" ")[0] == _TOMORROW
    rest = text.removeprefix(_TOMORROW).strip() if is_tomorrow else text
    clock = _CLOCK.fullmatch(rest or _MORNING if is_tomorrow else rest)
    if clock is not None:
        day = here.date() + timedelta(days=is_tomorrow)
        shown = datetime.combine(day, time(int(clock[1]), int(clock[2])))
        at = at_wall_time(shown, utc=utc)
        return at if at > here or is_tomorrow else at_wall_time(shown + timedelta(days=1), utc=utc)
    if is_tomorrow:
        return None
    try:
        at = datetime.fromisoformat(text.upper())
        return at if at.tzinfo is not None else at_wall_time(at, utc=utc)
    except (OverflowError, ValueError):
        return None
