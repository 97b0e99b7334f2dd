"""What a scenario decides about the company: incidents, schedules, showcase and long logs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from platui_emulator.world.causes import Incidents, UsualIncidents
from platui_emulator.world.planted_causes import choose
from platui_emulator.world.timetable import Timetable, UsualTimetable

if TYPE_CHECKING:
    from platui_emulator.records import LongLog, Person, Project
    from platui_emulator.world.blueprints import Blueprint
    from platui_emulator.world.clock import SeededRandom
    from platui_emulator.world.company import Company


class Setup:
    """The company on a usual day. A setup belongs to one company: it may keep state."""

    def incidents(self, chance: SeededRandom, blueprints: Sequence[Blueprint]) -> Incidents:
        return UsualIncidents(chance, blueprints)

    def timetable(
        self, chance: SeededRandom, blueprints: Sequence[Blueprint], people: Sequence[Person]
    ) -> Timetable:
        return UsualTimetable(chance, len(blueprints), people)

    def showcase(self, company: Company, now: datetime) -> Project:
        """Return a project in an incident with a cause that reads well, one that runs if any."""
        return choose(company.sites, now.timestamp()).blueprint.record

    def long_logs(self, company: Company) -> Sequence[LongLog]:
        """Return the finished logs that are too long to be held: usually there are none."""
        del company
        return ()
