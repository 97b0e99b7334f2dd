"""The last words of a script that fails, cause by cause."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.emulator.world import causes
from platui.emulator.world.clockwork import moment
from platui.emulator.world.logs.dbt_errors import is_said_by_dbt
from platui.emulator.world.logs.writing import ESC, Kind

if TYPE_CHECKING:
    from platui.emulator.world.logs.writing import Draft
    from platui.emulator.world.plans import Attempt, Run

_DBT: Final = frozenset({"dbt_run", "dbt_test", "freshness"})


def fail(draft: Draft, job: Run, attempt: Attempt) -> None:
    """Write why the script fails, where its own program has not said it."""
    cause = attempt.cause
    if cause is None or (is_said_by_dbt(cause) and attempt.spec.work in _DBT):
        return
    soft = _SOFT.get(attempt.spec.work) if cause is causes.SOFT_FAILURE else None
    words = _WORDS.get(cause.key, soft)
    if words is None:
        return  # the runner says the rest: it stopped the script
    source, subject = job.blueprint.source, attempt.spec.subject or job.blueprint.entities[0]
    values = {
        "source": source,
        "path": job.blueprint.record.full_path,
        "host": source.replace("_", "-"),
        "subject": subject,
        "package": "acme_sync" if attempt.spec.work == "sync" else "acme_ingest",
        "field": _FIELDS[attempt.story % len(_FIELDS)],
        "page": 2 + attempt.story % 17,
        "name": attempt.spec.name,
        "line": 12 + attempt.story % 9,
        "pid": 40 + attempt.story % 200,
        "commit": job.commit.sha[:8],
        "query": f"{attempt.story % (1 << 48):012x}",
        "day": f"{moment(attempt.created):%Y-%m-%d %H:%M:%S}",
        "project": job.blueprint.package,
    }
    if attempt.spec.work in {"load", "sync"} and cause is not causes.OUT_OF_MEMORY:
        draft.logged(f"ERROR    {values['package']}.{source}: {subject} failed", 0.5)
    draft.block(words.format(**values), kind=Kind.ERROR)


_FIELDS: Final = (
    "shipping_address", "billing_country", "customer_ref", "price_list_id", "consent_source",
)  # fmt: skip

_HTTP_FRAMES: Final = """\
Traceback (most recent call last):
  File "<frozen runpy>", line 198, in _run_module_as_main
  File "<frozen runpy>", line 88, in _run_code
  File "/usr/local/lib/python3.11/site-packages/{package}/{source}/__main__.py", line 41, in <module>
    main()
  File "/usr/local/lib/python3.11/site-packages/{package}/{source}/__main__.py", line 36, in main
    run(arguments)
  File "/usr/local/lib/python3.11/site-packages/{package}/runner.py", line 112, in run
    for page in client.pages("{subject}", size=500):
  File "/usr/local/lib/python3.11/site-packages/{package}/client.py", line 87, in pages
    answer = self._get(path, page=page)
  File "/usr/local/lib/python3.11/site-packages/tenacity/__init__.py", line 336, in wrapped_f
    return copy(f, *args, **kw)
"""  # noqa: E501  (as Python writes it)

_TOKEN_EXPIRED: Final = (
    _HTTP_FRAMES
    + """\
  File "/usr/local/lib/python3.11/site-packages/{package}/client.py", line 104, in _get
    response.raise_for_status()
  File "/usr/local/lib/python3.11/site-packages/requests/models.py", line 1024, in raise_for_status
    raise HTTPError(http_error_msg, response=self)
requests.exceptions.HTTPError: 401 Client Error: Unauthorized for url: https://api.{host}.example/v2/{subject}?page={page}
{package}.errors.SourceUnauthorized: 401 from source API: token expired
"""
)

_CONNECTION_ERROR: Final = """\
Traceback (most recent call last):
  File "/usr/local/lib/python3.11/site-packages/urllib3/connection.py", line 199, in _new_conn
    sock = connection.create_connection(
           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  File "/usr/local/lib/python3.11/site-packages/urllib3/util/connection.py", line 85, in create_connection
    raise err
  File "/usr/local/lib/python3.11/site-packages/urllib3/util/connection.py", line 73, in create_connection
    sock.connect(sa)
ConnectionRefusedError: [Errno 111] Connection refused

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/usr/local/lib/python3.11/site-packages/urllib3/connectionpool.py", line 789, in urlopen
    response = self._make_request(
               ^^^^^^^^^^^^^^^^^^^
  File "/usr/local/lib/python3.11/site-packages/urllib3/connectionpool.py", line 490, in _make_request
    raise new_e
  File "/usr/local/lib/python3.11/site-packages/urllib3/connectionpool.py", line 466, in _make_request
    self._validate_conn(conn)
  File "/usr/local/lib/python3.11/site-packages/urllib3/connectionpool.py", line 1095, in _validate_conn
    conn.connect()
  File "/usr/local/lib/python3.11/site-packages/urllib3/connection.py", line 693, in connect
    self.sock = sock = self._new_conn()
                       ^^^^^^^^^^^^^^^^
  File "/usr/local/lib/python3.11/site-packages/urllib3/connection.py", line 214, in _new_conn
    raise NewConnectionError(
urllib3.exceptions.NewConnectionError: <urllib3.connection.HTTPSConnection object at 0x7f1c2a51d9d0>: Failed to establish a new connection: [Errno 111] Connection refused

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/usr/local/lib/python3.11/site-packages/requests/adapters.py", line 667, in send
    resp = conn.urlopen(
           ^^^^^^^^^^^^^
  File "/usr/local/lib/python3.11/site-packages/urllib3/connectionpool.py", line 843, in urlopen
    retries = retries.increment(
              ^^^^^^^^^^^^^^^^^^
  File "/usr/local/lib/python3.11/site-packages/urllib3/util/retry.py", line 519, in increment
    raise MaxRetryError(_pool, url, reason) from reason
urllib3.exceptions.MaxRetryError: HTTPSConnectionPool(host='api.{host}.example', port=443): Max retries exceeded with url: /v2/{subject}?page={page} (Caused by NewConnectionError('Connection refused'))

During handling of the above exception, another exception occurred:

"""  # noqa: E501  (as Python writes it)

_CONNECTION_END: Final = """\
  File "/usr/local/lib/python3.11/site-packages/{package}/client.py", line 98, in _get
    response = self._session.get(url, params=params, timeout=30)
               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  File "/usr/local/lib/python3.11/site-packages/requests/sessions.py", line 602, in get
    return self.request("GET", url, **kwargs)
           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  File "/usr/local/lib/python3.11/site-packages/requests/adapters.py", line 700, in send
    raise ConnectionError(e, request=request)
requests.exceptions.ConnectionError: HTTPSConnectionPool(host='api.{host}.example', port=443): Max retries exceeded with url: /v2/{subject}?page={page} (Caused by NewConnectionError('Connection refused'))
"""  # noqa: E501  (as Python writes it)

_KEY_ERROR: Final = """\
Traceback (most recent call last):
  File "/usr/local/lib/python3.11/site-packages/{package}/{source}/__main__.py", line 41, in <module>
    main()
  File "/usr/local/lib/python3.11/site-packages/{package}/{source}/__main__.py", line 36, in main
    run(arguments)
  File "/usr/local/lib/python3.11/site-packages/{package}/runner.py", line 118, in run
    loader.write(transform(record) for record in page)
  File "/usr/local/lib/python3.11/site-packages/{package}/loader.py", line 64, in write
    for row in rows:
  File "/builds/{path}/transform.py", line {line}, in transform
    "{field}": flatten(record["{field}"]),
                       ~~~~~~^^^^^^^^^^^^^^^^^^
KeyError: '{field}'
"""  # noqa: E501  (as Python writes it)

_LOGIN: Final = (
    _HTTP_FRAMES[: _HTTP_FRAMES.index("    for page in")]
    + """\
    with Loader("raw.{source}.{subject}") as loader:
  File "/usr/local/lib/python3.11/site-packages/{package}/loader.py", line 31, in __enter__
    self._connection = snowflake.connector.connect(**self._options)
  File "/usr/local/lib/python3.11/site-packages/snowflake/connector/errors.py", line 290, in errorhandler_wrapper
    raise error_class(
snowflake.connector.errors.DatabaseError: 250001 (08001): {day} request {query}: Failed to connect to DB: acme-eu.snowflakecomputing.com:443. The specified password for user 'SVC_LOADER' has expired.
"""  # noqa: E501  (as Python writes it)
)

_NO_PACKAGES: Final = """\
WARNING: Retrying (Retry(total=4, connect=None, read=None, redirect=None, status=None)) after connection broken by 'ConnectTimeoutError(<pip._vendor.urllib3.connection.HTTPSConnection object at 0x7f{query}>, 'Connection to pypi.acme.example timed out. (connect timeout=15)')': /simple/acme-ingest/
WARNING: Retrying (Retry(total=0, connect=None, read=None, redirect=None, status=None)) after connection broken by 'ConnectTimeoutError(<pip._vendor.urllib3.connection.HTTPSConnection object at 0x7e{query}>, 'Connection to pypi.acme.example timed out. (connect timeout=15)')': /simple/acme-ingest/
ERROR: Could not install packages due to an OSError: HTTPSConnectionPool(host='pypi.acme.example', port=443): Max retries exceeded with url: /simple/acme-ingest/ (Caused by ConnectTimeoutError('Connection to 10.96.14.2 timed out'))
"""  # noqa: E501  (as pip writes it)

_WORDS: Final = {
    "warehouse_login": _LOGIN,
    "network_outage": _NO_PACKAGES,
    "token_expired": _TOKEN_EXPIRED,
    "connection_error": _CONNECTION_ERROR + _HTTP_FRAMES + _CONNECTION_END,
    "key_error": _KEY_ERROR,
    "out_of_memory": "/bin/bash: line 187: {pid:5d} Killed    python -m {package}.{source}",
    "warehouse_suspended": (
        "090073 (22000): Warehouse 'TRANSFORM_WH' cannot be resumed because resource monitor "
        "'MONTHLY_QUOTA' has exceeded its quota."
    ),
    "sql_syntax": (
        "001003 (42000): SQL compilation error:\n"
        "syntax error line {line} at position 8 unexpected 'over'."
    ),
}

_SOFT: Final = {
    "docs": (
        f"{ESC}[31mERROR{ESC}[0m {{name}}: 503 Server Error: Service Unavailable for url: "
        "https://docs.acme.example/upload"
    ),
    "sync": "503 Server Error: Service Unavailable for url: https://bi.acme.example/refresh",
    "python": "AssertionError: {name}: {page} of {line} checks are out of tolerance",
    "sql": "{name}: row counts differ: dev 10{page}4{line}, prod 10{page}5{line}",
    "lint": "All Finished: {page} files with violations",
    "unit_tests": (
        "=================================== FAILURES ===================================\n"
        "E   AssertionError: expected {line} rows of {subject}, got {page}\n"
        "FAILED tests/{project}/test_{subject}_0.py::test_row_count - "
        "AssertionError: expected {line} rows of {subject}, got {page}"
    ),
    "cleanup": "ERROR: cannot drop schema because other sessions use it",
}
