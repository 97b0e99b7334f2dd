"""Starts pipelines that callers ask for, and those of the schedules they made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.emulator.world import causes
from platui.emulator.world.history import NO_SHA
from platui.emulator.world.jobs import DEFAULT_FILE, FILE_VARIABLE
from platui.emulator.world.occasions import GREEN, Fate
from platui.emulator.world.plans import Run
from platui.emulator.world_acts import WorldError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.emulator.records import Person, Variable
    from platui.emulator.world.chance import Chance
    from platui.emulator.world.clockwork import Clockwork
    from platui.emulator.world.jobs import PipelineFile
    from platui.emulator.world.journal import Journal
    from platui.emulator.world.sites import Site

FAIL_VARIABLE: Final = "_FAIL_JOB"
"""A pipeline started with this variable fails in the job that it names, whenever that is tried."""

TIMES_VARIABLE: Final = "_FAIL_TIMES"
"""With this one too, only so many attempts of the job fail, and the next one succeeds."""

FLAKE_VARIABLE: Final = "_FLAKY_JOB"
"""A job that this one names fails at first, is tried again at once and passes."""

_PACE: Final = 0.12
"""Started pipelines take a minute or two: somebody is watching."""

_FLAKY: Final = 0.15


class Starter:
    """Adds pipelines to the journal."""

    def __init__(self, chance: Chance, clockwork: Clockwork, journal: Journal) -> None:
        self._chance = chance
        self._clockwork = clockwork
        self._journal = journal

    def start(
        self,
        site: Site,
        *,
        ref: str,
        variables: Sequence[Variable],
        user: Person,
        source: str,
        now: float,
    ) -> Run:
        """Return the pipeline that was started.

        Raises:
            WorldError: unknown ref, or no such pipeline file.
        """
        commit = site.history.find(ref, now)
        if commit is None:
            raise WorldError("Reference not found")
        file = _file(site, variables)
        has_child = any(job.bridge for job in file.jobs)
        number = self._journal.reserve(self._clockwork.minute(now), 2 if has_child else 1)
        ref = ref.removeprefix("refs/heads/").removeprefix("refs/tags/")
        run = Run(
            id=number,
            iid=site.runs.iid_of_added(number),
            blueprint=site.blueprint,
            created=round(now, 3),
            source=source,
            ref=site.blueprint.record.default_branch if ref == "HEAD" else ref,
            tag=any(tag.name == ref for tag in site.history.tags(now)),
            commit=commit,
            before_sha=NO_SHA,
            file=file,
            user=user,
            variables=tuple(variables),
            fate=self._fate(file, variables, number),
            pace=_PACE,
            child_id=number + 1 if has_child else None,
        )
        self._journal.add_run(run)
        return run

    def _fate(self, file: PipelineFile, variables: Sequence[Variable], number: int) -> Fate:
        said = {one.key: one.value for one in reversed(variables)}
        asked, times = said.get(FAIL_VARIABLE), said.get(TIMES_VARIABLE, "")
        flake = said.get(FLAKE_VARIABLE, "")
        for job in file.jobs:
            if job.name == asked:
                fitting = (one for one in causes.CAUSES if job.work in one.works)
                cause = next(fitting, causes.SOFT_FAILURE)
                struck = int(times) if times.isdecimal() else 0
                return Fate("red", cause, number, victim=job.name, times=struck, flake=flake)
        if flake:
            return Fate(story=number, flake=flake)
        if self._chance.unit("added flaky", number) < _FLAKY:
            return Fate("flaky", causes.CONNECTION_ERROR, number)
        return GREEN


def _file(site: Site, variables: Sequence[Variable]) -> PipelineFile:
    chosen = [one.value for one in variables if one.key == FILE_VARIABLE]
    file = site.blueprint.files.get(chosen[-1] if chosen else DEFAULT_FILE)
    if file is None:
        raise WorldError("Missing CI config file")
    return file
