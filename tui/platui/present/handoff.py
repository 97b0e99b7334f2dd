"""What is red, as Markdown for whoever goes on: since when, why, whose, and where to look.

Texts of the platform stand in it as code, so that none of them is markup or calls anybody;
addresses are links where they are of the web.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from platui.analysis.triage.blaming import began_with
from platui.analysis.triage.board import is_quiet
from platui.core.markdown import code, link, plain
from platui.core.text import clean, shorten
from platui.models.values.triage_items import Mark, Standing
from platui.models.values.triage_lateness import LateKind
from platui.present.counts import counted
from platui.present.times import in_zone, span_of_hours, zone_name
from platui.present.triage_cause_words import SAME_COMMIT, cause, group_blame
from platui.present.triage_late_words import late_short, late_words
from platui.present.triage_names import incident_name
from platui.present.triage_summary import summary_pieces
from platui.present.triage_words import (
    group_reds,
    is_acknowledged,
    last_green,
    reds,
    ref_of,
    running_words,
    short_sha,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from platui.models.values.triage import Incident, Ran, Recovery
    from platui.models.values.triage_board import Board
    from platui.models.values.triage_causes import FailedStep
    from platui.models.values.triage_items import BoardItem, CauseGroup
    from platui.models.values.triage_memory import IncidentKey, TriageMemory
    from platui.present.triage_names import Names

_LINE: Final = 500
"""Characters of an error that are told."""
_SUM: Final = 160
"""Characters of an error that stand above all details."""
_FEW: Final = 5
"""Projects of a cause that are named above all details."""
_NAMED: Final = 20
"""Projects that are named where many are refused."""
_IN_FULL: Final = 10
"""Incidents of which all is told without being asked for; a chat or a ticket takes no more."""
_LISTED: Final = 5
"""Incidents of one cause that have a line of their own where there are more in all."""
_OTHERS: Final = 10
"""Rows of what is late, runs or has recovered then."""
_NO_MARK: Final = Mark()


@dataclass(frozen=True, slots=True)
class HandoffFacts:
    """What a hand-off says beside the board."""

    profile: str
    url: str
    """The platform's address: what leads elsewhere is no link."""
    names: Names
    now: datetime
    utc: bool
    """Whether times are told in UTC."""
    offline_since: datetime | None = None
    """Since when the platform does not answer; None while it does."""
    full: bool = False
    """Whether all is told of each incident, however many there are."""


def handoff(board: Board, memory: TriageMemory, facts: HandoffFacts) -> str:
    """Return the hand-off of a board, its last line ended.

    Args:
        board: as it is known.
        memory: what was said of incidents, those that are over as well.
        facts: whose it is, and of when.
    """
    return "".join(f"{line}\n" for line in _Writer(board, memory, facts).lines())


def handoff_name(facts: HandoffFacts) -> str:
    """Return a name for the file: profile and time; letters, digits and dashes."""
    at = in_zone(facts.now, utc=facts.utc)
    profile = "".join(one if one.isascii() and one.isalnum() else "-" for one in facts.profile)
    return f"handoff-{profile[:40].strip('-') or 'platform'}-{at:%Y-%m-%d-%H%M}.md"


class _Writer:
    """Writes one hand-off."""

    def __init__(self, board: Board, memory: TriageMemory, facts: HandoffFacts) -> None:
        self._board = board
        self._memory = memory
        self._facts = facts
        self._now = facts.now
        self._utc = facts.utc
        broken = sum(item.incident is not None for item in board.items)
        self._is_short = broken > _IN_FULL and not facts.full

    def lines(self) -> Iterator[str]:
        """Yield the lines."""
        at = in_zone(self._now, utc=self._utc)
        zone = zone_name(self._now, utc=self._utc)
        profile = plain(clean(self._facts.profile))
        yield f"# Hand-off: {profile}, {at:%Y-%m-%d %H:%M} {plain(zone)}".rstrip()
        yield ""
        sums = " · ".join(words for words, _ in summary_pieces(self._board.counts))
        watched = counted(self._board.watched, "project")
        yield f"{sums[:1].upper()}{sums[1:]}; {watched} watched."
        yield from self._not_known()
        loud, quiet = self._broken()
        if self._is_short:
            yield from self._listed("Broken", loud, 1)
            yield from self._listed("Quiet", quiet, 1 + len(loud))
        else:
            yield from self._overview([*loud, *quiet])
            yield from self._causes("Broken", loud, 1)
            yield from self._causes("Acknowledged or snoozed", quiet, 1 + len(loud))
        for title, standing in (
            ("Late", Standing.LATE),
            ("Running", Standing.RUNNING),
            ("Recovered today", Standing.RECOVERED),
        ):
            items = [item for item in self._board.items if item.standing is standing]
            if items:
                some = items[:_OTHERS] if self._is_short else items
                yield from ("", f"## {title}", "")
                yield from map(self._other, some)
                if len(items) > len(some):
                    yield f"- and {len(items) - len(some)} more"
        if self._is_short:
            yield from ("", "`platui triage --markdown --all` tells all of each incident.")

    def _not_known(self) -> Iterator[str]:
        """Yield what is to be known of the board itself: what it lacks, and how old it is."""
        board, said = self._board, list[str]()
        if (since_when := self._facts.offline_since) is not None:
            said.append(f"The platform has not answered since {self._clock(since_when)}.")
        elif board.error is not None:
            said.append(plain(clean(board.error.sentence)))
        if not board.is_live:
            oldest = f": what is oldest is of {self._clock(board.fetched_at)}"
            said.append(f"Not all of it was told now{oldest * (board.fetched_at is not None)}.")
        missing = board.watched - board.known - len(board.refused)
        if missing > 0:
            said.append(f"Of {counted(missing, 'project')} nothing is known yet.")
        if board.refused:
            names = [code(self._path(one)) for one in board.refused[:_NAMED]]
            more = len(board.refused) - len(names)
            rest = f" and {more} more" if more else ""
            said.append(f"Not shown to this token, or gone: {', '.join(names)}{rest}.")
        if board.awaited:
            said.append(f"Of {counted(board.awaited, 'incident')} the cause was not read yet.")
        if board.problem:
            said.append(plain(clean(board.problem)))
        if said:
            yield from ("", "**Not known**", "", *(f"- {one}" for one in said))

    def _broken(self) -> tuple[list[CauseGroup], list[CauseGroup]]:
        """Return what is broken by its cause, and apart what is acknowledged or snoozed."""
        loud: list[CauseGroup] = []
        quiet: list[CauseGroup] = []
        for group in self._board.groups:
            parts: tuple[list[BoardItem], list[BoardItem]] = ([], [])
            for item in group.items:
                parts[is_quiet(item.mark, item.signature, self._now)].append(item)
            for found, items in zip((loud, quiet), parts, strict=True):
                if items:
                    found.append(group._replace(items=tuple(items)))
        return loud, quiet

    def _listed(self, title: str, groups: Sequence[CauseGroup], number: int) -> Iterator[str]:
        """Yield each cause once, and below it a line for each of its first incidents."""
        if not groups:
            return
        yield from ("", f"## {title}", "")
        for at, group in enumerate(groups, number):
            lead = group.first
            sums = [*self._in_sum(group)]
            if len(group.items) == 1:
                yield f"{at}. {', '.join(filter(None, (*sums, *self._in_short(lead, lone=True))))}"
                continue
            yield f"{at}. {', '.join(filter(None, sums))}"
            if blamed := self._blamed(group):
                yield f"   - {blamed}"
            items = sorted(group.items, key=lambda item: item is not lead)
            for item in items[:_LISTED]:
                yield f"   - {self._lane(item)}: {', '.join(self._in_short(item))}"
            if rest := items[_LISTED:]:
                paths = dict.fromkeys(self._path(item.lane.project) for item in rest)
                named = ", ".join(map(code, list(paths)[:_NAMED])) + " …" * (len(paths) > _NAMED)
                yield f"   - and {len(rest)} more: {named}"

    def _in_short(self, item: BoardItem, *, lone: bool = False) -> Iterator[str]:
        """Yield what a line says of one incident.

        Args:
            item: the incident.
            lone: whether the cause is said on this line, and with it since when and whose it is.
        """
        incident, mark = item.incident, item.mark
        if incident is None:
            return
        yield reds(incident.streak, more=incident.is_at_least)
        if not lone:
            yield self._since(incident)
            if mark.owner:
                yield f"owner {plain(clean(mark.owner))}"
        elif incident.commits is not None:
            yield self._first_commit(incident)
        step = item.point.step if item.point is not None else None
        if step is not None:
            yield self._link(f"job {step.id}", step.web_url)
        else:
            yield self._ran(f"#{incident.newest_red.id}", incident.newest_red)
        if mark.note:
            yield f"note: {plain(shorten(mark.note, _SUM))}"

    def _blamed(self, group: CauseGroup) -> str:
        """Return with which commit a cause came; empty where nobody knows."""
        if len(group.items) == 1:
            return ""
        first = began_with(group)
        if first is None or first.incident is None:
            return group_blame(group, self._facts.names)
        return f"{self._first_commit(first.incident)} in {code(self._path(first.lane.project))}"

    def _first_commit(self, incident: Incident) -> str:
        """Return with which commit an incident began, or that the same one was green."""
        sha = code(short_sha(incident.first_red.sha))
        if incident.commits is not None and incident.commits.is_empty:
            return f"{SAME_COMMIT}: {sha}"
        words = [sha]
        if incident.commit is not None:
            words.append(code(shorten(incident.commit.title, 120)))
            author = code(shorten(incident.commit.author, 60))
            words.append(f"by {author}" if author else "")
        return f"first red commit: {' '.join(filter(None, words))}"

    def _overview(self, groups: Sequence[CauseGroup]) -> Iterator[str]:
        """Yield a line for each cause, by the number that it has among the details."""
        if not groups:
            return
        yield from ("", "## Causes", "")
        for number, group in enumerate(groups, 1):
            yield f"{number}. {', '.join(filter(None, self._in_sum(group)))}"

    def _in_sum(self, group: CauseGroup) -> Iterator[str]:
        """Yield what a cause is: its line, where it is, since when, whose, and whether known."""
        first, items = group.first, group.items
        shared = group.signature.shared if len(items) > 1 and group.signature is not None else ""
        said = code(shorten(shared or cause(first), _SUM)) or "its cause is not known"
        projects = list(dict.fromkeys(item.lane.project for item in items))
        named = ", ".join(code(self._path(one)) for one in projects[:_FEW])
        more = f" and {len(projects) - _FEW} more" if len(projects) > _FEW else ""
        if len(items) > 1:
            count = f" ({len(items)} incidents)" * (len(items) > len(projects))
            yield f"{said} in {counted(len(projects), 'project')}{count}: {named}{more}"
        else:
            yield f"{said}: {self._lane(first)}"
        yield group_reds(group) * (len(items) > 1)
        if first.incident is not None:
            yield self._since(first.incident)
        owners = dict.fromkeys(item.mark.owner for item in items if item.mark.owner)
        yield f"owner {' and '.join(map(code, owners))}" * bool(owners)
        for known, words in (
            (sum(map(is_acknowledged, items)), "acknowledged"),
            (sum(map(self._is_snoozed, items)), "snoozed"),
        ):
            yield f"{words}{f' {known} of {len(items)}' * (known < len(items))}" * bool(known)

    def _is_snoozed(self, item: BoardItem) -> bool:
        until = item.mark.snoozed_until
        return until is not None and self._now < until

    def _since(self, incident: Incident) -> str:
        """Return since when it is red, with the day: it is read on another one."""
        if incident.since is None:
            return ""
        lasts, when = span_of_hours(self._now - incident.since), self._clock(incident.since)
        if incident.is_at_least:
            return f"since {when} or longer ({lasts} at least)"
        return f"since {when} ({lasts})"

    def _green(self, incident: Incident) -> str:
        if incident.last_green is None:
            return last_green(incident, self._now, utc=self._utc)
        return f"last green {self._clock(incident.last_green.at)}".rstrip()

    def _causes(self, title: str, groups: Sequence[CauseGroup], number: int) -> Iterator[str]:
        if not groups:
            return
        yield from ("", f"## {title}")
        for at, group in enumerate(groups, number):
            said = cause(group.items[0])
            yield from ("", f"### {at}. {self._title(group)}", "")
            yield from (code(shorten(said, _LINE)) or "Its cause is not known.", "")
            if blamed := self._blamed(group):
                yield from (f"{blamed[:1].upper()}{blamed[1:]}.", "")
            for item in group.items:
                if item.incident is None:
                    continue
                facts = self._facts_of(item, item.incident)
                if len(group.items) == 1:
                    yield from (f"- {fact}" for fact in facts)
                    continue
                yield f"- {self._lane(item)}: {next(facts)}"
                if (own := cause(item)) != said:
                    yield f"  - Says: {code(shorten(own, _LINE))}"
                yield from (f"  - {fact}" for fact in facts)

    def _title(self, group: CauseGroup) -> str:
        if len(group.items) == 1:
            return self._lane(group.items[0])
        shared = group.signature.shared if group.signature is not None else ""
        count = counted(group.projects, "project")
        path = code(self._path(group.items[0].lane.project))
        where = f"in {count}" if group.projects > 1 else f"{len(group.items)} times in {path}"
        return f"Same cause {where}: {code(shorten(shared, 120))}".removesuffix(": ")

    def _facts_of(self, item: BoardItem, incident: Incident) -> Iterator[str]:
        """Yield what is known of an incident; since when it is red comes first."""
        count = reds(incident.streak, more=incident.is_at_least)
        green = self._ran(self._green(incident), incident.last_green)
        yield ", ".join(filter(None, (count, self._since(incident), green)))
        point = item.point
        if point is not None and point.step is not None:
            yield f"Failed: {self._step(point.step)}"
        if point is not None and point.beside:
            yield f"Failed beside it: {', '.join(code(one.name) for one in point.beside[:_NAMED])}"
        yield f"Pipelines: {self._pipelines(incident)}"
        yield from self._commits(incident)
        yield from self._said(item)
        name = code(incident_name(item.lane.project, incident.first_red.id, self._facts.names))
        yield f"Known to `platui triage` as {name}"

    def _lane(self, item: BoardItem) -> str:
        lane = item.lane
        way = f" ({code(lane.way)})" if lane.way.strip() else ""
        return f"{code(self._path(lane.project))} {code(ref_of(item))}".rstrip() + way

    def _step(self, step: FailedStep) -> str:
        parts = [code(step.stage), code(step.name)]
        words = " › ".join(filter(None, parts))
        reason = f", {code(step.failure_reason)}" if step.failure_reason else ""
        tries = f", tried {step.attempts} times" if step.attempts > 1 else ""
        noun = "bridge" if step.is_bridge else "job"
        return f"{words}{reason}{tries}: {self._link(f'{noun} {step.id}', step.web_url)}"

    def _pipelines(self, incident: Incident) -> str:
        told = [self._ran(f"newest red #{incident.newest_red.id}", incident.newest_red)]
        if incident.first_red.id != incident.newest_red.id:
            told.append(self._ran(f"first red #{incident.first_red.id}", incident.first_red))
        if (top := incident.on_top) is not None:
            status = shorten(top.status, 40).replace("_", " ")
            told.append(f"since then {self._ran(f'#{top.id}', top)} {plain(status)}".rstrip())
        return ", ".join(told)

    def _commits(self, incident: Incident) -> Iterator[str]:
        if incident.first_red.sha.strip():
            said = self._first_commit(incident)
            yield f"{said[:1].upper()}{said[1:]}"
        if incident.commits is not None and not incident.commits.is_empty:
            before, after = map(short_sha, (incident.commits.before, incident.commits.after))
            yield f"Commits since it was green: {code(f'{before}..{after}')}"

    def _said(self, item: BoardItem) -> Iterator[str]:
        mark = item.mark
        if mark.owner:
            yield f"Owner: {plain(clean(mark.owner))}"
        if self._is_snoozed(item):
            yield f"Snoozed until {self._clock(mark.snoozed_until)}"
        if is_acknowledged(item):
            yield "Acknowledged"
        elif mark.acked is not None:
            yield "Acknowledged while it had another cause"
        if mark.note:
            yield f"Note: {plain(clean(mark.note))}"

    def _other(self, item: BoardItem) -> str:
        """Return the line of what is not broken."""
        if item.recovery is not None:
            return f"- {self._lane(item)}: {self._recovered(item.recovery)}"
        words = [running_words(item, self._now)]
        if item.late is not None:
            words = [late_words(item.late, self._now, utc=self._utc), code(item.late.what)]
            if item.late.kind is LateKind.MISSED:
                due = self._clock(item.late.due_at)
                words[0] = f"due {due}, {late_short(item.late, self._now)}"
                words[1] = f"schedule {words[1] or item.late.schedule}"
        newest = item.newest
        if newest is not None:
            words.append(self._ran(f"#{newest.id}", newest))
        return f"- {self._lane(item)}: {', '.join(filter(None, words))}"

    def _recovered(self, recovery: Recovery) -> str:
        count = reds(recovery.streak, more=recovery.is_at_least)
        at = self._clock(recovery.green.at)
        told = [f"{at} after {count}".strip(), self._ran(f"#{recovery.green.id}", recovery.green)]
        past = self._memory.history.get(_key(recovery))
        mark = self._memory.marks.get(_key(recovery), _NO_MARK)
        if past is not None and past.cause:
            told.append(f"it was {code(shorten(past.cause, 120))}")
        if mark.owner:
            told.append(f"owner {plain(clean(mark.owner))}")
        if mark.note:
            told.append(f"note: {plain(clean(mark.note))}")
        return ", ".join(told)

    def _ran(self, words: str, ran: Ran | None) -> str:
        return self._link(words, "" if ran is None else ran.web_url)

    def _link(self, words: str, address: str) -> str:
        return link(words, address, self._facts.url)

    def _path(self, project: object) -> str:
        names = self._facts.names
        path = names.path(project) if isinstance(project, int | str) else ""
        return path or f"project {project}"

    def _clock(self, moment: datetime | None) -> str:
        """Return the day and the time of day; the year where it is another one."""
        if moment is None:
            return ""
        shown, today = (in_zone(one, utc=self._utc) for one in (moment, self._now))
        return f"{shown:%d %b %H:%M}" if shown.year == today.year else f"{shown:%Y-%m-%d %H:%M}"


def _key(recovery: Recovery) -> IncidentKey:
    return recovery.key
