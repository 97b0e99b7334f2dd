"""A group of companies with 5,000 projects: who and what it consists of, drawn from the seed.

Most projects run twice a day and some every hour, so that a list of two weeks holds about
200,000 pipelines; one follows events every other minute and has more than are counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from platui.emulator.world import people
from platui.emulator.world.ids import Numbering
from platui.emulator.world.organization import Organization, Row, found_groups
from platui.emulator.world.workforce import more_people

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from random import Random

    from platui.emulator.world.chance import Chance

PROJECTS: Final = 5000
_PEOPLE: Final = 2400
_RETENTION: Final = 14 * 1440
_NUMBERING: Final = Numbering(
    lanes=16_384,
    first_added_lane=12_288,
    first_added_project=100_001,
    first_added_schedule=100_001,
)
_EVENTS: Final = Row(
    "acme-retail/product/ingestion",
    "ingest-event-stream",
    "ingest",
    "page_views sessions baskets",
    "Every event of every shop, two minutes after it happened",
    2,
)
"""More pipelines than the platform counts."""

_RHYTHMS: Final = ((0.916, 720), (0.982, 240), (0.995, 60), (1.0, 40))
"""Minutes between the pipelines of a project, each up to a share of the projects."""

_COMPANIES: Final = (
    ("acme-retail", "Acme Retail"),
    ("acme-bank", "Acme Bank"),
    ("acme-health", "Acme Health"),
    ("acme-logistics", "Acme Logistics"),
    ("acme-energy", "Acme Energy"),
)


class _Department(NamedTuple):
    """What the projects of a department are about."""

    path: str
    name: str
    subjects: tuple[str, ...]
    sources: tuple[str, ...]
    entities: tuple[str, ...]


def _department(line: str) -> _Department:
    path, name, *words = (part.strip() for part in line.split("|"))
    return _Department(path, name, *(tuple(one.split()) for one in words))


_DEPARTMENTS: Final = tuple(
    _department(line)
    for line in """
finance|Finance|ledger invoices payments budgets cash tax revenue close assets expenses|netsuite sap-fi stripe adyen coupa bank-statements concur fx-rates avalara kyriba|invoices payments journal_entries vendors cost_centers balances accruals budgets
marketing|Marketing|campaigns attribution consent loyalty newsletter brand audience promotions events seo|google-ads meta-ads hubspot braze mailchimp tiktok-ads bing-ads linkedin-ads search-console onetrust|campaigns leads touchpoints sends clicks segments consents conversions
sales|Sales|pipeline quotas accounts renewals pricing partners forecast deals territories commissions|salesforce outreach gong zuora cpq-quotes partner-portal dnb zoominfo clari docusign|accounts opportunities contacts quotes contracts renewals leads activities
supply-chain|Supply Chain|inventory shipments suppliers demand returns warehouses carriers procurement routes stock|oms wms edi-orders carrier-tracking supplier-portal customs sap-mm weather telematics port-calls|orders shipments stock_levels suppliers deliveries returns carriers articles
customer-care|Customer Care|tickets satisfaction chats calls refunds escalations knowledge quality backlog complaints|zendesk intercom genesys trustpilot medallia twilio appstore-reviews freshdesk qualtrics aircall|tickets agents conversations ratings escalations refunds calls articles
people|People|headcount recruiting absences payroll engagement learning mobility onboarding compensation safety|workday greenhouse personio adp culture-amp cornerstone sap-hr timesheets benefits-portal badge-access|workers positions absences candidates surveys courses payslips teams
risk|Risk & Compliance|exposures limits fraud sanctions audit controls incidents claims provisions stress-tests|sanction-lists credit-bureau core-ledger case-management swift card-network kyc-provider market-data archer ratings|exposures counterparties alerts transactions limits controls cases scores
product|Product|features experiments usage sessions search recommendations onboarding retention catalog feedback|segment amplitude mixpanel app-events feature-flags mongo-catalog productboard sentry crash-reports jira|events sessions users features exposures devices searches articles
operations|Operations|capacity maintenance assets energy scheduling shifts downtime throughput sensors sites|scada iot-gateway maximo shift-planner meter-readings plc-logs mes fleet-telemetry gis permits|sensors readings machines work_orders shifts sites batches alarms
platform|Data Platform|warehouse lineage catalog contracts costs access quality observability templates reference|query-history airflow-metadata github cloud-billing okta datadog dbt-artifacts terraform-state snowplow vault|tables queries owners costs roles tests jobs columns
""".strip().splitlines()  # noqa: E501  (a table reads better in lines)
)

_REGIONS: Final = ("", "", "", "emea", "amer", "apac", "dach", "nordics", "iberia", "latam", "uki")


class _Team(NamedTuple):
    """A group within a department, and how its projects are named."""

    path: str
    name: str
    kinds: tuple[str, ...]
    pattern: str
    words: tuple[str, ...]
    about: str


_TEAMS: Final = (
    _Team("ingestion", "Ingestion", ("ingest",), "ingest-{source}", ("",),
          "{Source} into the raw layer"),
    _Team("marts", "Marts", ("dbt", "dbt", "warehouse"), "{subject}-{word}",
          ("dbt", "marts", "core", "snapshots", "history"), "Models of {subject} for everybody"),
    _Team("reporting", "Reporting", ("dbt",), "{subject}-{word}",
          ("kpis", "scorecard", "weekly", "board-pack", "regulatory", "benchmarks"),
          "The numbers on {subject} that are looked at"),
    _Team("activation", "Activation", ("reverse_etl",), "reverse-etl-{source}-{subject}", ("",),
          "What is known about {subject}, back into {source}"),
    _Team("science", "Data Science", ("ml",), "ml-{subject}-{word}",
          ("forecast", "scoring", "anomalies", "segments", "features"),
          "Predictions about {subject}"),
    _Team("quality", "Data Quality", ("quality",), "{subject}-{word}",
          ("dq-checks", "contracts", "reconciliation", "freshness"),
          "Whether {subject} can be trusted"),
)  # fmt: skip


def holding(chance: Chance, origin: datetime) -> Organization:
    """Return a group of companies with 5,000 projects."""
    groups = tuple(_groups())
    return Organization(
        people=people.hire(chance, origin, lambda taken: more_people(chance, _PEOPLE, taken)),
        groups=found_groups(groups),
        rows=tuple(_rows(chance)),
        numbering=_NUMBERING,
        retention=_RETENTION,
    )


def _groups() -> Iterator[tuple[str, str]]:
    for company, name in _COMPANIES:
        yield company, name
        for department in _DEPARTMENTS:
            yield f"{company}/{department.path}", department.name
            for team in _TEAMS:
                yield f"{company}/{department.path}/{team.path}", team.name


def _rows(chance: Chance) -> Iterator[Row]:
    teams = [
        (company, department, team)
        for company, _ in _COMPANIES
        for department in _DEPARTMENTS
        for team in _TEAMS
    ]
    yield _EVENTS
    share, rest = divmod(PROJECTS - 1, len(teams))
    for rank, (company, department, team) in enumerate(teams):
        group = f"{company}/{department.path}/{team.path}"
        dice = chance.dice("team", group)
        yield from _team_rows(dice, group, department, team, share + (rank < rest))


def _team_rows(
    dice: Random, group: str, department: _Department, team: _Team, count: int
) -> Iterator[Row]:
    paths: set[str] = {_EVENTS.path}
    while len(paths) <= count:
        subject, source = dice.choice(department.subjects), dice.choice(department.sources)
        name = team.pattern.format(subject=subject, source=source, word=dice.choice(team.words))
        path = "-".join(part for part in (name, dice.choice(_REGIONS)) if part)
        if path in paths:
            continue
        paths.add(path)
        about = team.about.format(subject=subject, source=source, Source=source.title())
        entities = " ".join(dice.sample(department.entities, dice.randint(3, 5)))
        yield Row(group, path, dice.choice(team.kinds), entities, about, _period(dice.random()))


def _period(draw: float) -> int:
    return next(period for share, period in _RHYTHMS if draw < share)
