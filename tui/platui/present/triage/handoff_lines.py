"""Handoff text of one incident, recovery or pipeline: short, or with all details."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Final

from platui.core.dataclass import dataclass
from platui.core.markdown import code, link, plain
from platui.core.text import clean, shorten
from platui.models.values.triage_board import BoardItem, LateKind, Mark
from platui.present.times import day_and_time, in_zone, span_of_hours
from platui.present.triage import labels
from platui.present.triage.reasons import SAME_COMMIT, late_short, late_text

if TYPE_CHECKING:
    from platui.models.values.stored_triage import StoredTriage
    from platui.models.values.triage import FailedStep, Incident, PipelineRun, Recovery
    from platui.present.triage.labels import Names

MOST: Final = 160  # Characters of an error or note inside a longer line
NAMED: Final = 20  # Most names in a list
_NO_MARK: Final = Mark()


@dataclass(frozen=True, slots=True)
class HandoffText:
    """Formats board items as Markdown; text from the platform is escaped."""

    profile: str
    url: str  # Only addresses on this platform become links
    names: Names
    now: datetime
    utc: bool
    offline_since: datetime | None = None
    full: bool = False
    hidden: int = 0  # Items of other branches that are left out

    def short_facts(self, item: BoardItem, *, lone: bool = False) -> Iterator[str]:
        """Yield short facts; `lone`: cause, start and owner are on the same line already."""
        incident, mark = item.incident, item.mark
        if incident is None:
            return
        yield labels.reds(incident)
        if not lone:
            yield self.since(incident)
            if mark.owner:
                yield f"owner {plain(clean(mark.owner))}"
        elif incident.commits is not None:
            yield self.first_commit(incident)
        step = item.step
        if step is not None:
            yield self._link(f"job {step.id}", step.web_url)
        else:
            yield self._ran(f"#{incident.newest_red.id}", incident.newest_red)
        if mark.note:
            yield f"note: {plain(shorten(mark.note, MOST))}"

    def first_commit(self, incident: Incident) -> str:
        sha = code(labels.short_sha(incident.first_red.sha))
        if incident.commits is not None and incident.commits.is_empty:
            return f"{SAME_COMMIT}: {sha}"
        words = [sha]
        if incident.commit is not None:
            words.append(code(shorten(incident.commit.title, 120)))
            author = code(shorten(incident.commit.author, 60))
            words.append(f"by {author}" if author else "")
        return f"first failed commit: {' '.join(filter(None, words))}"

    def since(self, incident: Incident) -> str:
        """Return since when it fails, with the day, since readers come later."""
        if incident.since is None:
            return ""
        lasts, when = span_of_hours(self.now - incident.since), self.clock(incident.since)
        if incident.is_at_least:
            return f"since {when} or earlier (at least {lasts})"
        return f"since {when} ({lasts})"

    def facts_of(self, item: BoardItem, incident: Incident) -> Iterator[str]:
        count = labels.reds(incident)
        green = labels.last_green(incident, self.now, utc=self.utc)
        if incident.last_green is not None:
            green = f"last success {self.clock(incident.last_green.at)}".rstrip()
        green = self._ran(green, incident.last_green)
        yield ", ".join(filter(None, (count, self.since(incident), green)))
        point = item.point
        if point is not None and point.step is not None:
            yield f"Failed: {self._step(point.step)}"
        if point is not None and point.beside:
            yield f"Also failed: {', '.join(code(one.name) for one in point.beside[:NAMED])}"
        yield f"Pipelines: {self._pipelines(incident)}"
        yield from self._commits(incident)
        yield from self._marks(item)
        name = code(labels.incident_name(incident.key, self.names))
        yield f"Name in `platui triage`: {name}"

    def lane(self, item: BoardItem) -> str:
        lane = item.lane
        way = f" ({code(lane.way)})" if lane.way.strip() else ""
        return f"{code(self.path(lane.project))} {code(labels.ref_of(item))}".rstrip() + way

    def _step(self, step: FailedStep) -> str:
        parts = [code(step.stage), code(step.name)]
        words = " › ".join(filter(None, parts))
        reason = f", {code(step.failure_reason)}" if step.failure_reason else ""
        tries = f", tried {step.attempts} times" if step.attempts > 1 else ""
        noun = "bridge" if step.is_bridge else "job"
        return f"{words}{reason}{tries}: {self._link(f'{noun} {step.id}', step.web_url)}"

    def _pipelines(self, incident: Incident) -> str:
        found = [self._ran(f"newest failed #{incident.newest_red.id}", incident.newest_red)]
        if incident.first_red.id != incident.newest_red.id:
            found.append(self._ran(f"first failed #{incident.first_red.id}", incident.first_red))
        if (top := incident.on_top) is not None:
            status = shorten(top.status, 40).replace("_", " ")
            found.append(f"since then {self._ran(f'#{top.id}', top)} {plain(status)}".rstrip())
        return ", ".join(found)

    def _commits(self, incident: Incident) -> Iterator[str]:
        if incident.first_red.sha.strip():
            commit = self.first_commit(incident)
            yield f"{commit[:1].upper()}{commit[1:]}"
        if incident.commits is not None and not incident.commits.is_empty:
            before, after = map(labels.short_sha, (incident.commits.before, incident.commits.after))
            yield f"Commits since last success: {code(f'{before}..{after}')}"

    def _marks(self, item: BoardItem) -> Iterator[str]:
        mark = item.mark
        if mark.owner:
            yield f"Owner: {plain(clean(mark.owner))}"
        if mark.is_snoozed(self.now):
            yield f"Snoozed until {self.clock(mark.snoozed_until)}"
        if item.is_acknowledged:
            yield "Acknowledged"
        elif mark.acked is not None:
            yield "Acknowledged for another cause"
        if mark.note:
            yield f"Note: {plain(clean(mark.note))}"

    def other(self, item: BoardItem, memory: StoredTriage) -> str:
        if item.recovery is not None:
            return f"- {self.lane(item)}: {self._recovered(item.recovery, memory)}"
        words = [labels.running_words(item, self.now)]
        if item.late is not None:
            words = [late_text(item.late, self.now, utc=self.utc), code(item.late.what)]
            if item.late.kind is LateKind.MISSED:
                due = self.clock(item.late.due_at)
                words[0] = f"due {due}, {late_short(item.late, self.now)}"
                words[1] = f"schedule {words[1] or item.late.schedule}"
        newest = item.newest
        if newest is not None:
            words.append(self._ran(f"#{newest.id}", newest))
        return f"- {self.lane(item)}: {', '.join(filter(None, words))}"

    def _recovered(self, recovery: Recovery, memory: StoredTriage) -> str:
        count = labels.reds(recovery)
        at = self.clock(recovery.green.at)
        parts = [f"{at} after {count}".strip(), self._ran(f"#{recovery.green.id}", recovery.green)]
        past = memory.history.get(recovery.key)
        mark = memory.marks.get(recovery.key, _NO_MARK)
        if past is not None and past.cause:
            parts.append(f"cause {code(shorten(past.cause, 120))}")
        if mark.owner:
            parts.append(f"owner {plain(clean(mark.owner))}")
        if mark.note:
            parts.append(f"note: {plain(clean(mark.note))}")
        return ", ".join(parts)

    def _ran(self, words: str, ran: PipelineRun | None) -> str:
        return self._link(words, "" if ran is None else ran.web_url)

    def _link(self, words: str, address: str) -> str:
        return link(words, address, self.url)

    def path(self, project: object) -> str:
        path = self.names.path(project) if isinstance(project, int | str) else ""
        return path or f"project {project}"

    def clock(self, moment: datetime | None) -> str:
        if moment is None:
            return ""
        return day_and_time(in_zone(moment, utc=self.utc), in_zone(self.now, utc=self.utc))
