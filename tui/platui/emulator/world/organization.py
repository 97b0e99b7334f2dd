"""Groups and projects of the company, and who may do what in them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from platui.emulator.records import Group, Membership
from platui.emulator.world import people
from platui.emulator.world.ids import Numbering

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from platui.emulator.records import Person
    from platui.emulator.world.chance import Chance

FIRST_GROUP: Final = 11

_RETENTION: Final = 120 * 1440
"""Minutes after which pipelines are cleared away, so that lists stay finite."""

# full path, name
_GROUPS: Final = (
    ("acme", "Acme"),
    ("acme/platform", "Data Platform"),
    ("acme/platform/shared", "Shared Building Blocks"),
    ("acme/ingestion", "Ingestion"),
    ("acme/finance", "Finance"),
    ("acme/finance/reporting", "Financial Reporting"),
    ("acme/marketing", "Marketing"),
    ("acme/product", "Product"),
    ("acme/product/ml", "Machine Learning"),
    ("acme/operations", "Operations"),
)


class Row(NamedTuple):
    """What is written down about a project; the rest follows from it."""

    group: str
    path: str
    kind: str
    entities: str
    description: str
    period: int = 0
    """Minutes between its pipelines; 0 where that is drawn."""


@dataclass(frozen=True, slots=True)
class Organization:
    """A company before time is asked for: who works there, on what, and how it counts."""

    people: tuple[Person, ...]
    """Everybody, in id order: the humans, then the bots."""
    groups: tuple[Group, ...]
    """In id order, parents before children."""
    rows: tuple[Row, ...]
    """The projects, in id order."""
    numbering: Numbering = Numbering()  # noqa: RUF009  (frozen)
    retention: int = _RETENTION
    """Minutes after which its pipelines are cleared away."""


PROJECTS: Final = tuple(
    Row(group, path, kind, entities, description)
    for group, path, kind, entities, description in (
        line.split("|")
        for line in """
acme/platform|warehouse-core|warehouse|orders customers products payments|Core models that everybody builds on: orders, customers, products and payments
acme/platform|warehouse-snapshots|warehouse|orders customers subscriptions|Slowly changing history of the core tables
acme/platform|data-contracts|quality|orders payments events accounts|Checks what sources promised to deliver against what they deliver
acme/platform|cost-monitor|dbt|query_history metering storage|Warehouse spending by team, with alerts on surprises
acme/platform|access-sync|reverse_etl|roles grants users|Keeps warehouse roles in step with the directory
acme/platform|lineage-catalog|tooling|nodes columns owners|Column lineage collected from all dbt projects
acme/platform/shared|dbt-macros|tooling|macros tests docs|Macros and generic tests used in every dbt project
acme/platform/shared|ingestion-toolkit|tooling|clients loaders schemas|Python package behind all ingestion projects
acme/platform/shared|pipeline-templates|tooling|templates includes images|Pipeline files that other projects include
acme/platform/shared|reference-data|dbt|countries currencies calendars units|Countries, currencies, calendars and units of measure
acme/ingestion|ingest-shopify|ingest|orders customers products refunds inventory_levels|Orders and stock from the web shops
acme/ingestion|ingest-stripe|ingest|charges invoices payouts disputes|Payments, invoices and payouts
acme/ingestion|ingest-salesforce|ingest|accounts contacts opportunities leads|Accounts and opportunities of the sales teams
acme/ingestion|ingest-hubspot|ingest|contacts companies deals forms|Contacts and forms of the marketing site
acme/ingestion|ingest-netsuite|ingest|journal_entries vendors bills items|General ledger and purchasing
acme/ingestion|ingest-google-ads|ingest|campaigns ad_groups keywords|Campaign performance, hourly
acme/ingestion|ingest-meta-ads|ingest|campaigns adsets ads|Spend and reach of social campaigns
acme/ingestion|ingest-zendesk|ingest|tickets users satisfaction_ratings|Support tickets and their ratings
acme/ingestion|ingest-intercom|ingest|conversations contacts tags|Chat conversations with customers
acme/ingestion|ingest-jira|ingest|issues sprints worklogs|Issues and sprints of product development
acme/ingestion|ingest-postgres-oms|ingest|orders order_lines shipments returns|Replica of the order management database
acme/ingestion|ingest-mongo-catalog|ingest|products categories prices|Product catalogue documents
acme/ingestion|ingest-clickstream|ingest|page_views sessions identifies|Web and app events from the event bus
acme/ingestion|ingest-partner-files|ingest|price_lists stock_reports settlements|Files that partners drop in object storage
acme/ingestion|ingest-fx-rates|ingest|daily_rates currencies|Exchange rates of the central bank
acme/ingestion|ingest-adyen|ingest|settlements chargebacks terminals|Card terminals and settlements
acme/ingestion|ingest-workday|ingest|workers positions absences|People data for headcount and cost centres
acme/ingestion|ingest-weather|ingest|observations forecasts stations|Weather for the demand forecast
acme/finance|finance-dbt|dbt|invoices journal_entries payments cost_centers|Ledger, receivables and margins
acme/finance|revenue-recognition|dbt|contracts performance_obligations invoices|Revenue by period under IFRS 15
acme/finance|invoice-matching|dbt|invoices purchase_orders receipts|Three-way match of invoices, orders and receipts
acme/finance|treasury-cash|dbt|bank_statements balances forecasts|Cash position by bank and currency
acme/finance|tax-vat|dbt|sales purchases rates|VAT returns per country
acme/finance|budget-planning|dbt|budgets actuals headcount|Plan against actuals for every cost centre
acme/finance/reporting|board-kpis|dbt|revenue churn headcount cash|The numbers that the board sees
acme/finance/reporting|monthly-close|dbt|trial_balance accruals intercompany|What has to be green before the books close
acme/finance/reporting|regulatory-reports|quality|exposures positions counterparties|Reports to the supervisor, and their checks
acme/finance/reporting|subscription-mrr|dbt|subscriptions plans upgrades|Recurring revenue and its movements
acme/finance/reporting|finance-dq-checks|quality|ledger_balances invoices fx_rates|Nightly reconciliation of the ledger
acme/marketing|marketing-dbt|dbt|campaigns leads touchpoints spend|Funnel, spend and return by channel
acme/marketing|attribution|dbt|touchpoints conversions channels|Multi-touch attribution
acme/marketing|reverse-etl-hubspot|reverse_etl|contacts lifecycle_stages scores|Scores and segments back to HubSpot
acme/marketing|reverse-etl-braze|reverse_etl|segments purchases preferences|Audiences for messages and push
acme/marketing|email-engagement|dbt|sends opens clicks unsubscribes|How newsletters are read
acme/marketing|seo-rankings|ingest|rankings keywords backlinks|Positions in search results, daily
acme/marketing|consent-ledger|dbt|consents withdrawals sources|Who agreed to what, and when
acme/product|product-analytics-dbt|dbt|events sessions users features|Usage of every feature, by plan and cohort
acme/product|events-sessionization|dbt|page_views sessions devices|Cuts the event stream into sessions
acme/product|experiment-metrics|dbt|exposures assignments outcomes|Results of A/B tests with their intervals
acme/product|reverse-etl-salesforce|reverse_etl|accounts usage_scores renewals|Usage scores on the accounts of sales
acme/product|dq-checks|quality|events sessions orders users|Volume, freshness and schema checks on product data
acme/product/ml|ml-churn|ml|features labels scores|Probability that a customer leaves within 60 days
acme/product/ml|ml-demand-forecast|ml|sales calendar weather|Demand by store and article, 6 weeks ahead
acme/product/ml|ml-recommendations|ml|interactions items candidates|Next-best article for shop and mail
acme/product/ml|ml-fraud-signals|ml|transactions devices alerts|Card fraud features, rebuilt each hour
acme/product/ml|feature-store|ml|customers articles stores|Features shared by all models
acme/operations|logistics-dbt|dbt|shipments carriers warehouses|Lead times and carrier performance
acme/operations|inventory-snapshots|warehouse|stock_levels locations articles|Stock at the end of every hour
acme/operations|support-sla|dbt|tickets agents escalations|First response and resolution against target
acme/operations|supplier-scorecards|dbt|suppliers deliveries defects|Punctuality and defects by supplier
""".strip().splitlines()  # noqa: E501  (a table reads better in lines)
    )
)


def acme(chance: Chance, origin: datetime) -> Organization:
    """Return a company of sixty projects."""
    return Organization(people.hire(chance, origin), found_groups(_GROUPS), PROJECTS)


def found_groups(named: Sequence[tuple[str, str]]) -> tuple[Group, ...]:
    """Return the groups of these full paths and names: parents stand before children."""
    ids = {path: FIRST_GROUP + number for number, (path, _) in enumerate(named)}
    return tuple(
        Group(
            id=ids[full],
            name=name,
            path=full.rpartition("/")[2],
            full_path=full,
            parent_id=ids.get(full.rpartition("/")[0]),
        )
        for full, name in named
    )


class Memberships:
    """Who holds which level where: a function of the seed."""

    def __init__(self, chance: Chance, everybody: Sequence[Person]) -> None:
        self._chance = chance
        self._humans = [person for person in everybody if not person.bot]
        self._bots = [person for person in everybody if person.bot]
        self._leaver = next(one for one in self._humans if one.username == people.BLOCKED)

    def of_group(self, group: Group) -> tuple[Membership, ...]:
        """Return the direct members of a group, in id order."""
        depth = group.full_path.count("/")
        levels = {self._humans[0].id: "OWNER"} if depth == 0 else {}
        for rank in range(4 + self._chance.below(5, "group size", group.id)):
            person = self._chance.pick(self._humans, "group member", group.id, rank)
            levels.setdefault(person.id, _level(rank, depth))
        if depth:
            bot = self._chance.pick(self._bots, "group bot", group.id)
            levels[bot.id] = "MAINTAINER"
        return _sorted(levels)

    def of_owner(self, person_id: int) -> tuple[Membership, ...]:
        """Return the members of a project in somebody's own namespace."""
        return (Membership(person_id, "OWNER"),)

    def of_project(self, project_id: int) -> tuple[Membership, ...]:
        """Return the direct members of a project, in id order."""
        levels: dict[int, str] = {}
        for rank in range(2 + self._chance.below(6, "project size", project_id)):
            person = self._chance.pick(self._humans, "project member", project_id, rank)
            levels.setdefault(person.id, _level(rank, 1))
        if self._chance.unit("leaver", project_id) < 0.1:  # noqa: PLR2004  (a share)
            levels.setdefault(self._leaver.id, "DEVELOPER")
        return _sorted(levels)


def _level(rank: int, depth: int) -> str:
    ladder = ("MAINTAINER", "DEVELOPER", "DEVELOPER", "REPORTER", "GUEST")
    if rank == 0 and depth == 1:
        return "OWNER"
    return ladder[min(rank, len(ladder) - 1)]


def _sorted(levels: dict[int, str]) -> tuple[Membership, ...]:
    return tuple(Membership(person, level) for person, level in sorted(levels.items()))
