"""The worlds an emulator can be started on: a name, what it is good for, and how it is made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from platui_emulator.http.variants import Hostile, Variant
from platui_emulator.world import Company
from platui_emulator.world.large_company import holding
from platui_emulator.world.logs.finished import SMALLEST
from platui_emulator.world.long_logs import LongLogs
from platui_emulator.world.report.base import LargeReportBase
from platui_emulator.world.storm import Storm


@dataclass(frozen=True, slots=True)
class Sizes:
    """How large the parts of a scenario are that can be any size."""

    log_bytes: int = 100_000_000
    lines_per_second: int = 200

    report_users: int = 50_000
    """`huge-report`: the people in it; with 2 projects for 5 of them, and 40 memberships each."""


LIMITS: Final[Mapping[str, tuple[int, int]]] = {
    "log_bytes": (SMALLEST, 4_000_000_000),
    "lines_per_second": (1, 100_000),
    "report_users": (100, 1_000_000),
}


@dataclass(frozen=True, slots=True)
class Scenario:
    """A world to start an emulator on."""

    name: str
    summary: str
    world: Callable[[int, Sizes], Company]
    variant: Callable[[], Variant] = Variant


def _company(seed: int, sizes: Sizes) -> Company:
    del sizes
    return Company(seed)


def _holding(seed: int, sizes: Sizes) -> Company:
    del sizes
    return Company(seed, found=holding)


def _storm(seed: int, sizes: Sizes) -> Company:
    del sizes
    return Company(seed, setup=Storm())


def _long_logs(seed: int, sizes: Sizes) -> Company:
    logs = LongLogs(log_bytes=sizes.log_bytes, lines_per_second=sizes.lines_per_second)
    return Company(seed, setup=logs)


def _vast_report(seed: int, sizes: Sizes) -> Company:
    return Company(seed, ground=lambda chance: LargeReportBase(chance, sizes.report_users))


SCENARIOS: Final[Mapping[str, Scenario]] = {
    scenario.name: scenario
    for scenario in (
        Scenario("default", "60 projects of an organization, about one in seven failed", _company),
        Scenario("big", "5,000 projects in 355 groups, 200,000 pipelines", _holding),
        Scenario("storm", "the same organization, most projects failed for three causes", _storm),
        Scenario(
            "hostile",
            "the same organization; every text tries to attack the client",
            _company,
            Hostile,
        ),
        Scenario(
            "huge-log",
            "a failed job with a log of --log-bytes, and a running job",
            _long_logs,
        ),
        Scenario("huge-report", "an access report of --report-users people", _vast_report),
    )
}
