"""The company with the access report of an organization of any size."""

from __future__ import annotations

from platui.emulator.world.chance import Chance
from platui.emulator.world.company import Company
from platui.emulator.world.report.book import ReportBook
from platui.emulator.world.report.vast import VastGround


class VastReport(Company):
    """The company; only its report is about others."""

    def __init__(self, seed: int, *, report_users: int) -> None:
        super().__init__(seed)
        chance = Chance(seed)
        self._reports = ReportBook(chance, VastGround(chance, report_users))
