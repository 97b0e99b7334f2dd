"""What databases say, in their own words or through a client."""

from __future__ import annotations

from typing import Final

from platui.analysis.errors.rule import Rank, Rule, Shape

_POSTGRES_MORE: Final = (
    r"LINE \d+:|\s+\^|(?:DETAIL|HINT|CONTEXT|STATEMENT|QUERY|WHERE): |\s{2,}(?:error|code|query): "
)
_SAYS_NO: Final = ("error", "fail", "cannot", "could not", "denied", "does not exist",
                   "timed out", "unable to", "not found")  # fmt: skip

SQL: Final = (
    Rule(
        "postgres",
        Rank.CAUSE,
        ("error", "fatal", "panic"),
        r"(?:^psql:\S+:\d+: |^psql: (?:error: )?|^\S+ (?:\S+ )*?|^)(?:ERROR|FATAL|PANIC): {2}\S",
        also=("ERROR:  ", "FATAL:  ", "PANIC:  "),
        shape=Shape.FOLLOWED,
        goes_on=_POSTGRES_MORE,
        calm=True,
    ),
    Rule(
        "postgres",
        Rank.CAUSE,
        ("error", "could not connect"),
        r"^psql: (?:error|could not)|could not connect to server: ",
        also=("psql", "server"),
        shape=Shape.FOLLOWED,
        goes_on=r"\s+\S|" + _POSTGRES_MORE,
        calm=True,
    ),
    Rule(
        "snowflake",
        Rank.CAUSE,
        _SAYS_NO,
        r"(?:^|[\s:])\d{6} \((?:[0-9A-Z]{5}|None)\): ",
        also=("): ",),
        shape=Shape.FOLLOWED,
        goes_on=r"(?:syntax error|Object|Invalid|invalid|Unexpected|unexpected|Database|Schema|"
        r"Table|View|Function|Unknown|SQL|Error) .*|\s+\S",
        calm=True,
    ),
    Rule(
        "bigquery",
        Rank.CAUSE,
        (
            "bigquery error",
            "error processing job",
            "access denied",
            "not found table",
            "not found dataset",
            "not found job",
            "not found project",
            "not found model",
            "syntax error",
        ),
        r"BigQuery error in|Error processing job|\bAccess Denied: (?:Table|Project|Dataset|BigQuery|User)|"
        r"\bNot found: (?:Table|Dataset|Job|Project|Model)|"
        r"\bSyntax error: (?:Unexpected|Expected)",
        calm=True,
    ),
    Rule(
        "duckdb",
        Rank.CAUSE,
        ("error",),
        r"\b(?:Catalog|Binder|Parser|Conversion|IO|Constraint|Invalid Input|Out of Memory|"
        r"Transaction|Serialization|Permission|HTTP|Not implemented|INTERNAL) Error: \S",
        also=(" Error: ",),
        shape=Shape.FOLLOWED,
        goes_on=r"LINE \d+:|\s+\^|Did you mean|Candidate",
        calm=True,
    ),
    Rule(
        "oracle",
        Rank.CAUSE,
        ("error at line",),
        r"^ERROR at line \d+:",
        shape=Shape.FOLLOWED,
        goes_on=r"ORA-\d{5}|PLS-\d{5}",
        calm=True,
    ),
    Rule(
        "oracle",
        Rank.CAUSE,
        _SAYS_NO,
        r"\b(?:ORA|PLS|TNS|SP2|RMAN|IMP|EXP|SQL\*Loader)-\d{3,5}: ",
        calm=True,
        also=("ORA-", "PLS-", "TNS-", "SP2-", "RMAN-", "IMP-", "EXP-", "Loader-"),
        shape=Shape.FOLLOWED,
        goes_on=r"ORA-\d{5}|PLS-\d{5}",
    ),
    Rule(
        "mysql",
        Rank.CAUSE,
        ("error", "access denied"),
        r"^ERROR \d{4} \([0-9A-Z]{5}\)|\(\d{4}, [\"'](?:Access denied|Can't connect|Unknown|Table|"
        r"Lost connection|You have an error)",
        calm=True,
    ),
    Rule(
        "sqlserver",
        Rank.CAUSE,
        ("msg level state",),
        r"\bMsg \d+, Level 1[1-9]|\bMsg \d+, Level 2\d",
        shape=Shape.FOLLOWED,
        goes_on=r"\S.*",
        calm=True,
    ),
    Rule(
        "sqlserver",
        Rank.CAUSE,
        _SAYS_NO,
        also=("Sqlcmd", "SQL Server"),
        pattern=r"^Sqlcmd: Error: |\[Microsoft\]\[ODBC Driver \d+ for SQL Server\].*\[SQL Server\]",
        calm=True,
    ),
    Rule("trino", Rank.CAUSE, ("failed",), r"\bQuery \d{8}_\w+ failed: ", calm=True),
    Rule(
        "trino",
        Rank.CAUSE,
        ("error type", "usererror", "query failed"),
        r"\b(?:Trino|Presto)(?:User|Query|Connection|External)?Error\(",
        calm=True,
    ),
    Rule(
        "redshift",
        Rank.CAUSE,
        ("failed", "error"),
        r"Load into table .* failed|Spectrum Scan Error|Check '(?:stl|sys)_load_errors?",
        calm=True,
    ),
    Rule("odbc", Rank.CAUSE, ("sqlstate",), r"\bSQLSTATE\[\w{5}\]", calm=True),
    Rule(
        "sqlite",
        Rank.CAUSE,
        ("parse error", "runtime error", "sqlite error", "error near"),
        r"^(?:Parse|Runtime) error(?: near line \d+)?: |^Error: near line \d+: ",
    ),
)
