"""The handoff: the triage board as Markdown; text from the platform is written as code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from platui.analysis.triage.causes import suspect_incident
from platui.core.markdown import code, plain
from platui.core.text import clean, shorten
from platui.models.values.triage_board import Board, BoardState, CauseGroup
from platui.present.chrome import LIVE_FOR
from platui.present.counts import counted, some_of
from platui.present.times import in_zone, zone_name
from platui.present.triage.handoff_lines import MOST, NAMED, HandoffText
from platui.present.triage.labels import reds, split_quiet
from platui.present.triage.reasons import cause, group_first_failed_commit
from platui.present.triage.summary import gaps, missing_projects, summary_pieces

if TYPE_CHECKING:
    from platui.models.values.stored_triage import StoredTriage

_LINE: Final = 500  # Characters of an error
_FEW: Final = 5  # Projects of a cause named in the overview
_IN_FULL: Final = 10  # Incidents with all details by default; chats and tickets limit the length
_LISTED: Final = 5  # Incidents of a cause listed in the short form
_OTHERS: Final = 10  # Late, running and recovered rows in the short form


def handoff(board: Board, memory: StoredTriage, text: HandoffText) -> str:
    return "".join(f"{line}\n" for line in _Writer(board, memory, text).lines())


def handoff_name(text: HandoffText) -> str:
    at = in_zone(text.now, utc=text.utc)
    profile = "".join(one if one.isascii() and one.isalnum() else "-" for one in text.profile)
    return f"handoff-{profile[:40].strip('-') or 'platform'}-{at:%Y-%m-%d-%H%M}.md"


class _Writer:
    def __init__(self, board: Board, memory: StoredTriage, text: HandoffText) -> None:
        self._board = board
        self._memory = memory
        self._text = text
        broken = sum(item.incident is not None for item in board.items)
        self._is_short = broken > _IN_FULL and not text.full

    def lines(self) -> Iterator[str]:
        text = self._text
        at, zone = in_zone(text.now, utc=text.utc), zone_name(text.now, utc=text.utc)
        profile = plain(clean(text.profile))
        yield f"# Handoff: {profile}, {at:%Y-%m-%d %H:%M} {plain(zone)}".rstrip()
        yield ""
        pieces = summary_pieces(self._board.counts, missing=missing_projects(self._board))
        sums = " · ".join(words for words, _ in pieces)
        watched = counted(self._board.watched, "project")
        yield f"{sums[:1].upper()}{sums[1:]}; {watched} watched."
        if hidden := text.hidden:
            yield from ("", f"Default branches only: {hidden} on other branches left out.")
        yield from self._missing()
        loud, quiet = split_quiet(self._board, text.now)
        if self._is_short:
            yield from self._listed("Broken", loud, 1)
            yield from self._listed("Quiet", quiet, 1 + len(loud))
        else:
            yield from self._overview([*loud, *quiet])
            yield from self._causes("Broken", loud, 1)
            yield from self._causes("Acknowledged or snoozed", quiet, 1 + len(loud))
        for title, standing in (
            ("Late", BoardState.LATE),
            ("Running", BoardState.RUNNING),
            ("Recovered today", BoardState.RECOVERED),
        ):
            items = [item for item in self._board.items if item.state is standing]
            if items:
                some = items[:_OTHERS] if self._is_short else items
                yield from ("", f"## {title}", "")
                yield from (text.other(item, self._memory) for item in some)
                if len(items) > len(some):
                    yield f"- and {len(items) - len(some)} more"
        if self._is_short:
            yield from ("", "`platui triage --markdown --all` lists all details.")

    def _missing(self) -> Iterator[str]:
        board, notes = self._board, list[str]()
        if (since_when := self._text.offline_since) is not None:
            notes.append(f"No response from the platform since {self._text.clock(since_when)}.")
        elif board.error is not None:
            notes.append(plain(clean(board.error.sentence)))
        if not board.is_live and (board.is_listed or len(board.live) < board.known):
            oldest = f"; the oldest is from {self._text.clock(board.fetched_at)}"
            notes.append(f"Some data is cached{oldest * (board.fetched_at is not None)}.")
        elif board.fetched_at is not None and self._text.now - board.fetched_at > LIVE_FOR:
            notes.append(f"The oldest data is from {self._text.clock(board.fetched_at)}.")
        if not board.is_listed:
            notes.append("Not loaded yet: the projects of the watched groups.")
        missing = board.watched - board.known - len(board.inaccessible)
        if missing > 0:
            notes.append(f"Not loaded yet: {counted(missing, 'project')}.")
        notes += gaps(board, lambda one: code(self._text.path(one)), NAMED)
        if board.problem:
            notes.append(plain(clean(board.problem)))
        if notes:
            yield from ("", "**Missing data**", "", *(f"- {one}" for one in notes))

    def _listed(self, title: str, groups: Sequence[CauseGroup], number: int) -> Iterator[str]:
        if not groups:
            return
        yield from ("", f"## {title}", "")
        for at, group in enumerate(groups, number):
            lead = group.first
            is_lone = len(group.items) == 1
            facts = self._text.short_facts(lead, lone=True) if is_lone else ()
            yield f"{at}. {', '.join(filter(None, (*self._summary_parts(group), *facts)))}"
            if is_lone:
                continue
            if blamed := self._blamed(group):
                yield f"   - {blamed}"
            # Those with an owner or a note next: a number stands for the last ones.
            items = sorted(
                group.items,
                key=lambda item: (item is not lead, not (item.mark.owner or item.mark.note)),
            )
            for item in items[:_LISTED]:
                yield f"   - {self._text.lane(item)}: {', '.join(self._text.short_facts(item))}"
            if rest := items[_LISTED:]:
                paths = dict.fromkeys(self._text.path(item.lane.project) for item in rest)
                named = ", ".join(map(code, list(paths)[:NAMED])) + " …" * (len(paths) > NAMED)
                yield f"   - and {len(rest)} more: {named}"

    def _blamed(self, group: CauseGroup) -> str:
        if len(group.items) == 1:
            return ""
        first = suspect_incident(group)
        if first is None or first.incident is None:
            return group_first_failed_commit(group, self._text.names)
        path = self._text.path(first.lane.project)
        return f"{self._text.first_commit(first.incident)} in {code(path)}"

    def _overview(self, groups: Sequence[CauseGroup]) -> Iterator[str]:
        if not groups:
            return
        yield from ("", "## Causes", "")
        for number, group in enumerate(groups, 1):
            yield f"{number}. {', '.join(filter(None, self._summary_parts(group)))}"

    def _summary_parts(self, group: CauseGroup) -> Iterator[str]:
        first, items = group.first, group.items
        shared = group.signature.shared if len(items) > 1 and group.signature is not None else ""
        text = code(shorten(shared or cause(first), MOST)) or "cause unknown"
        projects = list(dict.fromkeys(item.lane.project for item in items))
        named = some_of([code(self._text.path(one)) for one in projects], _FEW)
        if len(items) > 1:
            count = f" ({len(items)} incidents)" * (len(items) > len(projects))
            yield f"{text} in {counted(len(projects), 'project')}{count}: {named}"
        else:
            yield f"{text}: {self._text.lane(first)}"
        yield reds(group) * (len(items) > 1)
        if first.incident is not None:
            yield self._text.since(first.incident)
        owners = dict.fromkeys(item.mark.owner for item in items)
        # That of some incidents only is told with them.
        yield f"owner {' and '.join(map(code, owners))}" * all(owners)
        until = [i.mark.snoozed_until for i in items if i.mark.is_snoozed(self._text.now)]
        later = " or later" * (len(set(until)) > 1)
        ends = f" until {self._text.clock(min(filter(None, until), default=None))}{later}"
        for known, words, after in (
            (sum(item.is_acknowledged for item in items), "acknowledged", ""),
            (len(until), "snoozed", ends),
        ):
            some = f" {known} of {len(items)}" * (known < len(items))
            yield f"{words}{some}{after}" * bool(known)

    def _causes(self, title: str, groups: Sequence[CauseGroup], number: int) -> Iterator[str]:
        if not groups:
            return
        yield from ("", f"## {title}")
        for at, group in enumerate(groups, number):
            error = cause(group.items[0])
            yield from ("", f"### {at}. {self._title(group)}", "")
            yield from (code(shorten(error, _LINE)) or "Cause unknown.", "")
            if blamed := self._blamed(group):
                yield from (f"{blamed[:1].upper()}{blamed[1:]}.", "")
            for item in group.items:
                if item.incident is None:
                    continue
                facts = self._text.facts_of(item, item.incident)
                if len(group.items) == 1:
                    yield from (f"- {fact}" for fact in facts)
                    continue
                yield f"- {self._text.lane(item)}: {next(facts)}"
                if (own := cause(item)) != error:
                    yield f"  - Error: {code(shorten(own, _LINE))}"
                yield from (f"  - {fact}" for fact in facts)

    def _title(self, group: CauseGroup) -> str:
        if len(group.items) == 1:
            return self._text.lane(group.items[0])
        shared = group.signature.shared if group.signature is not None else ""
        count = counted(group.projects, "project")
        path = code(self._text.path(group.items[0].lane.project))
        where = f"in {count}" if group.projects > 1 else f"{len(group.items)} times in {path}"
        return f"Same cause {where}: {code(shorten(shared, 120))}".removesuffix(": ")
