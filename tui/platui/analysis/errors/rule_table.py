"""The table of error rules: the first rule that matches a line names its error."""

from __future__ import annotations

from typing import Final

from platui.analysis.errors.rule import VERDICT, rules

_JAVA_NAME: Final = (
    r"(?:java|javax|scala|kotlin|org|com|net|io|py4j)(?:\.[a-z_]\w*)+"
    r"\.(?:[A-Z][\w$]*)?(?:Exception|Error|Throwable|Failure)"
)
_POSTGRES_MORE: Final = (
    r"LINE \d+:|\s+\^|(?:DETAIL|HINT|CONTEXT|STATEMENT|QUERY|WHERE): |\s{2,}(?:error|code|query): "
)
_NEGATIVE_HINTS: Final = (
    "error, fail, cannot, could not, denied, does not exist, timed out, unable to, not found"
)
_NOT_A_LEVEL: Final = (
    r"\bON ERROR\b|\b(?:PASS|WARN|OK|SKIP)\W{1,3}(?:FAIL|ERROR)"
    r"|\bERROR\W{1,3}(?:SKIP|WARN|FATAL|PASS)\b|\bERROR\b\s*[=:]\s*0\b|\bERROR_|[/\\]ERROR\b"
)

ERROR_RULES: Final = rules(
    r"""
# runner
timeout STOPPED calm: job failed
  pattern: {verdict}: (?:execution took longer than|.*(?:timeout|deadline exceeded))
canceled VERDICT calm: job failed
  pattern: {verdict}: (?:canceled|aborted)
runner STOPPED calm: job failed
  pattern: {verdict} \(system failure\)
runner STOPPED calm: job failed
  pattern: {verdict}: (?:failed to pull|prepare environment|adding volume|no space)
job VERDICT calm: job failed
  pattern: {verdict}
runner NOTICE: preparation failed, failed to pull image
  pattern: (?:ERROR|WARNING): (?:Preparation failed|Failed to pull image)
  unless: ^WARN
artifacts TOOL: error, fatal
  pattern: ^(?:ERROR|FATAL): (?:Uploading artifacts|No files to upload)
artifacts TOOL: error, fatal
  pattern: ^(?:ERROR|FATAL): Downloading artifacts
# dbt and related tools
dbt CAUSE FOLLOWED calm: error in
  pattern: \b(?:Database|Compilation|Runtime|Parsing|Dependency|Validation|Internal|dbt
    |Semantic) Error in (?:\w+ ?)+
  goes_on: \s+\S
dbt CAUSE FOLLOWED calm: failure in
  pattern: \bFailure in (?:unit_?)?(?:test|contract|model|seed|snapshot|source)\b
  goes_on: \s+\S
dbt CAUSE FOLLOWED calm: encountered an error
  pattern: ^(?:\S+ {1,2})?Encountered an error:?
  goes_on: \S*(?:\w+ )*Error\b|\s+\S
dbt CAUSE FOLLOWED calm: error
  pattern: ^(?:\S+ {1,2})?(?:Compilation|Runtime|Parsing|Database) Error$
  goes_on: \s+\S
dbt TOOL calm: error, fail
  pattern: \b\d+ of \d+ (?:ERROR|FAIL)\b(?! 0 )
  also: " of "
dbt SUMMARY calm: error
  pattern: \bCompleted with [1-9]\d* errors?\b
great_expectations CAUSE: validation failed, validation has failed
  pattern: (?i:\bvalidation (?:has )?failed\b)
airflow CAUSE calm: failure caused by, broken dag error
  pattern: \bFailure caused by \S|\bBroken DAG\b
airflow TOOL calm: return code
  pattern: return code (?:Negsignal\.|-\d)
docker END: return code, exited with code
  pattern: ^[\w.-]+ exited with code [1-9]
airflow END: task failed, error, failed to execute job
  pattern: Task failed with exception|Task exited with return code [1-9]|Failed to execute job \d
sqlfluff GENERIC: fail
  pattern: ^== \[.+\] FAIL$
spark CAUSE STACK calm: exception, failure
  pattern: Job aborted due to stage failure|Job aborted\.
spark CAUSE FOLLOWED calm: sqlstate
  pattern: \[[A-Z][A-Z_.]{4,}\] .*SQLSTATE: \w{5}
  goes_on: ==|\s+\S|\^|'\w+ |[+:]-[ ]
meltano TOOL: failed, error, could not
  pattern: \b(?:Block run|Run|ELT|Extraction|Loading|Extractor|Loader) (?:completed|failed
    |could not)\b.*(?:fail|error|exit)|\bELT could not be completed\b
  also: "Block run", "ELT", "Extract", "Load", "Run"
# databases and their clients
postgres CAUSE FOLLOWED calm: error, fatal, panic
  pattern: (?:^psql:\S+:\d+: |^psql: (?:error: )?|^\S+ (?:\S+ )*?|^)(?:ERROR|FATAL|PANIC): {2}\S
  goes_on: {more}
  also: "ERROR:  ", "FATAL:  ", "PANIC:  "
postgres CAUSE FOLLOWED calm: error, could not connect
  pattern: ^psql: (?:error|could not)|could not connect to server:[ ]
  goes_on: \s+\S|{more}
  also: "psql", "server"
snowflake CAUSE FOLLOWED calm: {says_no}
  pattern: (?:^|[\s:])\d{6} \((?:[0-9A-Z]{5}|None)\):[ ]
  goes_on: (?:syntax error|Object|Invalid|invalid|Unexpected|unexpected|Database|Schema|Table|View
    |Function|Unknown|SQL|Error) .*|\s+\S
  also: "): "
bigquery CAUSE calm: bigquery error, error processing job, access denied, not found table,
    not found dataset, not found job, not found project, not found model, syntax error
  pattern: BigQuery error in|Error processing job|\bAccess Denied: (?:Table|Project|Dataset|BigQuery
    |User)|\bNot found: (?:Table|Dataset|Job|Project|Model)|\bSyntax error: (?:Unexpected|Expected)
duckdb CAUSE FOLLOWED calm: error
  pattern: \b(?:Catalog|Binder|Parser|Conversion|IO|Constraint|Invalid Input|Out of Memory
    |Transaction|Serialization|Permission|HTTP|Not implemented|INTERNAL) Error: \S
  goes_on: LINE \d+:|\s+\^|Did you mean|Candidate
  also: " Error: "
oracle CAUSE FOLLOWED calm: error at line
  pattern: ^ERROR at line \d+:
  goes_on: ORA-\d{5}|PLS-\d{5}
oracle CAUSE FOLLOWED calm: {says_no}
  pattern: \b(?:ORA|PLS|TNS|SP2|RMAN|IMP|EXP|SQL\*Loader)-\d{3,5}:[ ]
  goes_on: ORA-\d{5}|PLS-\d{5}
  also: "ORA-", "PLS-", "TNS-", "SP2-", "RMAN-", "IMP-", "EXP-", "Loader-"
mysql CAUSE calm: error, access denied
  pattern: ^ERROR \d{4} \([0-9A-Z]{5}\)|\(\d{4}, [\"'](?:Access denied|Can't connect|Unknown|Table
    |Lost connection|You have an error)
sqlserver CAUSE FOLLOWED calm: msg level state
  pattern: \bMsg \d+, Level 1[1-9]|\bMsg \d+, Level 2\d
  goes_on: \S.*
sqlserver CAUSE calm: {says_no}
  pattern: ^Sqlcmd: Error: |\[Microsoft\]\[ODBC Driver \d+ for SQL Server\].*\[SQL Server\]
  also: "Sqlcmd", "SQL Server"
trino CAUSE calm: failed
  pattern: \bQuery \d{8}_\w+ failed:[ ]
trino CAUSE calm: error type, usererror, query failed
  pattern: \b(?:Trino|Presto)(?:User|Query|Connection|External)?Error\(
redshift CAUSE calm: failed, error
  pattern: Load into table .* failed|Spectrum Scan Error|Check '(?:stl|sys)_load_errors?
odbc CAUSE calm: sqlstate
  pattern: \bSQLSTATE\[\w{5}\]
sqlite CAUSE: parse error, runtime error, sqlite error, error near
  pattern: ^(?:Parse|Runtime) error(?: near line \d+)?: |^Error: near line \d+:[ ]
# tools
ansible TOOL: fatal, failed
  pattern: ^(?:fatal|failed): \[\S+\].*(?:FAILED!|UNREACHABLE!|=>)
git TOOL: fatal
  pattern: ^(?:remote: )?fatal: \S
git TOOL: error
  pattern: ^error: (?:failed to push|pathspec|src refspec|Your local)
git TOOL: remote error, http basic access denied
  pattern: ^remote: (?:ERROR|error|HTTP Basic: Access denied)
pip TOOL: error could not, error no matching, error cannot, error failed building, error resolution,
    subprocess exited with error, error invalid requirement
  pattern: ^(?:  )?(?:ERROR|error): (?:Could not|No matching|Cannot install|Failed building
    |ResolutionImpossible|Invalid requirement|subprocess-exited-with-error)
    |error: subprocess-exited-with-error
npm TOOL RUN: npm err, error command failed
  pattern: ^npm (?:ERR!|error) |^error Command failed
  goes_on: npm (?:ERR!|error)(?: |$)
yarn TOOL: error
  pattern: ^error (?:An|[A-Z][a-z']{2,}|\S+@\S+:) \S
pnpm TOOL: err pnpm
  pattern: ^\s*ERR_PNPM_\w+\s+\S
docker TOOL: error response from daemon, failed to solve, failed to compute, pull access denied,
    error, failed to build
  pattern: Error response from daemon: |failed to solve|failed to compute cache|pull access denied
    |manifest (?:for .* )?(?:unknown|not found)|^Failed to build[ ]
  unless: did not complete successfully: exit code
docker END: error, failed to solve
  pattern: did not complete successfully: exit code
docker TOOL: denied, unauthorized
  pattern: ^(?:denied|unauthorized): \S
kubernetes TOOL: error from server, refused
  pattern: ^Error from server(?: \(\w+\))?: |^The connection to the server .* was refused
kubernetes TOOL calm: failed
  pattern: \bFailed to pull image "|^\s*Warning +Failed\w+[ ]
helm TOOL: upgrade failed, installation failed
  pattern: \b(?:UPGRADE|INSTALLATION|ROLLBACK) FAILED\b
terraform CAUSE FOLLOWED: error
  pattern: ^(?:│ |\| )?Error: \S
  unless: ^Error:[ ]
  goes_on: │|\|\s
curl TOOL: curl
  pattern: ^curl: \(\d+\)[ ]
http TOOL: client error, server error, httperror
  pattern: \b[45]\d\d (?:Client|Server) Error\b|\bHTTP Error [45]\d\d\b
wget TOOL: error, unable to
  pattern: \bERROR \d{3}: \S|^wget: (?:unable|server returned error)
  also: "ERROR ", "wget"
aws TOOL: an error occurred
  pattern: An error occurred \(\w+\) when calling
gcloud TOOL: error gcloud
  pattern: ^ERROR: \(gcloud\.[\w.-]+\)
cmake TOOL FOLLOWED: error
  pattern: ^CMake Error\b
  goes_on: \s+\S
make TOOL: no rule to make
  pattern: ^g?make(?:\[\d+\])?: \*\*\* No rule to make target
make END: error
  pattern: ^g?make(?:\[\d+\])?: \*\*\*[ ]
kotlin TOOL: unresolved, error
  pattern: ^e: \S+
gradle TOOL calm: build failed, build failure
  pattern: ^(?:FAILURE: Build failed|BUILD FAILED|\[INFO\] BUILD FAILURE)
maven SUMMARY: error tests run
  pattern: ^\[ERROR\] Tests run: \d
maven TOOL: error
  pattern: ^\[ERROR\] (?:Failed to execute|COMPILATION ERROR|\S)
sbt TOOL: error
  pattern: ^\[error\] \S+\.\w+:\d+(?::\d+)?: \S
compiler TOOL: error
  pattern: ^\S+[:(]\d+(?:[:,]\d+)?\)?: (?:fatal )?error\b
compiler TOOL: undefined
  pattern: ^\S+\.\w+:\d+:\d+: undefined: \S
linker TOOL: undefined, multiple definition, cannot find, relocation
  pattern: \bundefined reference to\b|\bUndefined symbols for\b|\bmultiple definition of\b
    |\bld(?:\.\w+)?: cannot find -l|: relocation \w+ against\b
assertion CAUSE: fail
  pattern: \bAssertion\b.* failed\b|\bAssertion failed\b
  also: "Assertion"
ssh TOOL: host key verification failed, permission denied publickey
  pattern: ^Host key verification failed|Permission denied \(publickey
apt TOOL: unable to, failed, could not, error
  pattern: ^E: (?:Unable to|Package|Failed|Could not|Sub-process)
tls TOOL: certificate verify failed
  pattern: (?i:certificate verify failed)
# languages and their test runners
python CAUSE TRACEBACK calm: traceback
  pattern: (?:Traceback \(most recent call last\):|Exception Group Traceback)
go CAUSE GOROUTINES calm: panic
  pattern: ^(?:\S+ )*?panic:[ ]
go CAUSE GOROUTINES calm: fatal error
  pattern: ^fatal error: (?:all goroutines|concurrent|runtime|stack)
rust CAUSE calm: panicked at
  pattern: ^thread '.*' (?:\(\d+\) )?panicked at
java CAUSE STACK calm: exception, error
  pattern: ^(?:Exception in thread \"|Caused by: )|(?:^|^: |\s){java}(?:: |$)
  also: "Exception", "Error", "Throwable", "Failure", "Caused by"
pytest CAUSE FOLLOWED: error, exception, fail, not found
  pattern: ^E {3,}(?:[\w.]*(?:Error|Exception|Failed)\b|assert|fixture '.*' not found)
  goes_on: E\s
pytest GENERIC: fail required test coverage
  pattern: ^FAIL Required test coverage
pytest TOOL: failed, error
  pattern: ^(?:FAILED|ERROR) \S+\.py::\S.* - \S
pytest SUMMARY: failed, error
  pattern: ^(?:FAILED|ERROR) \S+\.py(?:::\S+)?
pytest SUMMARY: failed, error
  pattern: ^=*\s*(?:\d+ \w+, )*[1-9]\d* (?:failed|errors?)\b.* in [\d.]+s
tests TOOL: fail
  pattern: ^\s*(?:--- FAIL: |FAIL(?:\t|\s+\S+\.[jt]sx?\b))
tests SUMMARY: fail
  pattern: ^(?:FAILED \((?:failures|errors)=|FAIL$|Tests?:? .*[1-9]\d* failed|Failed tests:
    |test result: FAILED)
rspec TOOL: failure error
  pattern: ^\s*Failure/Error:
pre-commit SUMMARY: failed
  pattern: \.{6}Failed$
  also: "......Failed"
unittest TOOL: error, fail
  pattern: ^(?:ERROR|FAIL): \w+ \([\w.]+\)
tests TOOL: fail
  pattern: ^FAIL: \S|^Failed asserting that[ ]
eslint TOOL: error
  pattern: ^\s+\d+:\d+ +error {2}\S
node CAUSE STACK: error
  pattern: ^(?:(?:Uncaught |\[?Unhandled\w*\]? ?)(?:[A-Z]\w*)?Error|Error
    |(?:[A-Z]\w*)?Error \[\w+\]): \S
  unless: ^Error: (?:0|none)\b
exception CAUSE STACK calm: error, exception
  pattern: ^(?:[A-Z]\w*(?:Error|Exception)|Exception): +\S
python CAUSE calm: error, exception, not found, timed out
  pattern: ^(?:[a-z_]\w*\.)+[A-Z]\w*(?:Error|Exception|Interrupt|Timeout|NotFound|Exit)(?::\s+\S|$)
    |^(?:psycopg\d?|asyncpg|pymysql|sqlalchemy|botocore|google|azure|airflow|dagster|prefect)
    \.(?:\w+\.)*[A-Z]\w+: \S
rust CAUSE FOLLOWED: error
  pattern: ^error\[E\d{4}\]:[ ]
  goes_on: \s+(?:-->|\||\d+ \||=)
# shells and systems
memory CAUSE: killed, out of memory
  pattern: \bline \d+: +\d+ Killed\b|^Killed$|\bOOMKilled\b|(?i:\bout of memory\b)|oom-kill
crash CAUSE: segmentation fault, core dumped, bus error
  pattern: Segmentation fault|\(core dumped\)|\bBus error\b
disk CAUSE calm: no space left
  pattern: (?i:no space left on device)
shell TOOL: not found
  pattern: (?:^|: )(?:\S*sh|\S+\.sh): (?:line )?(?:\d+: )?.+: (?:command )?not found
    |: command not found\b|executable file not found in|^\w+ was not found\b
shell TOOL: no such file
  pattern: \bNo such file or directory\b
  unless: \(ignored\)
shell TOOL: permission denied
  pattern: (?i:\bpermission denied\b)
shell TOOL: unbound variable
  pattern: : unbound variable$
shell TOOL: syntax error
  pattern: : syntax error (?:near unexpected token|: unexpected)|: [Ss]yntax error:[ ]
shell TOOL: cannot
  pattern: ^\S+: cannot \w+ .*: \S|: cannot execute
network TOOL: connection refused, connection timed out, could not resolve, temporary failure in name
  pattern: (?i:connection (?:refused|timed out)|could not resolve (?:host|proxy)
    |temporary failure in name resolution)
# generic
log GENERIC: error, fatal, critical, panic
  pattern: (?i:(?:^|[\s{,])[\"']?(?:level|lvl|severity|levelname|log[._]level
    |loglevel)[\"']?\s*[=:]\s*[\"']?{level}\b)
  also: "level", "lvl", "everity", "LEVEL", "Level"
log GENERIC: error
  pattern: ^(?:##\[|::)error
log GENERIC: error, fatal, critical, panic
  pattern: (?:^|[\s\[(|<:\-*])(?:ERROR|FATAL|CRITICAL|PANIC)(?=[\s\]):>|\-,!\[]|$)
  unless: {not_a_level}
  also: "ERROR", "FATAL", "CRITICAL", "PANIC"
error GENERIC: error, fatal
  pattern: (?:^|[\s\]:])(?:[Ff]atal |[Ii]nternal |[Uu]nexpected )?(?:[Ee]rror
    |[Ff]atal)(?: ?\([\w .-]+\)| [A-Z]{1,4}-?\d+| \d{2,5}|\[[\w-]+\])?: +\S
  also: "rror", "atal"
error GENERIC: error, exception
  pattern: (?:^|[\s\]:])(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception)(?: \[\w+\])?: +\S
  unless: \bexcept\b|\braises?\b
  also: "Error: ", "Exception: ", "] : ", "]: "
error GENERIC: error
  pattern: (?i:^\W*(?:an )?(?:unexpected |unhandled |internal |fatal )?error (?:occurred|while|when
    |during|in|on|reading|writing|parsing|loading|creating|executing|connecting|processing|running
    |opening|opening)\b)
failure NOTICE: failed, failure
  pattern: (?:^|^\S+ |: |\] |- )(?:FAILED|FAILURE|Failed|failed)(?= to\b|: \S|!|$| -| with\b)
  unless: (?i:\bif\b|\bunless\b|\b0 failed|\bnot failed)
failure NOTICE: unable to, could not, cannot
  pattern: (?:^\W*|^\S+: |\] )(?:Unable to|unable to|Could not|could not|Cannot|cannot) \w+
  unless: (?i:\bif\b|\bunless\b|\bwhen you\b)
failure END: failed, error
  pattern: (?i:\b(?:failed|error).{0,40}\b(?:exit )?(?:status|code):? [1-9]\d*\b)
  also: "status", "code", "Status", "Code"
failure SUMMARY: failed
  pattern: (?i:^\W*[1-9]\d* (?:\w+ )?failed\b)
""",
    verdict=f"^{VERDICT}",
    java=_JAVA_NAME,
    more=_POSTGRES_MORE,
    says_no=_NEGATIVE_HINTS,
    level=r"(?:error|err|fatal|critical|panic|dpanic)",
    not_a_level=_NOT_A_LEVEL,
)
