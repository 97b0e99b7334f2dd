"""What the rules call an error: line by line, block by block, and on the emulator's own logs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import pytest
from tests.support.error_lines import CALM, ERRORS

from platui.analysis.errors import matcher
from platui.analysis.errors.matcher import HINTS, ErrorMatcher
from platui.analysis.errors.rule_table import ERROR_RULES
from platui.logs.error_index import letters_of

RULES: Final = ErrorMatcher()


@dataclass(frozen=True)
class Score:
    """How well the rules tell lines apart."""

    precision: float
    """Part of what they call an error that is one."""
    recall: float
    """Part of the errors that they know."""
    wrong: tuple[str, ...]

    def __str__(self) -> str:
        lines = "\n".join(self.wrong)
        return f"precision {self.precision:.3f}, recall {self.recall:.3f}\n{lines}"


def score() -> Score:
    """Judge the rules by all lines of the table."""
    missed = [f"missed: {line}" for _, line in ERRORS if RULES.begin(line) is None]
    false = [f"no error: {line}" for line in CALM if RULES.begin(line) is not None]
    known = len(ERRORS) - len(missed)
    return Score(known / (known + len(false)), known / len(ERRORS), (*missed, *false))


def test_every_line_of_the_table_is_told_apart() -> None:
    """Two hundred lines as programs write them."""
    found = score()
    assert (found.precision, found.recall) == (1.0, 1.0), str(found)


@pytest.mark.parametrize(("rule", "line"), ERRORS)
def test_an_error_is_known_by_the_rule_of_who_says_it(rule: str, line: str) -> None:
    """The reader is told whose it is."""
    block = RULES.begin(line)
    assert block is not None
    assert block.rule == rule


def test_a_log_of_every_combination_of_words_takes_no_more_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What is known of some combinations is forgotten; the rules are the same afterwards."""
    monkeypatch.setattr(matcher, "_MOST_COMBINATIONS", 10)
    rules, line = ErrorMatcher(), "panic: something"
    for words in combinations(HINTS, 2):
        rules.begin(" ".join(words))
    assert len(rules._possible) <= 10  # what no caller sees: memory
    block = rules.begin(line)
    assert block is not None
    assert block.rule == "go"


def test_the_index_is_told_words_that_are_in_every_error() -> None:
    """A rule whose words hold none of these would never be asked."""
    words = [letters_of(hint) for hint in HINTS]
    assert all(len(word) >= 3 for word in words)
    for rule in ERROR_RULES:
        for hint in rule.hints:
            assert any(word in letters_of(hint) for word in words), (rule.name, hint)


@pytest.mark.parametrize("line", [*(line for _, line in ERRORS), *CALM])
def test_a_pattern_that_is_tried_at_the_beginning_alone_is_found_nowhere_else(line: str) -> None:
    """Which patterns those are is told from how they are written."""
    for ready in RULES._rules:
        found = re.search(ready.rule.pattern, line)
        assert (found is not None) == (ready._find(line) is not None), ready.rule.pattern


def read(text: str) -> list[tuple[str, str, int]]:
    """Return each error of a text: its rule, the line that says it, and how many lines it has."""
    lines = text.splitlines()
    found: list[tuple[str, str, int]] = []
    at = 0
    while at < len(lines):
        block = RULES.begin(lines[at])
        first, at = at, at + 1
        if block is None:
            continue
        while at < len(lines) and block.take(lines[at]):
            at += 1
        found.append((block.rule, lines[first + block.message_offset].strip(), block.length))
    return found


CHAINED: Final = """\
Traceback (most recent call last):
  File "a.py", line 1, in <module>
    connect()
    ~~~~~~~^^
ConnectionRefusedError: [Errno 111] Connection refused

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "b.py", line 9, in load
    raise LoadError("no source") from error
acme.LoadError: no source

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "c.py", line 3, in main
    close()
sqlalchemy.exc.OperationalError: (psycopg2.OperationalError) server closed
[SQL: select 1]
(Background on this error at: https://sqlalche.me/e/20/e3q8)

after it
"""

GROUP: Final = """\
  + Exception Group Traceback (most recent call last):
  |   File "a.py", line 1, in <module>
  |     raise ExceptionGroup("two", errors)
  | ExceptionGroup: two (2 sub-exceptions)
  +-+---------------- 1 ----------------
    | Traceback (most recent call last):
    |   File "a.py", line 1, in one
    | ValueError: one
    +---------------- 2 ----------------
    | Traceback (most recent call last):
    |   File "a.py", line 1, in two
    | KeyError: 'two'
    +------------------------------------
after it
"""

SYNTAX: Final = """\
Traceback (most recent call last):
  File "a.py", line 1, in <module>
    import b
  File "/app/b.py", line 3
    foo(
       ^
SyntaxError: '(' was never closed
after it
"""

LOGGED: Final = """\
[03:12:44] {run.py:9} INFO - Traceback (most recent call last):
[03:12:44] {run.py:9} INFO -   File "a.py", line 1, in <module>
[03:12:45] {run.py:9} INFO -     main()
[03:12:45] {run.py:9} INFO - KeyError: 'total'
[03:12:45] {run.py:9} INFO - ended
"""

JAVA: Final = """\
Exception in thread "main" org.apache.spark.SparkException: Job aborted.
\tat org.apache.spark.Main.main(Main.java:12)
\tat java.base/java.lang.Thread.run(Thread.java:833)
Caused by: java.net.ConnectException: Connection refused
\tat java.base/sun.nio.ch.Net.pollConnect(Native Method)
\t... 12 more
after it
"""

NODE: Final = """\
Error: connect ECONNREFUSED 10.0.0.4:5432
    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1555:16) {
  errno: -111,
  code: 'ECONNREFUSED'
}
Node.js v20.11.0
"""

GO: Final = """\
panic: runtime error: invalid memory address or nil pointer dereference
[signal SIGSEGV: segmentation violation code=0x1 addr=0x0 pc=0x48f]

goroutine 1 [running]:
main.load(...)
\t/app/main.go:12
main.main()
\t/app/main.go:5 +0x1d
exit status 2
after it
"""

DBT: Final = """\
03:12:44  Completed with 2 errors and 0 warnings:
03:12:44
03:12:44    Database Error in model fct_orders (models/marts/fct_orders.sql)
  relation "stg_orders" does not exist
  LINE 12:     from analytics.staging.stg_orders
                    ^
  compiled code at target/run/acme/models/marts/fct_orders.sql
03:12:44
03:12:44  Failure in test unique_orders (models/_models.yml)
03:12:44    Got 3 results, configured to fail if != 0
03:12:44
03:12:44    compiled code at target/compiled/unique_orders.sql
03:12:44
03:12:44  Done. PASS=1 WARN=0 ERROR=2 SKIP=0 TOTAL=3
"""

POSTGRES: Final = """\
psql:sql/a.sql:3: ERROR:  column "total" does not exist
LINE 1: select total from orders;
               ^
HINT:  Perhaps you meant to reference the column "orders.totals".
select 1
"""

TERRAFORM: Final = """\
╷
│ Error: Reference to undeclared resource
│
│   on main.tf line 3, in output "x":
│    3:   value = aws_s3_bucket.x
╵
"""


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (CHAINED, [("python", "sqlalchemy.exc.OperationalError: (psycopg2.OperationalError) server closed", 21)]),
        (GROUP, [("python", "| KeyError: 'two'", 13)]),
        (SYNTAX, [("python", "SyntaxError: '(' was never closed", 7)]),
        (LOGGED, [("python", "[03:12:45] {run.py:9} INFO - KeyError: 'total'", 4)]),
        (JAVA, [("spark", "Caused by: java.net.ConnectException: Connection refused", 6)]),
        (NODE, [("node", "Error: connect ECONNREFUSED 10.0.0.4:5432", 5)]),
        (GO, [("go", "panic: runtime error: invalid memory address or nil pointer dereference", 9)]),
        (
            DBT,
            [
                ("dbt", "03:12:44  Completed with 2 errors and 0 warnings:", 1),
                ("dbt", "03:12:44    Database Error in model fct_orders (models/marts/fct_orders.sql)", 5),
                ("dbt", "03:12:44  Failure in test unique_orders (models/_models.yml)", 4),
            ],
        ),
        (POSTGRES, [("postgres", 'psql:sql/a.sql:3: ERROR:  column "total" does not exist', 4)]),
        (TERRAFORM, [("terraform", "│ Error: Reference to undeclared resource", 4)]),
    ],
    ids=["chained", "group", "syntax", "logged", "java", "node", "go", "dbt", "postgres", "terraform"],
)  # fmt: skip
def test_a_block_is_one_error_and_one_line_says_it(
    text: str, wanted: list[tuple[str, str, int]]
) -> None:
    """Its length is that of what belongs to it, and what follows is none of it."""
    assert read(text) == wanted


@pytest.mark.parametrize(
    ("first", "next_line"),
    [
        ("  + Exception Group Traceback (most recent call last):", "  | " + "a" * 5_000 + "!"),
        ("panic: runtime error", "()" * 10_000 + "x"),
        ("panic: runtime error", "(" * 20_000 + "x"),
    ],
    ids=["group", "calls", "brackets"],
)
def test_no_line_of_a_block_is_looked_at_for_ever(first: str, next_line: str) -> None:
    """A pattern that tries every way through a line would hold up all threads."""
    assert read(f"{first}\n{next_line}\n")[0][2] in {1, 2}
