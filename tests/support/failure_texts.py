"""How programs say why a job failed: each kind in several variants of other ids, paths and times.

The variants of one kind have one cause, in whichever tool's words; no two kinds have.
"""

from __future__ import annotations

from typing import Final, NamedTuple

_FRAMES: Final = """\
Traceback (most recent call last):
  File "/usr/local/lib/python3.11/site-packages/acme_ingest/__main__.py", line 41, in <module>
    main()
  File "/usr/local/lib/python3.11/site-packages/acme_ingest/client.py", line 98, in get
    return self._session.get(url, timeout=30)
"""
_OTHER_FRAMES: Final = """\
2026-03-15 04:20:11,402 ERROR    loader: giving up
Traceback (most recent call last):
  File "/opt/venv/lib/python3.12/site-packages/loader/run.py", line 7, in <module>
    sys.exit(main())
             ^^^^^^
  File "/opt/venv/lib/python3.12/site-packages/loader/http.py", line 233, in fetch
    response = call()
               ^^^^^^
"""


class FailureText(NamedTuple):
    """What a failed job left."""

    text: str
    job: str = "load"
    reason: str = "script_failure"


def _texts(*texts: str) -> tuple[FailureText, ...]:
    return tuple(
        FailureText(text, job)
        for text, job in zip(texts, ("load", "sync", "dbt_run", "nightly"), strict=False)
    )


def _of_job(*texts: str) -> tuple[FailureText, ...]:
    return tuple(map(FailureText, texts))


FAILURES: Final[dict[str, tuple[FailureText, ...]]] = {
    # warehouses and databases
    "relation stg_orders is missing": _texts(
        """\
03:12:44  Database Error in model fct_orders (models/marts/fct_orders.sql)
03:12:44    relation "staging.stg_orders" does not exist
03:12:44    LINE 13:     from analytics.staging.stg_orders
03:12:44                      ^
03:12:44    compiled code at target/run/finance_dbt/models/marts/fct_orders.sql
""",
        """\
\x1b[0m11:02:01  \x1b[33mDatabase Error in model dim_customers (models/core/dim_customers.sql)\x1b[0m
11:02:01    002003 (42S02): SQL compilation error:
11:02:01    Object 'ANALYTICS.STAGING.STG_ORDERS' does not exist or not authorized.
11:02:01    compiled code at target/run/marketing_dbt/models/core/dim_customers.sql
""",
        """\
Traceback (most recent call last):
  File "/app/export.py", line 12, in <module>
    cursor.execute(query)
psycopg2.errors.UndefinedTable: relation "staging.stg_orders" does not exist
LINE 1: select count(*) from analytics.staging.stg_orders
                             ^
""",
    ),
    "relation stg_customers is missing": _texts(
        """\
03:12:44  Database Error in model fct_orders (models/marts/fct_orders.sql)
03:12:44    relation "staging.stg_customers" does not exist
03:12:44    LINE 13:     from analytics.staging.stg_customers
03:12:44                      ^
""",
        'psql:load.sql:7: ERROR:  relation "staging.stg_customers" does not exist\nLINE 4: join analytics.staging.stg_customers c\n',
    ),
    "dbt node is missing": _texts(
        """\
03:12:40  Encountered an error:
Compilation Error in model fct_payments (models/marts/fct_payments.sql)
  Model 'model.finance_dbt.fct_payments' (models/marts/fct_payments.sql) depends on a node named 'stg_payments' which was not found
""",
        """\
04:40:02  Encountered an error:
Compilation Error
  Model 'model.marketing.fct_spend' (models/fct_spend.sql) depends on a node named 'stg_payments' which was not found
""",
    ),
    "dbt test fails": _texts(
        """\
03:12:44  Failure in test unique_fct_orders_order_id (models/marts/_models.yml)
03:12:44    Got 12 results, configured to fail if != 0
03:12:44
03:12:44    compiled code at target/compiled/shop/models/marts/_models.yml/unique_fct_orders_order_id.sql
""",
        """\
09:01:10  Failure in test unique_fct_orders_order_id (models/marts/_models.yml)
09:01:10    Got 1437 results, configured to fail if != 0
""",
    ),
    "another dbt test fails": _texts(
        """\
03:12:44  Failure in test not_null_fct_orders_customer_id (models/marts/_models.yml)
03:12:44    Got 12 results, configured to fail if != 0
"""
    ),
    "column is missing": _texts(
        """\
03:12:44  Database Error in model fct_orders (models/marts/fct_orders.sql)
03:12:44    000904 (42000): SQL compilation error: error line 3 at position 7
03:12:44    invalid identifier 'CUSTOMER_REF'
""",
        """\
06:55:01  Database Error in model fct_orders (models/marts/fct_orders.sql)
06:55:01    000904 (42000): SQL compilation error: error line 31 at position 11
06:55:01    invalid identifier 'CUSTOMER_REF'
""",
    ),
    "sql does not parse": _texts(
        """\
03:12:44  Database Error in model fct_orders (models/marts/fct_orders.sql)
03:12:44    001003 (42000): SQL compilation error:
03:12:44    syntax error line 12 at position 8 unexpected 'over'.
""",
        """\
13:02:54  Database Error in model fct_orders (models/marts/fct_orders.sql)
13:02:54    001003 (42000): SQL compilation error:
13:02:54    syntax error line 19 at position 8 unexpected 'over'.
""",
    ),
    "password of the warehouse expired": _texts(
        """\
02:55:00  Database Error in model fct_users (models/marts/fct_users.sql)
02:55:00    250001 (08001): None: Failed to connect to DB: acme-eu.snowflakecomputing.com:443. The specified password for user 'SVC_TRANSFORM' has expired. [5db93ad0]
02:55:00    compiled code at target/run/access_sync/models/marts/fct_users.sql
""",
        _FRAMES
        + "snowflake.connector.errors.DatabaseError: 250001 (08001): 2026-03-14 02:52:04 request 9f09d9b0a44c: Failed to connect to DB: acme-eu.snowflakecomputing.com:443. The specified password for user 'SVC_TRANSFORM' has expired.\n",
    ),
    "password of the warehouse is wrong": _texts(
        _FRAMES
        + "snowflake.connector.errors.DatabaseError: 250001 (08001): Failed to connect to DB: acme-eu.snowflakecomputing.com:443. Incorrect username or password was specified.\n",
        """\
04:15:30  Database Error
  250001 (08001): None: Failed to connect to DB: acme-eu.snowflakecomputing.com:443. Incorrect username or password was specified.
""",
    ),
    "warehouse is over its quota": _texts(
        "090073 (22000): Warehouse 'TRANSFORM_WH' cannot be resumed because resource monitor 'MONTHLY_QUOTA' has exceeded its quota.\n",
        """\
03:12:44  Database Error in model fct_orders (models/marts/fct_orders.sql)
03:12:44    090073 (22000): Warehouse 'TRANSFORM_WH' cannot be resumed because resource monitor 'MONTHLY_QUOTA' has exceeded its quota.
03:12:44    If you want to proceed, increase the credit quota or wait for the next interval.
""",
        _FRAMES
        + "snowflake.connector.errors.ProgrammingError: 090073 (22000): 01b2c3d4-0000-4e5f-0000-0000abcd1234: Warehouse 'LOAD_WH' cannot be resumed because resource monitor 'MONTHLY_QUOTA' has exceeded its quota.\n",
    ),
    "database refuses connections": _texts(
        _FRAMES
        + """\
psycopg2.OperationalError: connection to server at "db.acme.internal" (10.0.4.12), port 5432 failed: Connection refused
	Is the server running on that host and accepting TCP/IP connections?
""",
        _OTHER_FRAMES
        + """\
sqlalchemy.exc.OperationalError: (psycopg2.OperationalError) connection to server at "db.acme.internal" (10.0.4.13), port 5432 failed: Connection refused
	Is the server running on that host and accepting TCP/IP connections?

(Background on this error at: https://sqlalche.me/e/20/e3q8)
""",
        'psql: error: connection to server at "db.acme.internal" (10.0.4.12), port 5432 failed: Connection refused\n',
    ),
    "database user is refused": _texts(
        _FRAMES
        + 'psycopg2.OperationalError: connection to server at "db.acme.internal" (10.0.4.12), port 5432 failed: FATAL:  password authentication failed for user "etl"\n',
        'psql: error: connection to server at "db.acme.internal" (10.0.4.13), port 5432 failed: FATAL:  password authentication failed for user "etl"\n',
    ),
    "database has no connection left": _texts(
        _FRAMES
        + 'psycopg2.OperationalError: connection to server at "db.acme.internal" (10.0.4.12), port 5432 failed: FATAL:  sorry, too many clients already\n',
        'psql: error: connection to server at "db.acme.internal" (10.0.4.9), port 5432 failed: FATAL:  sorry, too many clients already\n',
    ),
    "key exists already": _texts(
        _FRAMES
        + """\
psycopg2.errors.UniqueViolation: duplicate key value violates unique constraint "orders_pkey"
DETAIL:  Key (id)=(4711) already exists.
""",
        """\
psql:merge.sql:31: ERROR:  duplicate key value violates unique constraint "orders_pkey"
DETAIL:  Key (id)=(90210) already exists.
""",
    ),
    "deadlock": _of_job(
        _FRAMES
        + """\
psycopg2.errors.DeadlockDetected: deadlock detected
DETAIL:  Process 4711 waits for ShareLock on transaction 90210; blocked by process 31.
Process 31 waits for ShareLock on transaction 90211; blocked by process 4711.
HINT:  See server log for query details.
""",
        """\
psql:merge.sql:31: ERROR:  deadlock detected
DETAIL:  Process 12 waits for ShareLock on transaction 17; blocked by process 3100.
""",
    ),
    "statement takes too long": _of_job(
        _FRAMES + "psycopg2.errors.QueryCanceled: canceling statement due to statement timeout\n",
        "psql:report.sql:3: ERROR:  canceling statement due to statement timeout\n",
    ),
    "schema may not be used": _texts(
        _FRAMES
        + "psycopg2.errors.InsufficientPrivilege: permission denied for schema staging\nLINE 1: select * from staging.orders\n",
        "psql:report.sql:3: ERROR:  permission denied for schema staging\n",
    ),
    "table of bigquery is missing": _texts(
        _FRAMES
        + "google.api_core.exceptions.NotFound: 404 Not found: Table acme-prod:raw.orders was not found in location EU\n",
        """\
03:12:44  Database Error in model stg_orders (models/staging/stg_orders.sql)
03:12:44    Not found: Table acme-prod:raw.orders was not found in location EU
03:12:44    compiled code at target/run/shop/models/staging/stg_orders.sql
""",
    ),
    # Spark and Airflow
    "executors of spark run out of memory": (
        FailureText(
            "org.apache.spark.SparkException: Job aborted due to stage failure: Task 7 in stage 12.0 failed 4 times, most recent failure: Lost task 7.3 in stage 12.0 (TID 4711) (10.20.1.3 executor 4): ExecutorLostFailure (executor 4 exited caused by one of the running tasks) Reason: Container killed by YARN for exceeding physical memory limits. 10.4 GB of 10 GB physical memory used. Consider boosting spark.executor.memoryOverhead.\n"
        ),
        FailureText(
            "26/03/15 01:11:09 ERROR SparkContext: org.apache.spark.SparkException: Job aborted due to stage failure: Task 112 in stage 3.0 failed 4 times, most recent failure: Lost task 112.3 in stage 3.0 (TID 902) (10.20.9.8 executor 17): ExecutorLostFailure (executor 17 exited caused by one of the running tasks) Reason: Container killed by YARN for exceeding physical memory limits. 10.1 GB of 10 GB physical memory used. Consider boosting spark.executor.memoryOverhead.\n"
        ),
    ),
    "path of spark is missing": _texts(
        _FRAMES
        + "pyspark.errors.exceptions.captured.AnalysisException: [PATH_NOT_FOUND] Path does not exist: s3a://acme-raw/orders/dt=2026-03-14.\n",
        _OTHER_FRAMES
        + "pyspark.errors.exceptions.captured.AnalysisException: [PATH_NOT_FOUND] Path does not exist: s3a://acme-raw/orders/dt=2026-03-15.\n",
    ),
    "sensor waits in vain": _texts(
        _FRAMES
        + "airflow.exceptions.AirflowSensorTimeout: Sensor has timed out; run duration of 3601.42 seconds exceeds the specified timeout of 3600.0.\n",
        _OTHER_FRAMES
        + "airflow.exceptions.AirflowSensorTimeout: Sensor has timed out; run duration of 3605.001 seconds exceeds the specified timeout of 3600.0.\n",
    ),
    # packages, images, repositories
    "package has no such version": _texts(
        """\
ERROR: Could not find a version that satisfies the requirement dbt-core==1.9.99 (from versions: 1.8.0, 1.8.1)
ERROR: No matching distribution found for dbt-core==1.9.99
""",
        """\
ERROR: Could not find a version that satisfies the requirement dbt-core==1.9.99 (from acme-etl==4.1) (from versions: none)
ERROR: No matching distribution found for dbt-core==1.9.99
""",
    ),
    "packages contradict each other": _texts(
        """\
ERROR: Cannot install dbt-core==1.7.3 and dbt-snowflake==1.8.0 because these package versions have conflicting dependencies.
ERROR: ResolutionImpossible: for help visit https://pip.pypa.io/en/latest/topics/dependency-resolution/
""",
        """\
ERROR: Cannot install dbt-core==1.7.3 and dbt-snowflake==1.8.0 because these package versions have conflicting dependencies.
ERROR: ResolutionImpossible: for help visit https://pip.pypa.io/en/stable/topics/dependency-resolution/
""",
    ),
    "package index is out of reach": _texts(
        "ERROR: Could not install packages due to an OSError: HTTPSConnectionPool(host='pypi.acme.example', port=443): Max retries exceeded with url: /simple/acme-ingest/ (Caused by ConnectTimeoutError('Connection to 10.96.14.2 timed out'))\n",
        "ERROR: Could not install packages due to an OSError: HTTPSConnectionPool(host='pypi.acme.example', port=443): Max retries exceeded with url: /simple/dbt-core/ (Caused by ConnectTimeoutError('Connection to 10.96.14.2 timed out'))\n",
        'ERROR: Job failed (system failure): failed to pull image "registry.acme.example/data/runtime@sha256:1a92b745e36d5524488cb957a5ce0ad20df668d80994f1ef16a172e7f902e5be" with specified policies [if-not-present]: dial tcp 10.96.14.2:443: i/o timeout (manager.go:238:14s)\n',
    ),
    "npm package is missing": _texts(
        """\
npm ERR! code E404
npm ERR! 404 Not Found - GET https://registry.npmjs.org/@acme%2fcharts - Not found
npm ERR! 404
npm ERR! 404  '@acme/charts@^2.1.0' is not in this registry.
npm ERR! A complete log of this run can be found in: /root/.npm/_logs/2026-03-14T03_12_44_210Z-debug-0.log
""",
        """\
npm error code E404
npm error 404 Not Found - GET https://registry.npmjs.org/@acme%2fcharts - Not found
npm error 404
npm error 404  '@acme/charts@^2.1.0' is not in this registry.
npm error A complete log of this run can be found in: /builds/x/.npm/_logs/2026-04-01T13_00_01_001Z-debug-0.log
""",
    ),
    "image is missing": _texts(
        'ERROR: Job failed: failed to pull image "registry.acme.example/data/runtime:1.4" with specified policies [always]: Error response from daemon: manifest for registry.acme.example/data/runtime:1.4 not found: manifest unknown: manifest unknown (manager.go:250:1s)\n',
        "docker: Error response from daemon: manifest for registry.acme.example/data/runtime:1.4 not found: manifest unknown: manifest unknown.\n",
    ),
    "images are rationed": _texts(
        'ERROR: Job failed: failed to pull image "python:3.11" with specified policies [always]: Error response from daemon: toomanyrequests: You have reached your pull rate limit. You may increase the limit by authenticating and upgrading: https://www.docker.com/increase-rate-limit (manager.go:250:0s)\n',
        "docker: Error response from daemon: toomanyrequests: You have reached your pull rate limit. You may increase the limit by authenticating and upgrading: https://www.docker.com/increase-rate-limit.\n",
    ),
    "git may not read": _texts(
        """\
remote: HTTP Basic: Access denied
fatal: Authentication failed for 'https://git.acme.example/data/macros.git/'
""",
        """\
remote: HTTP Basic: Access denied. The provided password or token is incorrect.
fatal: Authentication failed for 'https://git.acme.example/data/other.git/'
""",
    ),
    "git finds no commit": _texts(
        "fatal: reference is not a tree: 8f2c1ab0d4e5f60718293a4b5c6d7e8f90a1b2c3\n",
        "fatal: reference is not a tree: 0d4e5f60718293a4b5c6d7e8f90a1b2c38f2c1ab\n",
    ),
    # the network
    "name of the database is unknown": _texts(
        _FRAMES
        + 'psycopg2.OperationalError: could not translate host name "db2.acme.internal" to address: Name or service not known\n',
        "curl: (6) Could not resolve host: db2.acme.internal\n",
        _OTHER_FRAMES
        + "requests.exceptions.ConnectionError: HTTPSConnectionPool(host='db2.acme.internal', port=443): Max retries exceeded with url: /v1 (Caused by NameResolutionError(\"<urllib3.connection.HTTPSConnection object at 0x7f1c2a51d9d0>: Failed to resolve 'db2.acme.internal' ([Errno -2] Name or service not known)\"))\n",
    ),
    "source refuses connections": _texts(
        _FRAMES
        + "requests.exceptions.ConnectionError: HTTPSConnectionPool(host='api.shop.example', port=443): Max retries exceeded with url: /v2/orders?page=7 (Caused by NewConnectionError('<urllib3.connection.HTTPSConnection object at 0x7f1c2a51d9d0>: Failed to establish a new connection: [Errno 111] Connection refused'))\n",
        _OTHER_FRAMES
        + "requests.exceptions.ConnectionError: HTTPSConnectionPool(host='api.shop.example', port=443): Max retries exceeded with url: /v2/refunds (Caused by NewConnectionError('<urllib3.connection.HTTPSConnection object at 0x7e99aa51d9d0>: Failed to establish a new connection: [Errno 111] Connection refused'))\n",
        "curl: (7) Failed to connect to api.shop.example port 443 after 12 ms: Connection refused\n",
    ),
    "source does not answer": _texts(
        _FRAMES
        + "requests.exceptions.ReadTimeout: HTTPSConnectionPool(host='api.shop.example', port=443): Read timed out. (read timeout=30)\n",
        _OTHER_FRAMES
        + "requests.exceptions.ReadTimeout: HTTPSConnectionPool(host='api.shop.example', port=443): Read timed out. (read timeout=60)\n",
    ),
    "token of a source is refused": _texts(
        _FRAMES
        + "requests.exceptions.HTTPError: 401 Client Error: Unauthorized for url: https://api.shop.example/v2/orders?page=3\n",
        _OTHER_FRAMES
        + "requests.exceptions.HTTPError: 401 Client Error: Unauthorized for url: https://api.shop.example/v2/refunds?cursor=eyJpZCI6NDcxMX0\n",
        _OTHER_FRAMES
        + "httpx.HTTPStatusError: Client error '401 Unauthorized' for url 'https://api.shop.example/v2/orders'\nFor more information check: https://developer.mozilla.org/en-US/docs/Web/HTTP/Status/401\n",
    ),
    "token of another source is refused": _texts(
        _FRAMES
        + "requests.exceptions.HTTPError: 401 Client Error: Unauthorized for url: https://api.crm.example/v2/orders?page=3\n",
    ),
    "source rations": _texts(
        _FRAMES
        + "requests.exceptions.HTTPError: 429 Client Error: Too Many Requests for url: https://api.shop.example/v2/orders?page=3\n",
        _OTHER_FRAMES
        + "requests.exceptions.HTTPError: 429 Client Error: Too Many Requests for url: https://api.shop.example/v2/refunds\n",
    ),
    "source is down": _texts(
        _FRAMES
        + "requests.exceptions.HTTPError: 503 Server Error: Service Unavailable for url: https://api.shop.example/v2/orders?page=3\n",
        _OTHER_FRAMES
        + "requests.exceptions.HTTPError: 503 Server Error: Service Unavailable for url: https://api.shop.example/v2/refunds\n",
    ),
    "certificate of a source has expired": _texts(
        _FRAMES
        + "requests.exceptions.SSLError: HTTPSConnectionPool(host='api.shop.example', port=443): Max retries exceeded with url: /v1/orders (Caused by SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: certificate has expired (_ssl.c:1006)')))\n",
        _OTHER_FRAMES
        + "requests.exceptions.SSLError: HTTPSConnectionPool(host='api.shop.example', port=443): Max retries exceeded with url: /v1/refunds (Caused by SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: certificate has expired (_ssl.c:997)')))\n",
    ),
    "certificate is of nobody known": _texts(
        "fatal: unable to access 'https://git.acme.example/data/macros.git/': SSL certificate problem: self-signed certificate in certificate chain\n",
        "fatal: unable to access 'https://git.acme.example/data/other.git/': SSL certificate problem: self-signed certificate in certificate chain\n",
    ),
    # clouds
    "bucket may not be written": _texts(
        _FRAMES
        + "botocore.exceptions.ClientError: An error occurred (AccessDenied) when calling the PutObject operation: Access Denied\n",
        "upload failed: ./out/orders.parquet to s3://acme-curated/orders/2026-03-14/part-0001.parquet An error occurred (AccessDenied) when calling the PutObject operation: Access Denied\n",
    ),
    "token of the cloud has expired": _texts(
        _FRAMES
        + "botocore.exceptions.ClientError: An error occurred (ExpiredToken) when calling the GetObject operation: The provided token has expired.\n",
        "fatal error: An error occurred (ExpiredToken) when calling the ListObjectsV2 operation: The provided token has expired.\n",
    ),
    "state of terraform is locked": _texts(
        """\
│ Error: Error acquiring the state lock
│
│ Error message: ConditionalCheckFailedException: The conditional request failed
│ Lock Info:
│   ID:        2e6c8b1e-7a54-9f11-8a42-0c55d8f0e1aa
│   Path:      acme-tfstate/prod/terraform.tfstate
│   Created:   2026-03-14 03:12:44.210 +0000 UTC
""",
        """\
│ Error: Error acquiring the state lock
│
│ Error message: ConditionalCheckFailedException: The conditional request failed
│ Lock Info:
│   ID:        77e1a0bd-1111-2222-3333-444455556666
│   Path:      acme-tfstate/prod/terraform.tfstate
│   Created:   2026-05-01 11:00:01.001 +0000 UTC
""",
    ),
    "bucket is somebody's": _texts(
        """\
│ Error: creating S3 Bucket (acme-raw): BucketAlreadyExists
│ 	status code: 409, request id: 4XJ9QZ2N7T1M0F3K, host id: abcd1234
│
│   with aws_s3_bucket.raw,
│   on main.tf line 12, in resource "aws_s3_bucket" "raw":
""",
        """\
│ Error: creating S3 Bucket (acme-raw): BucketAlreadyExists
│ 	status code: 409, request id: 0F3K4XJ9QZ2N7T1M, host id: 99887766
│
│   with aws_s3_bucket.raw,
│   on main.tf line 14, in resource "aws_s3_bucket" "raw":
""",
    ),
    # programs
    "source sends no address": _texts(
        """\
Traceback (most recent call last):
  File "/builds/acme/ingest-shop/transform.py", line 12, in transform
    "shipping_address": flatten(record["shipping_address"]),
KeyError: 'shipping_address'
""",
        """\
Traceback (most recent call last):
  File "/builds/acme/ingest-shop/transform.py", line 19, in transform
    "shipping_address": flatten(record["shipping_address"]),
                                ~~~~~~^^^^^^^^^^^^^^^^^^^^
KeyError: 'shipping_address'
""",
    ),
    "source sends no country": _texts(
        """\
Traceback (most recent call last):
  File "/builds/acme/ingest-shop/transform.py", line 12, in transform
    "billing_country": flatten(record["billing_country"]),
KeyError: 'billing_country'
"""
    ),
    "module is missing": _texts(
        """\
Traceback (most recent call last):
  File "/builds/acme/ingest-shop/run.py", line 3, in <module>
    import pandas as pd
ModuleNotFoundError: No module named 'pandas'
""",
        """\
Traceback (most recent call last):
  File "/builds/acme/ml-churn/fit.py", line 9, in <module>
    import pandas
ModuleNotFoundError: No module named 'pandas'
""",
    ),
    "command is missing": _texts(
        "/bin/bash: line 152: dbtt: command not found\n",
        "/usr/bin/bash: line 170: dbtt: command not found\n",
        "/bin/sh: 1: dbtt: not found\n",
    ),
    "test of the code fails": _texts(
        """\
=========================== short test summary info ============================
FAILED tests/test_totals.py::test_total - AssertionError: assert 3 == 4
========================= 1 failed, 41 passed in 3.21s =========================
""",
        """\
=========================== short test summary info ============================
FAILED tests/test_totals.py::test_total - AssertionError: assert 7 == 9
========================= 1 failed, 44 passed in 2.98s =========================
""",
    ),
    # machines
    "machine has no memory left": (
        FailureText("/bin/bash: line 187:    61 Killed    python -m acme_ingest.stripe\n"),
        FailureText("/bin/bash: line 191:   240 Killed    python -m acme_ingest.stripe\n"),
    ),
    "pod has no memory left": (
        FailureText(
            "Last State: Terminated, Reason: OOMKilled, Exit Code: 137\nERROR: Job failed: command terminated with exit code 137\n",
            "fit_model",
        ),
        FailureText(
            "2026-03-14 03:12:44 Last State: Terminated, Reason: OOMKilled, Exit Code: 137\nERROR: Job failed: command terminated with exit code 137\n",
            "fit_model",
        ),
    ),
    "disk is full": _texts(
        _FRAMES
        + "OSError: [Errno 28] No space left on device: '/tmp/tmp8x2k1a9q/orders.parquet'\n",
        _OTHER_FRAMES
        + "OSError: [Errno 28] No space left on device: '/tmp/tmpq7s_1b2c/orders.parquet'\n",
    ),
    "runner finds no machine": (
        FailureText(
            "ERROR: Job failed (system failure): prepare environment: waiting for pod running: timed out waiting for pod to start. Check https://docs.gitlab.com/runner/shells/#shell-profile-loading for more information\n",
            "dbt_run",
            "runner_system_failure",
        ),
        FailureText(
            "ERROR: Job failed (system failure): prepare environment: waiting for pod running: timed out waiting for pod to start. Check https://docs.gitlab.com/runner/shells/index.html#shell-profile-loading for more information\n",
            "load",
            "runner_system_failure",
        ),
    ),
    "job takes too long": (
        FailureText(
            "ERROR: Job failed: execution took longer than 1h0m0s seconds\n",
            "fit_model",
            "job_execution_timeout",
        ),
        FailureText(
            "WARNING: step_script could not run to completion because the timeout was exceeded.\nERROR: Job failed: execution took longer than 2h0m0s seconds\n",
            "fit_model",
            "job_execution_timeout",
        ),
    ),
    "nothing is said": (
        FailureText("loading\nERROR: Job failed: exit code 1\n", "publish"),
        FailureText("starting\nloading\nERROR: Job failed: exit code 1\n", "publish"),
    ),
    "nothing is said by another job": (
        FailureText("loading\nERROR: Job failed: exit code 1\n", "notify"),
    ),
    # collected when the rules for those above were written, to see what they do not know
    "connection to mysql is lost": _texts(
        _FRAMES
        + """\
sqlalchemy.exc.OperationalError: (pymysql.err.OperationalError) (2013, 'Lost connection to MySQL server during query')
[SQL: SELECT count(*) FROM orders]
(Background on this error at: https://sqlalche.me/e/14/e3q8)
""",
        _OTHER_FRAMES
        + "sqlalchemy.exc.OperationalError: (pymysql.err.OperationalError) (2013, 'Lost connection to MySQL server during query')\n",
    ),
    "table of mysql is missing": _texts(
        "ERROR 1146 (42S02) at line 3: Table 'shop.orders' doesn't exist\n",
        "ERROR 1146 (42S02) at line 31: Table 'shop.orders' doesn't exist\n",
    ),
    "table of trino is missing": _texts(
        "Query 20260314_031244_00001_abcde failed: line 1:15: Table 'hive.raw.orders' does not exist\n",
        "Query 20260401_111111_00231_zzzzz failed: line 4:15: Table 'hive.raw.orders' does not exist\n",
    ),
    "table of the catalog is missing": _texts(
        _FRAMES
        + "pyspark.errors.exceptions.captured.AnalysisException: [TABLE_OR_VIEW_NOT_FOUND] The table or view `raw`.`events` cannot be found. Verify the spelling and correctness of the schema and catalog.; line 1 pos 14;\n",
    ),
    "deployment may not be changed": _texts(
        'Error from server (Forbidden): deployments.apps "loader" is forbidden: User "system:serviceaccount:ci:runner" cannot patch resource "deployments" in API group "apps" in the namespace "prod"\n',
    ),
    "namespace is missing": _texts(
        'Error from server (NotFound): namespaces "prod-2" not found\n',
    ),
    "another namespace is missing": _texts(
        'Error from server (NotFound): namespaces "prod-3" not found\n',
    ),
    "index is out of range": _texts(
        """\
panic: runtime error: index out of range [5] with length 3

goroutine 1 [running]:
main.load(0xc000012345)
	/builds/acme/x/main.go:41 +0x1d
exit status 2
""",
        """\
panic: runtime error: index out of range [9] with length 3

goroutine 17 [running]:
main.load(0xc0000aaaaa)
	/builds/acme/x/main.go:44 +0x2d
exit status 2
""",
    ),
    "name is null": _texts(
        """\
Exception in thread "main" java.lang.NullPointerException: Cannot invoke "String.length()" because "name" is null
	at com.acme.etl.Loader.run(Loader.java:41)
	at com.acme.etl.Main.main(Main.java:12)
""",
        """\
Exception in thread "main" java.lang.NullPointerException: Cannot invoke "String.length()" because "name" is null
	at com.acme.etl.Loader.run(Loader.java:44)
	at com.acme.etl.Main.main(Main.java:12)
""",
    ),
    "name of a machine is unknown to java": _texts(
        """\
Exception in thread "main" java.lang.RuntimeException: load failed
	at com.acme.etl.Main.main(Main.java:12)
Caused by: java.net.UnknownHostException: db3.acme.internal
	at java.net.InetAddress.getAllByName(InetAddress.java:1281)
	... 2 more
""",
        """\
Exception in thread "main" java.lang.RuntimeException: load failed
	at com.acme.etl.Main.main(Main.java:14)
Caused by: java.net.UnknownHostException: db3.acme.internal
	at java.net.InetAddress.getAllByName(InetAddress.java:1330)
	... 3 more
""",
    ),
    "redis refuses connections": _texts(
        _FRAMES
        + "redis.exceptions.ConnectionError: Error 111 connecting to redis.acme.internal:6379. Connection refused.\n",
        _OTHER_FRAMES
        + "redis.exceptions.ConnectionError: Error 111 connecting to redis.acme.internal:6379. Connection refused.\n",
    ),
    "mongo is out of reach": _texts(
        _FRAMES
        + "pymongo.errors.ServerSelectionTimeoutError: mongo-0.acme.internal:27017: timed out, Timeout: 30s, Topology Description: <TopologyDescription id: 65f2a1b2c3d4e5f6a7b8c9d0, topology_type: Unknown>\n",
        _OTHER_FRAMES
        + "pymongo.errors.ServerSelectionTimeoutError: mongo-0.acme.internal:27017: timed out, Timeout: 30s, Topology Description: <TopologyDescription id: 75a2a1b2c3d4e5f6a7b8c9d1, topology_type: Unknown>\n",
    ),
    "image does not build": _of_job(
        'ERROR: failed to solve: process "/bin/sh -c pip install ." did not complete successfully: exit code: 1\n',
        'ERROR: failed to solve: process "/bin/sh -c pip install ." did not complete successfully: exit code: 2\n',
    ),
    "variable is not set": _texts(
        "/bin/bash: line 160: SNOWFLAKE_ACCOUNT: unbound variable\n",
        "bash: line 3: SNOWFLAKE_ACCOUNT: unbound variable\n",
    ),
    "file is missing": _texts(
        "cat: target/run_results.json: No such file or directory\n",
        _FRAMES
        + "FileNotFoundError: [Errno 2] No such file or directory: 'target/run_results.json'\n",
    ),
    "artifacts are too large": _of_job(
        'ERROR: Uploading artifacts as "archive" to coordinator... 413 Payload Too Large id=4711 responseStatus=413 Request Entity Too Large status=413 token=64_abc\nFATAL: too large\n',
        'ERROR: Uploading artifacts as "archive" to coordinator... 413 Payload Too Large id=999 responseStatus=413 Request Entity Too Large status=413 token=64_xyz\nFATAL: too large\n',
    ),
    "commit of delta collides": _texts(
        _FRAMES
        + "delta.exceptions.ConcurrentAppendException: Files were added to partition [dt=2026-03-14] by a concurrent update.\n",
        _OTHER_FRAMES
        + "delta.exceptions.ConcurrentAppendException: Files were added to partition [dt=2026-03-15] by a concurrent update.\n",
    ),
    "profile of dbt is missing": _texts(
        "03:12:44  Encountered an error:\nRuntime Error\n  Could not find profile named 'finance'\n",
        "14:02:10  Encountered an error:\nRuntime Error\n  Could not find profile named 'finance'\n",
    ),
    "source is stale": _texts(
        "03:12:44  1 of 3 ERROR STALE freshness of shop.orders .................... [ERROR STALE in 1.20s]\n",
        "04:12:44  2 of 3 ERROR STALE freshness of shop.orders .................... [ERROR STALE in 0.98s]\n",
    ),
}
"""Kinds of failures by what is wrong; of each two or three logs, where it can be said so often."""
