"""The words of commits, branches and tags."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from platui.emulator.world.blueprints import Blueprint
    from platui.emulator.world.chance import Chance

_TITLES: Final = (
    "Add {entity} to the daily load",
    "Cast {entity} amounts to numeric(38, 9)",
    "Deduplicate {entity} by updated_at",
    "Drop unused columns of {entity}",
    "Speed up fct_{entity} with an incremental strategy",
    "Document every column of {entity}",
    "Treat empty strings in {entity} as null",
    "Test that {entity} are unique per day",
    "Load {entity} in pages of 500",
    "Widen the freshness window of {entity} to 6 hours",
    "Keep deleted {entity} as tombstones",
    "Convert {entity} timestamps to UTC",
    "Split the {entity} model in two",
    "Cluster {entity} by event date",
    "Remove the workaround for late {entity}",
    "Bump dbt to 1.8.7",
    "Pin ingestion image to 2.14",
    "Use the shared surrogate key macro",
    "Tidy up macros nobody calls",
    "Raise warehouse size for the nightly run",
    "Read credentials from the vault at run time",
    "Back off when the source answers 429",
    "Fail early when a source table is empty",
    "Log row counts after each load",
)

_SLUGS: Final = (
    "{entity}-backfill",
    "late-arriving-{entity}",
    "{entity}-incremental",
    "fix-null-{entity}",
    "rename-{entity}-columns",
    "{entity}-freshness",
    "split-{entity}-model",
    "currency-rounding",
    "dbt-upgrade",
    "new-cost-centers",
)

_TURNS: Final = {
    "relation_missing": (
        "Rename staging models after their source",
        "Point marts at the renamed staging models",
    ),
    "upstream_renamed": (
        "Name staging models after their shop, stg_orders first",
        "Keep a view under the old name of stg_orders",
    ),
    "key_error": (
        "Flatten nested fields while loading",
        "Accept records without the new fields",
    ),
    "sql_syntax": (
        "Rewrite window functions in the marts",
        "Repair the rewritten window functions",
    ),
}


def commit_title(chance: Chance, blueprint: Blueprint, number: int) -> str:
    """Return the title of an ordinary commit."""
    title = chance.pick(_TITLES, "title", blueprint.id, number)
    return title.format(entity=chance.pick(blueprint.entities, "about", blueprint.id, number))


def turning_title(turning_point: str, cause: str) -> str:
    """Return the title of a commit that `breaks` a project by that cause, or `fixes` it."""
    breaks, fixes = _TURNS[cause]
    return breaks if turning_point == "breaks" else fixes


def branch_name(chance: Chance, blueprint: Blueprint, number: int) -> str:
    """Return the name of a branch that somebody works on."""
    slug = chance.pick(_SLUGS, "slug", blueprint.id, number)
    entity = chance.pick(blueprint.entities, "branch entity", blueprint.id, number)
    kind = chance.pick(("feature", "feature", "fix", "chore"), "branch kind", blueprint.id, number)
    ticket = 1000 + number * 3 + blueprint.lane * 37
    return f"{kind}/DATA-{ticket}-{slug.format(entity=entity.replace('_', '-'))}"


def tag_message(blueprint: Blueprint, name: str) -> str:
    """Return the message of a tag."""
    return f"Release {name} of {blueprint.record.name}"
