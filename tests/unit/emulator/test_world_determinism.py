"""The company is a function of (seed, time): in every process, whatever was asked before."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import timedelta
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest
from tests.support.company import NOW, moments

from platui_emulator.world import Company

if TYPE_CHECKING:
    from datetime import datetime

_PRINT = """
from datetime import UTC, datetime
from tests.unit.emulator.test_world_determinism import fingerprint
print(fingerprint(7, datetime(2026, 3, 14, 3, 12, tzinfo=UTC)))
"""


@cache
def fingerprint(seed: int, now: datetime) -> str:
    """Return a hash over records and logs of a company that was asked nothing before."""
    return fingerprint_of(Company(seed), now)


def fingerprint_of(company: Company, now: datetime, *, backwards: bool = False) -> str:
    """Return a hash over records and logs, asked for in one order or the other."""
    whole = []
    projects = list(company.projects())[::7]
    for project in reversed(projects) if backwards else projects:
        page, total = company.pipelines.page(project.id, now, offset=0, limit=6)
        told = [repr((project, total))]
        for pipeline in page:
            jobs = company.pipelines.jobs(project.id, pipeline.id, now, with_retried=True)
            told += [repr(pipeline), *map(repr, jobs)]
            told += [repr(company.pipelines.trace(project.id, job.id, now)) for job in jobs]
        told += map(repr, company.repositories.branches(project.id, now))
        told += map(repr, company.schedules.of(project.id, now))
        whole.append("\n".join(told))
    return sha256("\n".join(sorted(whole)).encode()).hexdigest()


def test_two_processes_see_the_same_company() -> None:
    """Neither the hash seed nor any other state of a process shows in records or logs."""
    # Another than ours, which is drawn anew for each run.
    hash_seed = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    there = subprocess.run(
        [sys.executable, "-c", _PRINT],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONHASHSEED": hash_seed, "PYTHONPATH": ".:tui"},
    )
    assert there.stdout.strip() == fingerprint(7, NOW)


def test_what_was_asked_before_does_not_show() -> None:
    """The order of questions, and looks at other times, leave no trace."""
    company = Company(7)
    for now in moments(2):
        for project in list(company.projects())[::14]:
            company.pipelines.page(project.id, now, offset=0, limit=10)
    assert fingerprint_of(company, NOW, backwards=True) == fingerprint(7, NOW)


def test_seeds_make_different_companies() -> None:
    """Another seed is another world."""
    assert fingerprint(7, NOW) != fingerprint(8, NOW)


@pytest.mark.parametrize("seed", [0, 1, 2**63, -5])
def test_any_seed_makes_a_company(seed: int) -> None:
    """Big and negative seeds are seeds as well."""
    company = Company(seed)
    assert company.pipelines.page(101, NOW, offset=0, limit=20)[1] > 500


def test_before_its_origin_the_company_is_empty() -> None:
    """A clock that is years behind finds projects without pipelines, and no error."""
    company = Company(7)
    long_ago = NOW - timedelta(days=4000)
    for project in company.projects():
        assert company.pipelines.page(project.id, long_ago, offset=0, limit=20) == ([], 0)
    assert company.showcase(long_ago) in company.projects()
