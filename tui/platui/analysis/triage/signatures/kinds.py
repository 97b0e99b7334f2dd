"""Named kinds of frequent failures, recognized by many error texts."""

from __future__ import annotations

import re
from enum import Enum
from typing import Final

from platui.analysis.errors.rule import entries
from platui.core.named_tuple import NamedTuple


class About(Enum):
    HOST = "host"  # The machine
    NAMED = "named"  # The group `what` of the pattern, case-insensitive
    RELATION = "relation"  # The same for a table; its full name if the statement is quoted
    EXACT = "exact"  # The same, case-sensitive
    COMMAND = "command"  # The same without values that change from run to run
    MODEL = "model"  # The dbt model
    JOB = "job"  # The failed job
    TAGS = "tags"  # The tags of the job


class Kind(NamedTuple):
    name: str  # Shown on the board before the subject
    key: str  # Part of the keys of stored acknowledgements: stays when the name changes
    pattern: re.Pattern[str]  # Searched in the error text
    about: tuple[About, ...]
    is_local: bool = False  # Whether equal failures of two projects are unrelated
    reasons: frozenset[str] = frozenset()  # Values of the platform's `failure_reason`
    is_symptom: bool = False  # Whether the actual cause is unknown
    without_subject: str = ""  # Shown instead of the name if the subject is unknown


def _kind(
    head: str, *, of: str, key: str = "", reasons: str = "", without_subject: str = ""
) -> Kind:
    name, _, words = head.partition(":")
    others = words.split()
    return Kind(
        name,
        key or name,
        re.compile(of),
        tuple(About[word] for word in others if word.isupper()),
        is_local="local" in others,
        reasons=frozenset(filter(None, re.split(r", ?", reasons))),
        is_symptom="symptom" in others,
        without_subject=without_subject,
    )


STUCK: Final = "stuck_or_timeout_failure"  # No runner took the job, or the runner was lost


_TABLE: Final = r"[\"'`]?(?P<what>\w[\w$#.:\"'`-]{0,200})"
_QUOTED: Final = r"[\"'`](?P<what>[^\"'`]+)[\"'`]"

# The first match counts.
KINDS: Final = tuple(
    _kind(head, **fields)
    for head, fields in entries(
        r"""
# machines first: they cause other errors
no runner for: TAGS
  of: (?!)
  reasons: no_matching_runner, {stuck}, stuck_pending_no_matching_runners,
    stuck_pending_with_matching_runners
  without_subject: no runner took the job
took too long: JOB local symptom
  of: execution took longer than|script could not run to completion because the timeout
  reasons: job_execution_timeout
no pod was started:
  of: waiting for pod running: timed out
executors lost, out of memory: JOB local
  of: ExecutorLostFailure|Container killed by YARN
out of memory: COMMAND JOB local
  of: \bOOMKilled\b|\bKilled\b(?:\s+(?P<what>\S.*))?$|\bOutOfMemoryError\b|\bMemoryError\b
    |\bOut of memory\b|Cannot allocate memory|JavaScript heap out of memory|exit code 137
disk is full: local
  of: No space left on device|disk quota exceeded
# authentication
password has expired: HOST
  of: (?i:password (?:of|for) user \S+ has expired|password (?:has|is) expired)
token has expired: HOST
  of: \(ExpiredToken(?:Exception)?\)|(?i:(?:token|credentials?) (?:has |have |is |are )?expired
    |expired token|jwt expired)
authentication failed: HOST NAMED
  key: login is refused
  of: password authentication failed for user (?P<what>\S+)|Incorrect username or password
    |Access denied for user (?P<what2>\S+)|Login failed for user (?P<what3>\S+)
    |Authentication failed|HTTP Basic: Access denied
# warehouses
quota exceeded: NAMED
  key: quota is used up
  of: resource monitor '(?P<what>[^']+)' has exceeded|cluster \"(?P<what2>[^\"]+)\" is paused
no connections left: HOST
  of: too many clients|remaining connection slots|[Tt]oo many connections|QueuePool limit of size
SQL syntax error: NAMED MODEL local
  key: does not parse
  of: syntax error(?: line \d+ at position \d+ unexpected| at or near) [\"'](?P<what>[^\"']+)
    |You have an error in your SQL syntax(?:.*near '(?P<what2>[^']+))?|(?:Parser
    |Syntax) Error: syntax error
deadlock: JOB local
  of: deadlock detected|Deadlock found
statement took too long: JOB local
  of: canceling statement due to statement timeout
    |Statement reached its statement or warehouse timeout|maximum statement execution time exceeded
relation is missing: RELATION
  of: relation {table} does not exist|(?:Object|Schema|Database|View
    |Table) '(?P<what2>[^']+)' does not exist or not authorized|(?i:table
    |view) [\"'`](?P<what3>[^\"'`]+)[\"'`] (?:doesn't|does not) exist
    |Table with name (?P<what4>\S+) does not exist
    |TABLE_OR_VIEW_NOT_FOUND\] The table or view (?P<what5>[\w.`\"]+)
    |Table or view not found:? (?P<what6>[\w.`\"]+)|no such table: (?P<what7>[\w.]+)
    |Not found: (?:Table|Dataset) (?P<what8>[\w.:-]+)|Invalid object name '(?P<what9>[^']+)'
node is missing: NAMED local
  of: depends on a (?:node|source|macro) named {quoted} which was not found
column is missing: NAMED MODEL local
  of: invalid identifier '(?P<what>[^']+)'|column \"?(?P<what2>[\w.]+)\"? does not exist
    |Unknown column '(?P<what3>[^']+)'|Unrecognized name: (?P<what4>\w+)
    |Invalid column name '(?P<what5>[^']+)'
test failed: NAMED local
  key: test fails
  of: (?:Failure|Error) in test (?P<what>\w+)
duplicate key: NAMED local
  key: key exists already
  of: violates unique constraint {quoted}
permission is denied: NAMED
  of: permission denied for (?P<what>(?:schema|table|relation|database|view|function) [\w.\"]+)
    |Insufficient privileges to operate on (?P<what2>\w+ '[^']+')
permission is denied: HOST EXACT local
  of: \((?:AccessDenied|UnauthorizedOperation
    |AccessDeniedException)\) when calling the (?P<what>\w+) operation
state is locked: COMMAND
  of: Error acquiring the state lock(?:.*?Path: +(?P<what>\S+))?
# network
certificate has expired: HOST
  of: (?i:certificate has expired|x509: certificate has expired)
certificate is not trusted: HOST
  of: (?i:certificate verify failed|SSL certificate problem|x509: |self.signed certificate)
host name not found: HOST
  key: name is unknown
  of: (?i:could not resolve host|name or service not known|no such host|failed to resolve
    |temporary failure in name resolution|nodename nor servname)|\bENOTFOUND\b|\bEAI_AGAIN\b
    |\bUnknownHostException\b
connection was lost: HOST
  of: Lost connection to MySQL server|server has gone away|(?i:connection reset)
    |server closed the connection unexpectedly|connection has been closed unexpectedly
connection is refused: HOST
  of: (?i:connection refused|ECONNREFUSED)
read timed out: HOST
  key: no answer
  of: Read timed out|ReadTimeout|Operation too slow
host unreachable: HOST
  key: out of reach
  of: i/o timeout|ConnectTimeout|(?i:connection (?:to \S+ )?timed out|connect timeout)|ETIMEDOUT
    |ServerSelectionTimeoutError|No route to host|Network is unreachable|EHOSTUNREACH
image pull limit exceeded:
  key: pulls of images are rationed
  of: \btoomanyrequests\b
rate limit exceeded: HOST
  key: requests are rationed
  of: \b429\b.{0,40}(?i:too many requests)|(?i:rate limit exceeded)
401 unauthorized: HOST
  of: \b401\b.{0,20}(?i:unauthorized|client error)|(?i:HTTP error 401)
403 forbidden: HOST local
  of: \b403\b.{0,20}(?i:forbidden|client error)|returned error: 403|(?i:HTTP error 403)
server error: EXACT HOST
  of: \b(?P<what>50\d) Server Error|Server error '(?P<what2>50\d)|returned error: (?P<what3>50\d)
    |(?i:HTTP error) (?P<what4>50\d)
# contents of jobs
image build failed: JOB local
  key: image does not build
  of: failed to solve: process|did not complete successfully: exit code
image is missing: EXACT
  of: manifest for (?P<what>\S+) not found|pull access denied for (?P<what2>[^\s,]+)
    |failed to pull image \"(?P<what3>[^\"]+)\".*(?:manifest unknown|not found)
package is missing: EXACT
  of: satisfies the requirement (?P<what>\S+)|No matching distribution found for (?P<what2>\S+)
    |'(?P<what3>@?[\w./-]+@[^']+)' is not in (?:this|the npm) registry
    |Unable to locate package (?P<what4>\S+)
module is missing: EXACT
  of: No module named '?(?P<what>[\w.]+)'?
command is missing: EXACT
  of: (?:\b\d{1,9}: |^)(?P<what>[\w./-]+): (?:command )?not found
    |exec: \"(?P<what2>[^\"]+)\": executable file not found
artifacts are too large: JOB local
  of: 413 (?:Payload|Request Entity|Content) Too Large
variable is not set: EXACT
  of: \b(?P<what>\w+): unbound variable
file is missing: COMMAND local
  of: (?<!\S)(?P<what>[^\s:]+): No such file or directory
    |No such file or directory: '(?P<what2>[^']+)'
test failed: EXACT local
  key: pytest
  of: ^FAILED (?P<what>\S+\.py::\S+)
""",
        table=_TABLE,
        quoted=_QUOTED,
        stuck=STUCK,
    )
)
