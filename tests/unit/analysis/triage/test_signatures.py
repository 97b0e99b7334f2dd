"""Signatures: one for a cause in whatever words, another for every other cause."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.company import NOW, stormy_company
from tests.support.failed_logs import signature_in, signature_of_text, telling_error
from tests.support.failure_texts import FAILURES

from platui.analysis.triage.signatures.error_text import normal, strip_prefixes
from platui.analysis.triage.signatures.kinds import STUCK
from platui.analysis.triage.signatures.signature import (
    LONGEST_LINE,
    host_of,
    make_signature,
    normalize_relation,
)
from platui.models.values.log import CauseSource, Confidence, ErrorExcerpt, ErrorMark
from platui.models.values.triage import FailedStep

STEP: Final = FailedStep(1, "load", failure_reason="script_failure")


@pytest.mark.parametrize("kind", FAILURES)
def test_one_cause_has_one_signature(kind: str) -> None:
    """With other ids, paths, times and counts, and in the words of other tools."""
    found = [signature_of_text(one) for one in FAILURES[kind]]
    assert len({one.key for one in found}) == 1, [one.shared for one in found]
    assert len({one.shared for one in found}) == 1
    assert len({one.is_local for one in found}) == 1


def test_two_causes_never_share_one() -> None:
    """Of more than fifty, however alike."""
    found = {kind: signature_of_text(texts[0]) for kind, texts in FAILURES.items()}
    assert len(found) > 50
    for one, other in combinations(found, 2):
        assert found[one].key != found[other].key, (one, other)


@pytest.mark.parametrize(
    ("kind", "line"),
    [
        (
            "relation stg_orders is missing",
            'Database Error in model fct_orders: relation "staging.stg_orders" does not exist',
        ),
        (
            "source refuses connections",
            (
                "ConnectionError: api.shop.example:443: Failed to establish a new connection: "
                "[Errno 111] Connection refused"
            ),
        ),
        (
            "package index is out of reach",
            (
                "Could not install packages due to an OSError: pypi.acme.example:443: "
                "Connection to 10.96.14.2 timed out"
            ),
        ),
        (
            "column is missing",
            (
                "Database Error in model fct_orders: 000904 (42000): SQL compilation error: "
                "error line 3 at position 7: invalid identifier 'CUSTOMER_REF'"
            ),
        ),
        (
            "git may not read",
            (
                "remote: HTTP Basic: Access denied: Authentication failed for "
                "'https://git.acme.example/data/macros.git/'"
            ),
        ),
        ("bucket is somebody's", "creating S3 Bucket (acme-raw): BucketAlreadyExists"),
        ("nothing is said", "loading"),
    ],
)
def test_a_row_of_the_board_says_what_is_wrong(kind: str, line: str) -> None:
    """In the program's own words, without what stands around them."""
    assert signature_of_text(FAILURES[kind][0]).line == line


@pytest.mark.parametrize(
    ("kind", "shared"),
    [
        ("relation stg_orders is missing", "relation is missing: analytics.staging.stg_orders"),
        ("password of the warehouse expired",
         "password has expired: acme-eu.snowflakecomputing.com"),
        ("package index is out of reach", "host unreachable: 10.96.14.2"),
        ("source is down", "server error: 503 api.shop.example"),
        ("path of spark is missing",
         "[PATH_NOT_FOUND] Path does not exist: s3a://acme-raw/orders/dt=#."),
    ],
)  # fmt: skip
def test_a_group_is_told_by_what_all_of_it_have(kind: str, shared: str) -> None:
    """Not by the model or the address of one."""
    assert signature_of_text(FAILURES[kind][0]).shared == shared


@pytest.mark.parametrize(
    ("kind", "is_local"),
    [
        ("relation stg_orders is missing", False), ("warehouse is over its quota", False),
        ("module is missing", False), ("runner finds no machine", False),
        ("source sends no address", True), ("machine has no memory left", True),
        ("job takes too long", True), ("nothing is said", True), ("disk is full", True),
        ("sensor waits in vain", True), ("dbt test fails", True), ("deadlock", True),
        ("test of the code fails", True),
    ],
)  # fmt: skip
def test_what_says_too_little_is_not_taken_for_one_cause_elsewhere(
    kind: str, *, is_local: bool
) -> None:
    """Two jobs that run out of memory have the same bad luck, and no more."""
    assert signature_of_text(FAILURES[kind][0]).is_local is is_local


def test_an_error_that_only_reports_an_end_is_a_symptom() -> None:
    """The same command fails elsewhere for another reason."""
    error = (
        "subprocess.CalledProcessError: Command '['dbt', 'run']' returned non-zero exit status 2."
    )
    found = signature_in(f"$ ./run\nINFO starting export\n{error}\n".encode(), STEP)
    assert found.line.startswith("CalledProcessError: ")
    assert (found.is_local, found.is_symptom) == (True, True)


def test_a_bare_name_of_a_table_is_one_in_every_schema() -> None:
    """So it says nothing of another project."""
    said = (
        b'Database Error in model fct_orders (models/x.sql)\n  relation "orders" does not exist\n'
    )
    found = signature_in(said, STEP)
    assert (found.shared, found.is_local) == ("relation is missing: orders", True)


def test_where_no_log_tells_the_platforms_own_words_do() -> None:
    """A job that no runner took has no log."""
    stuck = FailedStep(1, "fit", failure_reason=STUCK, tags=("gpu", "eu"), has_log=False)
    found = make_signature(None, stuck)
    assert (found.shared, found.is_local) == ("no runner for: eu, gpu", False)
    untagged = make_signature(None, replace(stuck, tags=(), waited=3601.0))
    assert (untagged.shared, untagged.is_local) == ("no runner took the job", True)
    assert untagged.line == "no runner took the job, waited 60m"
    begun = make_signature(None, replace(stuck, has_log=True))
    assert (begun.shared, begun.is_local) == ("fit: stuck_or_timeout_failure", True)
    other = make_signature(None, FailedStep(1, "fit", failure_reason="api_failure"))
    assert (other.line, other.is_local) == ("fit: api_failure", True)
    assert make_signature(None, FailedStep(1, "fit")).line == "fit: failed"
    broken = make_signature(None, None, words="load: needs 'prepare'")
    assert (broken.line, broken.kind) == ("load: needs 'prepare'", "")


@pytest.mark.parametrize(
    ("kind", "is_symptom"),
    [
        ("job takes too long", True), ("nothing is said", True), ("disk is full", False),
        ("runner finds no machine", False), ("machine has no memory left", False),
    ],
)  # fmt: skip
def test_what_became_of_a_job_is_no_cause(kind: str, *, is_symptom: bool) -> None:
    """Somebody ended it, or it ended itself, and nothing says why."""
    assert signature_of_text(FAILURES[kind][0]).is_symptom is is_symptom


@pytest.mark.parametrize(
    ("text", "host"),
    [
        ("dial tcp 10.96.14.2:443: i/o timeout", "10.96.14.2"),
        ("read tcp 10.20.3.4:41220->10.96.14.2:443: i/o timeout", "10.96.14.2"),
        ('Get "https://registry-1.docker.io/v2/": dial tcp 34.1.2.3:443: i/o timeout',
         "registry-1.docker.io"),
        ("Failed to connect to DB: acme-eu.snowflakecomputing.com:443. No",
         "acme-eu.snowflakecomputing.com"),
        ('server at "analytics-prod.1f2e3d4c5b.redshift.amazonaws.com" (10.4.1.2)',
         "analytics-prod.#.redshift.amazonaws.com"),
        ("for url: https://etl:secret@API.shop.example/v2/orders", "api.shop.example"),
        ("see https://docs.example.org/errors for help", ""),
        ("ssh: connect to host bastion port 22: Connection refused", "bastion"),
        ("dial tcp: lookup db.acme.internal on 10.0.0.2:53: no such host", "db.acme.internal"),
        ("KeyError: 'host'", ""),
    ],
)  # fmt: skip
def test_the_machine_that_an_error_is_about(text: str, host: str) -> None:
    """An address of one's own network is one machine; one outside is but one of many."""
    assert host_of(text) == host


def test_a_table_is_named_in_full_where_the_statement_is_quoted() -> None:
    """Two databases may have the same schemas."""
    assert normalize_relation('"Staging"."Stg_Orders"') == "staging.stg_orders"
    quoted = "LINE 3:   from analytics.staging.stg_orders"
    assert normalize_relation("staging.stg_orders", quoted) == "analytics.staging.stg_orders"
    assert normalize_relation("stg_orders_20260314") == "stg_orders_#"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("loaded 12 of 4711 rows in 3.2s", "loaded # of # rows in #"),
        ("ORA-00942: table or view does not exist", "ORA-00942: table or view does not exist"),
        ("exit code 137 after 12 tries", "exit code 137 after # tries"),
        ("cannot read /builds/acme/etl/in/orders.csv", "cannot read …/orders.csv"),
        ("request id: 4XJ9QZ, code 17", "request id: #, code 17"),
        ("ValueError: could not convert string to float: 'abc'",
         "could not convert string to float: 'abc'"),
        ("KeyError: 'id'", "KeyError: 'id'"),
    ],
)  # fmt: skip
def test_what_changes_from_run_to_run_is_masked(text: str, expected: str) -> None:
    """Numbers and paths; not the codes by which errors are told apart."""
    assert normal(text) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("2026-03-14 03:12:44,210 ERROR    acme_ingest.stripe: orders failed", "orders failed"),
        ("[2026-03-14T03:12:44Z] FATAL: no more", "no more"),
        ("│ Error: no such bucket", "no such bucket"),
        ("requests.exceptions.HTTPError: 401 Client Error", "HTTPError: 401 Client Error"),
        ("ERROR", "ERROR"),
        ("Killed", "Killed"),
    ],
)
def test_a_line_is_read_out_without_what_stands_before_it(line: str, expected: str) -> None:
    """Clock, level, logger, frame, module."""
    assert strip_prefixes(line) == expected


@pytest.mark.parametrize(
    "line",
    [
        "clone of https://ci:{}@git.acme.example/x.git failed",
        "GET /v2/orders?api_key={}&page=2 failed",
        "connect failed: password={} host=db",
        "sent Authorization: Bearer {}",
        "rejected glpat-{}",
        'config {{"client_secret": "{}"}} is wrong',
        "AWS_SECRET_ACCESS_KEY={} is not valid",
        "SECRET_KEY: {}",
        "password = {}",
        '"token" : "{}"',
        "could not connect to postgresql://etl:p@{}@db.internal/dwh",
        "login failed: Driver=ODBC;Server=db;UID=etl;PWD={};Encrypt=yes",
    ],
)
def test_secrets_are_not_handed_on(line: str) -> None:
    """A row of the board is copied into messages; a log is not."""
    secret = "x9Qh7vTzL2mN4pRk"
    said = strip_prefixes(line.format(secret))
    assert secret not in said
    assert "•••" in said


def test_what_only_speaks_of_secrets_stays() -> None:
    """The password of a user has expired: that is the point."""
    for line in ("token expired", "401 from source API: token expired", "secret: none",
                 "password authentication failed for user etl", "PWD=/builds/acme/etl is missing",
                 "GET https://api.example/users?mail=ada@acme.example failed"):  # fmt: skip
        assert strip_prefixes(line) == line


@given(st.text(max_size=300), st.text(max_size=20), st.integers(0, 100))
def test_whatever_is_said_has_a_clean_line_and_a_key(text: str, job: str, rank: int) -> None:
    """Nothing of it commands a terminal, and the same text has the same signature."""
    lines = tuple(text.split("\n")) or ("",)
    error = ErrorExcerpt(
        ErrorMark(0, len(lines), "x", rank), lines, lines[0], CauseSource.RULE, Confidence.HIGH
    )
    step = FailedStep(1, job)
    found = make_signature(error, step)
    for told in (found.line, found.shared):
        assert len(told) <= LONGEST_LINE
        assert "\n" not in told
        assert "\x1b" not in told
    assert re.fullmatch("[0-9a-f]{12}", found.key)
    assert make_signature(error, step) == found


@given(st.sampled_from(sorted(FAILURES)), st.integers(0, 10**12), st.integers(0, 59))
def test_other_ids_and_times_are_the_same_cause(kind: str, number: int, second: int) -> None:
    """Any, not only those of the table."""
    one = FAILURES[kind][0]
    text = one.text.replace("0x7f1c2a51d9d0", f"0x{number:012x}").replace(
        "03:12:44", f"23:59:{second:02d}"
    )
    text = text.replace("9f09d9b0a44c", f"{number:012x}").replace("4711", str(number % 10**6))
    assert signature_of_text(one._replace(text=text)).key == signature_of_text(one).key


def test_a_storm_falls_into_its_causes() -> None:
    """Forty-five red projects, six causes: none is taken for another, none falls apart."""
    world = stormy_company(NOW)
    found: dict[tuple[str, int], set[str]] = {}
    count = 0
    for cause in world.truth(NOW):
        for project, pipeline in zip(cause.projects, cause.pipelines, strict=True):
            for job in world.pipelines.jobs(project, pipeline, NOW, with_retried=False):
                if job.id not in cause.jobs:
                    continue
                raw = world.pipelines.trace(project, job.id, NOW)
                assert isinstance(raw, bytes)
                step = FailedStep(job.id, job.name, failure_reason=job.failure_reason or "")
                signature = signature_in(raw, step)
                key = (signature.key, project if signature.is_local else 0)
                found.setdefault(key, set()).add(cause.key)
                count += 1
    assert count > 40
    assert [len(causes) for causes in found.values()] == [1] * len(world.truth(NOW))


def test_no_error_is_told_of_an_empty_log() -> None:
    """Then the platform's reason is all there is."""
    assert telling_error(b"") is None
    assert signature_in(b"", STEP).line == "load: script_failure"


def test_a_renamed_kind_keeps_its_key() -> None:
    """Acknowledgements are stored by it: it is made of the former name."""
    found = signature_of_text(FAILURES["package index is out of reach"][0])
    assert found.shared.startswith("host unreachable")
    assert (found.kind, found.key) == ("host unreachable", "0e0767d2159c")
