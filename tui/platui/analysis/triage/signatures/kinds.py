"""What goes wrong so often, and is said in so many ways, that it has a name here."""

from __future__ import annotations

import re
from enum import Enum
from typing import Final, NamedTuple


class About(Enum):
    """What of an error tells it from others of its kind."""

    HOST = "host"
    """The machine that it is about."""
    NAMED = "named"
    """What the pattern calls `what`: small letters and capitals are one."""
    RELATION = "relation"
    """The same, of a table: in full, where the statement is quoted."""
    EXACT = "exact"
    """The same, to the letter."""
    COMMAND = "command"
    """The same, but for what changes from run to run."""
    MODEL = "model"
    """What dbt was at."""
    JOB = "job"
    """The job that failed."""
    TAGS = "tags"
    """What the job asks of a runner."""


class Kind(NamedTuple):
    """One sort of causes."""

    name: str
    """What is said of it on the board, before whom it is about."""
    pattern: re.Pattern[str]
    """Is found in the words of such an error."""
    about: tuple[About, ...]
    is_local: bool = False
    """Whether two projects that say the same have but the same bad luck."""
    reasons: frozenset[str] = frozenset()
    """The platform's own words for it, where it gives one: `failure_reason`."""
    is_symptom: bool = False
    """Whether it is what became of a job, and nobody knows why."""
    of_nobody: str = ""
    """What is said in the stead of its name where it is not told whom it is about."""


def _kind(
    name: str,
    *about: About,
    of: str,
    is_local: bool = False,
    reasons: tuple[str, ...] = (),
    is_symptom: bool = False,
    of_nobody: str = "",
) -> Kind:
    return Kind(name, re.compile(of), about, is_local, frozenset(reasons), is_symptom, of_nobody)


STUCK: Final = "stuck_or_timeout_failure"
"""What the platform says of a job that no runner took, and of one whose runner was heard no more."""


_TABLE: Final = r"[\"'`]?(?P<what>\w[\w$#.:\"'`-]{0,200})"
_QUOTED: Final = r"[\"'`](?P<what>[^\"'`]+)[\"'`]"

KINDS: Final = (
    # machines: what says so comes before all that it led to
    _kind(
        "no runner for",
        About.TAGS,
        of=r"(?!)",
        reasons=(
            STUCK,
            "no_matching_runner",
            "stuck_pending_no_matching_runners",
            "stuck_pending_with_matching_runners",
        ),
        of_nobody="no runner took the job",
    ),
    _kind(
        "took too long",
        About.JOB,
        of=r"execution took longer than|script could not run to completion because the timeout",
        is_local=True,
        reasons=("job_execution_timeout",),
        is_symptom=True,
    ),
    _kind("no pod was started", of=r"waiting for pod running: timed out"),
    _kind(
        "executors lost, out of memory",
        About.JOB,
        of=r"ExecutorLostFailure|Container killed by YARN",
        is_local=True,
    ),
    _kind(
        "out of memory",
        About.COMMAND,
        About.JOB,
        of=r"\bOOMKilled\b|\bKilled\b(?:\s+(?P<what>\S.*))?$|\bOutOfMemoryError\b|\bMemoryError\b"
        r"|\bOut of memory\b|Cannot allocate memory|JavaScript heap out of memory|exit code 137",
        is_local=True,
    ),
    _kind("disk is full", of=r"No space left on device|disk quota exceeded", is_local=True),
    # who may do what
    _kind(
        "password has expired",
        About.HOST,
        of=r"(?i:password (?:of|for) user \S+ has expired|password (?:has|is) expired)",
    ),
    _kind(
        "token has expired",
        About.HOST,
        of=r"\(ExpiredToken(?:Exception)?\)"
        r"|(?i:(?:token|credentials?) (?:has |have |is |are )?expired|expired token|jwt expired)",
    ),
    _kind(
        "login is refused",
        About.HOST,
        About.NAMED,
        of=r"password authentication failed for user (?P<what>\S+)|Incorrect username or password"
        r"|Access denied for user (?P<what2>\S+)|Login failed for user (?P<what3>\S+)"
        r"|Authentication failed|HTTP Basic: Access denied",
    ),
    # warehouses
    _kind(
        "quota is used up",
        About.NAMED,
        of=r"resource monitor '(?P<what>[^']+)' has exceeded|cluster \"(?P<what2>[^\"]+)\" is paused",
    ),
    _kind(
        "no connections left",
        About.HOST,
        of=r"too many clients|remaining connection slots|[Tt]oo many connections"
        r"|QueuePool limit of size",
    ),
    _kind(
        "does not parse",
        About.NAMED,
        About.MODEL,
        of=r"syntax error(?: line \d+ at position \d+ unexpected| at or near) [\"'](?P<what>[^\"']+)"
        r"|You have an error in your SQL syntax(?:.*near '(?P<what2>[^']+))?"
        r"|(?:Parser|Syntax) Error: syntax error",
        is_local=True,
    ),
    _kind("deadlock", About.JOB, of=r"deadlock detected|Deadlock found", is_local=True),
    _kind(
        "statement took too long",
        About.JOB,
        of=r"canceling statement due to statement timeout|Statement reached its statement or"
        r" warehouse timeout|maximum statement execution time exceeded",
        is_local=True,
    ),
    _kind(
        "relation is missing",
        About.RELATION,
        of=rf"relation {_TABLE} does not exist"
        r"|(?:Object|Schema|Database|View|Table) '(?P<what2>[^']+)' does not exist or not authorized"
        r"|(?i:table|view) [\"'`](?P<what3>[^\"'`]+)[\"'`] (?:doesn't|does not) exist"
        r"|Table with name (?P<what4>\S+) does not exist"
        r"|TABLE_OR_VIEW_NOT_FOUND\] The table or view (?P<what5>[\w.`\"]+)"
        r"|Table or view not found:? (?P<what6>[\w.`\"]+)|no such table: (?P<what7>[\w.]+)"
        r"|Not found: (?:Table|Dataset) (?P<what8>[\w.:-]+)|Invalid object name '(?P<what9>[^']+)'",
    ),
    _kind(
        "node is missing",
        About.NAMED,
        of=rf"depends on a (?:node|source|macro) named {_QUOTED} which was not found",
        is_local=True,
    ),
    _kind(
        "column is missing",
        About.NAMED,
        About.MODEL,
        of=r"invalid identifier '(?P<what>[^']+)'|column \"?(?P<what2>[\w.]+)\"? does not exist"
        r"|Unknown column '(?P<what3>[^']+)'|Unrecognized name: (?P<what4>\w+)"
        r"|Invalid column name '(?P<what5>[^']+)'",
        is_local=True,
    ),
    _kind("test fails", About.NAMED, of=r"(?:Failure|Error) in test (?P<what>\w+)", is_local=True),
    _kind(
        "key exists already",
        About.NAMED,
        of=rf"violates unique constraint {_QUOTED}",
        is_local=True,
    ),
    _kind(
        "permission is denied",
        About.NAMED,
        of=r"permission denied for (?P<what>(?:schema|table|relation|database|view|function)"
        r" [\w.\"]+)|Insufficient privileges to operate on (?P<what2>\w+ '[^']+')",
    ),
    _kind(
        "permission is denied",
        About.HOST,
        About.EXACT,
        of=r"\((?:AccessDenied|UnauthorizedOperation|AccessDeniedException)\) when calling"
        r" the (?P<what>\w+) operation",
        is_local=True,
    ),
    _kind(
        "state is locked",
        About.COMMAND,
        of=r"Error acquiring the state lock(?:.*?Path: +(?P<what>\S+))?",
    ),
    # the network, from the name to the answer
    _kind(
        "certificate has expired",
        About.HOST,
        of=r"(?i:certificate has expired|x509: certificate has expired)",
    ),
    _kind(
        "certificate is not trusted",
        About.HOST,
        of=r"(?i:certificate verify failed|SSL certificate problem|x509: |self.signed certificate)",
    ),
    _kind(
        "name is unknown",
        About.HOST,
        of=r"(?i:could not resolve host|name or service not known|no such host|failed to resolve"
        r"|temporary failure in name resolution|nodename nor servname)|\bENOTFOUND\b|\bEAI_AGAIN\b"
        r"|\bUnknownHostException\b",
    ),
    _kind(
        "connection was lost",
        About.HOST,
        of=r"Lost connection to MySQL server|server has gone away|(?i:connection reset)"
        r"|server closed the connection unexpectedly|connection has been closed unexpectedly",
    ),
    _kind("connection is refused", About.HOST, of=r"(?i:connection refused|ECONNREFUSED)"),
    _kind("no answer", About.HOST, of=r"Read timed out|ReadTimeout|Operation too slow"),
    _kind(
        "out of reach",
        About.HOST,
        of=r"i/o timeout|ConnectTimeout|(?i:connection (?:to \S+ )?timed out|connect timeout)"
        r"|ETIMEDOUT|ServerSelectionTimeoutError|No route to host|Network is unreachable|EHOSTUNREACH",
    ),
    _kind("pulls of images are rationed", of=r"\btoomanyrequests\b"),
    _kind(
        "requests are rationed",
        About.HOST,
        of=r"\b429\b.{0,40}(?i:too many requests)"
        r"|(?i:rate limit exceeded)",
    ),
    _kind(
        "401 unauthorized",
        About.HOST,
        of=r"\b401\b.{0,20}(?i:unauthorized|client error)|(?i:HTTP error 401)",
    ),
    _kind(
        "403 forbidden",
        About.HOST,
        of=r"\b403\b.{0,20}(?i:forbidden|client error)|returned error: 403|(?i:HTTP error 403)",
        is_local=True,
    ),
    _kind(
        "server error",
        About.EXACT,
        About.HOST,
        of=r"\b(?P<what>50\d) Server Error|Server error '(?P<what2>50\d)|returned error: (?P<what3>50\d)"
        r"|(?i:HTTP error) (?P<what4>50\d)",
    ),
    # what a job is made of
    _kind(
        "image does not build",
        About.JOB,
        of=r"failed to solve: process|did not complete successfully: exit code",
        is_local=True,
    ),
    _kind(
        "image is missing",
        About.EXACT,
        of=r"manifest for (?P<what>\S+) not found|pull access denied for (?P<what2>[^\s,]+)"
        r"|failed to pull image \"(?P<what3>[^\"]+)\".*(?:manifest unknown|not found)",
    ),
    _kind(
        "package is missing",
        About.EXACT,
        of=r"satisfies the requirement (?P<what>\S+)|No matching distribution found for (?P<what2>\S+)"
        r"|'(?P<what3>@?[\w./-]+@[^']+)' is not in (?:this|the npm) registry"
        r"|Unable to locate package (?P<what4>\S+)",
    ),
    _kind("module is missing", About.EXACT, of=r"No module named '?(?P<what>[\w.]+)'?"),
    _kind(
        "command is missing",
        About.EXACT,
        of=r"(?:\b\d{1,9}: |^)(?P<what>[\w./-]+): (?:command )?not found|exec: \"(?P<what2>[^\"]+)\":"
        r" executable file not found",
    ),
    _kind(
        "artifacts are too large",
        About.JOB,
        of=r"413 (?:Payload|Request Entity|Content) Too Large",
        is_local=True,
    ),
    _kind("variable is not set", About.EXACT, of=r"\b(?P<what>\w+): unbound variable"),
    _kind(
        "file is missing",
        About.COMMAND,
        of=r"(?<!\S)(?P<what>[^\s:]+): No such file or directory"
        r"|No such file or directory: '(?P<what2>[^']+)'",
        is_local=True,
    ),
)
"""In this order: the first that fits is the one."""
