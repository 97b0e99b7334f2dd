"""What dbt and its neighbours say: Airflow, Great Expectations, Meltano, sqlfluff, Spark."""

from __future__ import annotations

from typing import Final

from platui.analysis.errors.rule import Rank, Rule, Shape

_INDENTED: Final = r"\s+\S"

DATA: Final = (
    Rule(
        "dbt",
        Rank.CAUSE,
        ("error in",),
        r"\b(?:Database|Compilation|Runtime|Parsing|Dependency|Validation|Internal|dbt|Semantic)"
        r" Error in (?:\w+ ?)+",
        shape=Shape.FOLLOWED,
        goes_on=_INDENTED,
        calm=True,
    ),
    Rule(
        "dbt",
        Rank.CAUSE,
        ("failure in",),
        r"\bFailure in (?:unit_?)?(?:test|contract|model|seed|snapshot|source)\b",
        shape=Shape.FOLLOWED,
        goes_on=_INDENTED,
        calm=True,
    ),
    Rule(
        "dbt",
        Rank.CAUSE,
        ("encountered an error",),
        r"^(?:\S+ {1,2})?Encountered an error:?",
        shape=Shape.FOLLOWED,
        goes_on=r"\S*(?:\w+ )*Error\b|\s+\S",
        calm=True,
    ),
    Rule(
        "dbt",
        Rank.CAUSE,
        ("error",),
        r"^(?:\S+ {1,2})?(?:Compilation|Runtime|Parsing|Database) Error$",
        shape=Shape.FOLLOWED,
        goes_on=_INDENTED,
        calm=True,
    ),
    Rule(
        "dbt",
        Rank.TOOL,
        ("error", "fail"),
        r"\b\d+ of \d+ (?:ERROR|FAIL)\b(?! 0 )",
        calm=True,
        also=(" of ",),
    ),
    Rule("dbt", Rank.SUMMARY, ("error",), r"\bCompleted with [1-9]\d* errors?\b", calm=True),
    Rule(
        "great_expectations",
        Rank.CAUSE,
        ("validation failed", "validation has failed"),
        r"(?i:\bvalidation (?:has )?failed\b)",
    ),
    Rule(
        "airflow",
        Rank.CAUSE,
        ("task failed", "error"),
        r"Task failed with exception|Task exited with return code [1-9]|Broken DAG",
    ),
    Rule("sqlfluff", Rank.GENERIC, ("fail",), r"^== \[.+\] FAIL$"),
    Rule(
        "spark",
        Rank.CAUSE,
        ("exception", "failure"),
        r"Job aborted due to stage failure|Job aborted\.",
        calm=True,
        shape=Shape.STACK,
    ),
    Rule(
        "spark",
        Rank.CAUSE,
        ("sqlstate",),
        r"\[[A-Z][A-Z_.]{4,}\] .*SQLSTATE: \w{5}",
        calm=True,
        shape=Shape.FOLLOWED,
        goes_on=r"==|\s+\S|\^|'\w+ |[+:]- ",
    ),
    Rule(
        "meltano",
        Rank.TOOL,
        ("failed", "error"),
        r"\b(?:Block run|Run|ELT|Extraction|Loading|Extractor|Loader) (?:completed|failed|could not)\b"
        r".*(?:fail|error|exit)",
        also=("Block run", "ELT", "Extract", "Load", "Run"),
    ),
)
