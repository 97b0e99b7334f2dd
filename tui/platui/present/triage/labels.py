"""Names of projects and incidents on the triage board, and their durations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final

from platui.core.text import clean, shorten
from platui.models.values.statuses import ACTIVE
from platui.present.counts import counted
from platui.present.times import age, clock, span, span_of_hours

if TYPE_CHECKING:
    from platui.models.values.queries import ProjectRef
    from platui.models.values.stored_triage import IncidentKey
    from platui.models.values.triage import Incident, Lane, PipelineRun, Recovery
    from platui.models.values.triage_board import Board, BoardItem, CauseGroup
    from platui.present.chrome import Piece

_TAGS: Final = "refs/tags/"
_SHORT: Final = 8  # Characters of an abbreviated commit hash
_LONGEST: Final = 60  # Characters of a note or name inside other text
_LISTED: Final = 3  # Incidents named in a sentence


class Names:
    """Short project names: the last part of the path, and more parts while it is ambiguous."""

    def __init__(self, names: Iterable[tuple[int, str]]) -> None:
        self._paths: Mapping[int, str] = dict(names)
        last = Counter(path.rpartition("/")[2] for path in self._paths.values())
        shared = (path for path in self._paths.values() if last[path.rpartition("/")[2]] > 1)
        self._ends = Counter(end for path in shared for end in _ends_of(path))
        self._labels: dict[ProjectRef, str] = {}

    def path(self, project: ProjectRef) -> str:
        if isinstance(project, int):
            return self._paths.get(project, "")
        return project

    def label(self, project: ProjectRef) -> str:
        if project not in self._labels:
            path = self.path(project)
            end = next((one for one in _ends_of(path) if self._ends[one] <= 1), path)
            self._labels[project] = clean(end) or f"project {clean(str(project))}"
        return self._labels[project]


def _ends_of(path: str) -> Iterator[str]:
    """Yield the last part of a path, the last two, and so on."""
    parts = path.split("/")
    return ("/".join(parts[at:]) for at in range(len(parts) - 1, -1, -1))


def incident_name(key: IncidentKey, names: Names) -> str:
    """Return `group/project#4711`, the argument of commands; not cleaned."""
    project, first_red = key
    return f"{names.path(project) or project}#{first_red}"


def typed_name(item: BoardItem, names: Names) -> str:
    project = item.lane.project
    if item.incident is not None:
        return clean(incident_name(item.incident.key, names))
    return clean(names.path(project)) or f"project {project}"


def lane_name(item: BoardItem, names: Names) -> str:
    """Return `support-sla main`, with the name of the pipeline if any."""
    named = (names.label(item.lane.project), ref_of(item), clean(item.lane.way))
    return " ".join(filter(None, named))


def called(items: Sequence[BoardItem], names: Names) -> str:
    """Describe incidents in a sentence: the name of one, the common cause, or their number."""
    if len(items) == 1:
        return lane_name(items[0], names)
    count = counted(len(items), "incident")
    shared = {item.signature.shared if item.signature is not None else "" for item in items}
    if len(shared) == 1 and (words := shared.pop()):
        return f"{count} with cause “{shorten(words, _LONGEST)}”"
    listed = ", ".join(lane_name(item, names) for item in items[:_LISTED])
    return f"{count}: {listed}{' …' * (len(items) > _LISTED)}"


def cause_extent(items: Sequence[BoardItem], key: str = "") -> str:
    """Return `same cause in 22 projects (29 incidents)`, or `cause kxmlq in …`."""
    count = len(items)
    projects = len({item.lane.project for item in items})
    if projects > 1:
        more = f" ({count} incidents)" if count > projects else ""
        return f"{f'cause {key}' if key else 'same cause'} in {projects:,} projects{more}"
    signature = items[0].signature
    prefix = f"cause {key}: " if key else ""
    if signature is not None and signature.is_symptom:
        return f"{prefix}{count} similar incidents at about the same time"
    return f"{prefix}{count} incidents with the same cause"


def split_quiet(board: Board, now: datetime) -> tuple[list[CauseGroup], list[CauseGroup]]:
    def part(*, is_quiet: bool) -> list[CauseGroup]:
        parts = (
            group._replace(items=tuple(one for one in group.items if one.is_quiet(now) is is_quiet))
            for group in board.groups
        )
        return [group for group in parts if group.items]

    return part(is_quiet=False), part(is_quiet=True)


def short_sha(sha: str) -> str:
    return clean(sha[:_SHORT])


def ref_of(item: BoardItem) -> str:
    """Return the branch of an item; for versions, which share a lane, the newest tag."""
    return lane_ref(item.lane, item.pipeline)


def lane_ref(lane: Lane, newest: PipelineRun | None) -> str:
    return clean(lane.ref or (newest.ref.removeprefix(_TAGS) if newest is not None else ""))


def pipelines_of(item: BoardItem) -> frozenset[int]:
    incident, ran = item.incident, item.pipeline
    known = [ran, item.moving]
    if incident is not None:
        known += [incident.first_red, incident.last_green, incident.on_top]
    listed = incident.reds if incident is not None else ()
    return frozenset((*listed, *(one.id for one in known if one is not None)))


def reds(of: Incident | Recovery | CauseGroup) -> str:
    """Return the number of failed pipelines in a row: `12 failed`, `4+ failed`."""
    return f"{of.streak}{'+' * of.is_at_least} failed"


def since(
    moment: datetime | None, now: datetime, *, utc: bool, more: bool = False, short: bool = False
) -> str:
    """Return `since 03:04 (4h)`, `since 12 Mar 22:10 (6h)`, or with `more` `at least 13h`."""
    if moment is None:
        return ""
    if more:
        return f"at least {span_of_hours(now - moment)}"
    when = clock(moment, now, utc=utc)
    if short and " " in when:
        when = when.rpartition(" ")[0]
    return f"since {when} ({span_of_hours(now - moment)})"


def group_since(group: CauseGroup, now: datetime, *, utc: bool, short: bool = False) -> str:
    onset = group.onset
    if onset is None:
        return ""
    return since(onset.since, now, utc=utc, more=onset.is_at_least, short=short)


def older_branch_since(group: CauseGroup, now: datetime, *, utc: bool, short: bool = False) -> str:
    """Return `fix/x since 12 Mar 22:10 (2d)` if a branch is broken for longer; empty: none is.

    `short`: `a branch since 12 Mar (2d)`.
    """
    item = group.older_branch
    if item is None or item.incident is None:
        return ""
    began, more = item.incident.since, item.incident.is_at_least
    named = "a branch" if short else ref_of(item)
    return f"{named} {since(began, now, utc=utc, more=more, short=short)}"


def newest_first(items: Iterable[BoardItem]) -> list[BoardItem]:
    return sorted(items, key=_acted_since, reverse=True)


def _acted_since(item: BoardItem) -> float:
    ran = item.pipeline
    began = item.incident.since if item.incident is not None else ran and ran.created_at
    return began.timestamp() if began is not None else 0.0


def target_summary(item: BoardItem, ran: PipelineRun | None, now: datetime, *, utc: bool) -> str:
    """Return `main · failing since 13:04 (32m)`, or `main · running since …` for a pipeline."""
    if ran is not None:
        word, began, ref = clean(ran.status), ran.created_at, clean(ran.ref.removeprefix(_TAGS))
        text = f"{word} {since(began, now, utc=utc)}".strip()
    else:
        incident, ref = item.incident, ref_of(item)
        more = incident is not None and incident.is_at_least
        text = since(incident.since if incident else None, now, utc=utc, more=more)
        text = f"failing {'for ' * more}{text}" if text else ""
    return " · ".join(filter(None, (ref, text)))


def last_green(incident: Incident, now: datetime, *, utc: bool) -> str:
    if incident.last_green is not None:
        return f"last success {clock(incident.last_green.at, now, utc=utc)}".rstrip()
    return "last success unknown" if incident.is_at_least else "never succeeded"


def marks(item: BoardItem, now: datetime, *, utc: bool) -> list[Piece]:
    mark = item.mark
    pieces: list[Piece] = []
    if mark.is_snoozed(now):
        pieces.append((f"snoozed until {clock(mark.snoozed_until, now, utc=utc)}", "accent"))
    if item.is_acknowledged:
        pieces.append(("acknowledged", "accent"))
    elif mark.acked is not None:
        pieces.append(("acknowledged for another cause", "warning"))
    return [*pieces, *owners_and_notes((item,))]


def owners_and_notes(items: Iterable[BoardItem]) -> Iterator[Piece]:
    """Yield `owner ada, bob` and `“the vault is down” (1 of 13)`, each name and note once."""
    found = [item.mark for item in items]
    owners = dict.fromkeys(shorten(mark.owner, _LONGEST) for mark in found if mark.owner)
    notes = dict.fromkeys(f"“{shorten(mark.note, _LONGEST)}”" for mark in found if mark.note)
    if owners:
        of = part_of(sum(bool(mark.owner) for mark in found), len(found))
        yield f"owner {', '.join(owners)}{of}", "accent"
    if notes:
        yield f"{', '.join(notes)}{part_of(sum(bool(m.note) for m in found), len(found))}", "accent"


def part_of(some: int, total: int) -> str:
    """Return how many of several have something; "" if all have it."""
    return f" ({some} of {total})" if some < total else ""


def running_words(item: BoardItem, now: datetime) -> str:
    """Return the running time and the typical duration: `running 6m of ~9m`.

    A failed pipeline that is being retried has run since the retry: `retrying · running 6m of ~9m`.
    """
    ran = item.moving
    if ran is None:
        return ""
    retried = is_retrying(item)
    word = clean(ran.status).replace("_", " ")
    since = (retried and ran.changed_at) or ran.created_at
    lasts = f" {age(since, now)}" if since is not None else ""
    usually = f" of ~{span(item.typical.median)}" if item.typical is not None and lasts else ""
    return f"{'retrying · ' * retried}{word}{lasts}{usually}"


def again_words(items: Sequence[BoardItem], now: datetime) -> str:
    """Return what runs again of what failed; "" if nothing does."""
    moving = [one for one in items if one.moving is not None]
    if len(moving) > 1:
        return f"{len(moving)} running again"
    words = running_words(moving[0], now) if moving else ""
    return f"again {words}" if words and not is_retrying(moving[0]) else words


def is_retrying(item: BoardItem) -> bool:
    """Return whether the pipeline that runs is the one that failed."""
    return (
        item.moving is not None
        and item.incident is not None
        and item.moving.id == item.incident.newest_red.id
    )


def ended_words(ran: PipelineRun | None) -> str:
    """Return how a pipeline ended: `success after 12m`; "" if unknown."""
    if ran is None or ran.status in ACTIVE:
        return ""
    word = clean(ran.status).replace("_", " ")
    return word if ran.seconds is None else f"{word} after {span(ran.seconds)}"


def cause_key(group: CauseGroup) -> str:
    """Return the key of a cause's row; for a single incident the key of the incident."""
    first = group.items[0]
    if len(group.items) == 1 or group.signature is None:
        return first.key
    where = f"{first.lane.project}:" if group.signature.is_local else ""
    # One symptom may have several groups at different times.
    when = f":{group.first.key}" if group.signature.is_symptom else ""
    return f"cause:{where}{group.signature.key}{when}"
