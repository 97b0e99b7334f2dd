"""What differs in every run is masked; what says something is not."""

from __future__ import annotations

import pytest

from platui.analysis.masking import Keys, Masker, Plain, masked

SAME = [
    ("2026-03-14T02:47:03.123Z start", "2026-03-13T22:01:59.999Z start"),
    ("2026-03-14 02:47:03,123 INFO x", "2025-11-01 00:00:00,001 INFO x"),
    ("2026-03-14T02:47:03+01:00 x", "2026-07-14T02:47:03+02:00 x"),
    ("26/03/14 02:47:03 INFO SparkContext: y", "26/03/13 12:00:01 INFO SparkContext: y"),
    ("Sat Mar 14 02:47:03 UTC 2026", "Fri Mar 13 22:59:59 UTC 2026"),
    ("14 Mar 2026 02:47:03 x", "3 Feb 2026 12:47:03 x"),
    ("built on 14.03.2026", "built on 1.12.2025"),
    ("02:47:03  Running with dbt=1.8.7", "23:01:00  Running with dbt=1.8.7"),
    ("02:47 PM done", "03:01 AM done"),
    ("in 3.21s", "in 12.07s"),
    ("took 0:02", "took 1:17:59"),
    ("finished after 7m12s", "finished after 6m 58s"),
    (
        "Finished in 0 hours 2 minutes and 3.1 seconds",
        "Finished in 1 hours 9 minutes and 4 seconds",
    ),
    ("=== 12 passed in 3.21s ===", "====== 12 passed in 103.99s ======"),
    ("GET /x 200 in 1124 ms", "GET /x 200 in 8 ms"),
    ("took 120µs", "took 9µs"),
    ("id 3f2504e0-4f89-41d3-9a0c-0305e82c3301 x", "id 9b2f04e0-4f89-41d3-9a0c-0305e82cffff x"),
    ("ID 3F2504E0-4F89-41D3-9A0C-0305E82C3301 x", "ID 9B2F04E0-4F89-41D3-9A0C-0305E82CFFFF x"),
    ("Checking out c2a52678 as detached HEAD", "Checking out f06922ca as detached HEAD"),
    ("image sha256:f82de47e1fce90ff15e1 for", "image sha256:d951529236690e91e7bd for"),
    ("DEV.MARKETING_C2A52678.STG", "DEV.MARKETING_145E3293.STG"),
    ("<Foo object at 0x7f3a2c0d1e50>", "<Foo object at 0x55d0aa12bb00>"),
    ("token eyJhbGciOiJIUzI1NiJ9abc1x", "token eyJ0eXAiOiJKV1QiLCJhbGc9Zyy2"),
    ("job 9473894850 of project", "job 9473436108 of project"),
    ("SUCCESS 545990 in", "SUCCESS 1168536 in"),
    ("wrote 1,204,331 rows", "wrote 987,000 rows"),
    ("loss 0.123456 at", "loss 0.998 at"),
    ("part-00017-of", "part-00003-of"),
    ("listening on 10.0.3.17:54211", "listening on 10.12.0.9:40112"),
    ("ip-10-0-3-17.ec2.internal up", "ip-10-1-200-9.ec2.internal up"),
    ("from fe80:0:0:1:2:3:4:5 up", "from fe80:0:0:1:ab:cd:4:5 up"),
    ("connect localhost:54211", "connect localhost:49152"),
    ("wrote /tmp/tmpab12cd_9/model.sql", "wrote /tmp/pip-xyz/model.sql"),
    ("at pytest-of-root/pytest-12/x", "at pytest-of-ci/pytest-3/x"),
    ("dir tmpab12cd_9 made", "dir tmp0z_9kk2q made"),
    ("pod airflow-worker-7d9f8b6c5d-x2x4z is up", "pod airflow-worker-5c6b7f9d88-q9kwz is up"),
    (
        "  on batch-7 t1_4f33513d3, system ID: s_fce90ff15e11",
        "  on shared-6 t1_454fd9a22, system ID: s_798bf3e48cce",
    ),
    (
        "Running on runner-t1_4f33513d3-project-140-concurrent-1 via batch-7.internal...",
        "Running on runner-t1_454fd9a22-project-140-concurrent-3 via shared-6.internal...",
    ),
    ("Downloading cache.zip 100% of 17.84 MiB", "Downloading cache.zip 87% of 9.5 MiB"),
    ("Uploading x: 100%|██████████| 3.4/3.4MiB", "Uploading x: 100%|██████████| 13.4/13.4MiB"),
    ("[=====>     ] 45%", "[=========> ] 85%"),
    ("12.3 MB/s", "9 kB/s"),
    ("840 rows/s", "12 rows/s"),
    ("pid 17 started", "pid 9412 started"),
    ("Thread-3 ready", "Thread-12 ready"),
    ("Lost task 3.0 in stage 5.0 (TID 45)", "Lost task 12.1 in stage 7.0 (TID 1045)"),
    ("[gw0] PASSED", "[gw3] PASSED"),
    ("3 of 112 START sql view", "7 of 113 START sql view"),
    ("wrote images (14/65)", "wrote images (3/47)"),
    ("model a .......... [RUN]", "model a ... [RUN]"),
    ("tail   ", "tail"),
]

DIFFERENT = [
    ("0 rows", "1 row"),
    ("loaded 0 rows in", "loaded 7 rows in"),
    ("loaded 0 rows in", "loaded 545990 rows in"),
    ("Done. PASS=12 WARN=0 ERROR=0 SKIP=0", "Done. PASS=12 WARN=0 ERROR=1 SKIP=0"),
    ("wrote 0 bytes", "wrote 120 bytes"),
    ("dbt 1.7.3", "dbt 1.8.0"),
    ("Running with dbt=1.8.7", "Running with dbt=1.8.8"),
    ("Python 3.11.9", "Python 3.12.1"),
    ("image runtime:2.14.3", "image runtime:2.14.4"),
    ("gitlab-runner 17.5.3", "gitlab-runner 17.6.0"),
    ("numpy-2.0.0rc1", "numpy-2.0.0rc2"),
    ("exit code 0", "exit code 1"),
    ("exit code 1", "exit code 137"),
    ("exit status 10001", "exit status 10002"),
    ("Error 1146 (42S02)", "Error 1045 (28000)"),
    ("ORA-00942: no table", "ORA-01017: denied"),
    ("HTTP 200", "HTTP 503"),
    ("error code: 10060", "error code: 10061"),
    ("LINE 20: from x", "LINE 21: from x"),
    ('File "a.py", line 12, in f', 'File "a.py", line 13, in f'),
    ("E0401: import", "E0602: import"),
    ("Total coverage: 93%", "Total coverage: 81%"),
    ("12 passed, 1 failed", "13 passed"),
    ("retry 1 of 3", "retry 2 of 3"),
    ("relation stg_orders", "relation stg_leads"),
    ("Job succeeded", "ERROR: Job failed"),
    ("target='prod'", "target='dev'"),
    ("OK created", "ERROR creating"),
]


def keys_of(line: str) -> tuple[int, int]:
    """Return what stands for a line and for its outline."""
    keys = Keys()
    Masker().take(line.encode(), keys)
    return keys.lines[0], keys.outlines[0]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_what_differs_in_every_run_is_masked(one: str, other: str) -> None:
    """Times, durations, ids, places, sizes, machines, progress."""
    assert keys_of(one)[0] == keys_of(other)[0], (masked(one), masked(other))


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_what_says_something_is_not_masked(one: str, other: str) -> None:
    """Nothing or something, versions, codes, outcomes."""
    assert keys_of(one)[0] != keys_of(other)[0], (masked(one), masked(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("page 17 of x", "page 3 of x"),
        ("accepted=197 refused=3", "accepted=96 refused=12"),
        ("START test not_null_orders_id", "START test unique_leads_email"),
    ],
)
def test_an_outline_has_neither_numbers_nor_names(one: str, other: str) -> None:
    """Lines of one outline say the same of another thing."""
    assert keys_of(one)[0] != keys_of(other)[0]
    assert keys_of(one)[1] == keys_of(other)[1]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("loaded 0 rows", "loaded 12 rows"),
        ("exit code 1", "exit code 2"),
        ("dbt 1.7.3", "dbt 1.8.0"),
        ("state upload_done", "state upload_failed"),
    ],
)
def test_an_outline_has_noughts_codes_versions_and_failures(one: str, other: str) -> None:
    """They are news however often such a line is there."""
    assert keys_of(one)[1] != keys_of(other)[1]


def test_masks_lie_where_the_line_has_them() -> None:
    """Characters before them that are no ASCII move nothing."""
    assert masked("✔ größe 02:47:03 – 17.8 MiB in 120µs") == "✔ größe # – # in #"


def test_many_lines_are_what_they_are_alone() -> None:
    """Whatever other shapes were seen before."""
    lines = [line for pair in (*SAME, *DIFFERENT) for line in pair]
    keys = Keys()
    masker = Masker()
    for _ in range(2):
        masker.take("\n".join(lines).encode(), keys)
    alone = [keys_of(line) for line in lines]
    assert list(zip(keys.lines, keys.outlines, strict=True)) == alone * 2


def test_without_masks_every_letter_counts() -> None:
    """As the plain comparison shows them."""
    keys = Keys()
    Plain().take(b"in 3s\nin 4s\nin 3s", keys)
    assert keys.lines[0] == keys.lines[2] != keys.lines[1]


@pytest.mark.parametrize("line", ["0" * 100_000, "a0" * 50_000, "00:" * 30_000, "~-" * 50_000])
def test_a_hostile_line_takes_no_time(line: str) -> None:
    """Masks are sought in its beginning only; the rest counts."""
    assert keys_of(line)[0] != keys_of(line + "x")[0]


def test_what_is_remembered_of_long_lines_is_little(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each may have a shape of its own, which is as long as it is; what they equal stays so."""
    monkeypatch.setattr("platui.analysis.masking._MOST_BYTES", 10_000)
    masker, keys = Masker(), Keys()
    lines = [b"%s %d" % (bytes([97 + number]) * 1_000, number) for number in range(26)]
    masker.take(b"\n".join([*lines, *lines]), keys)
    assert list(keys.lines[:26]) == list(keys.lines[26:])
    assert len(set(keys.lines)) == 26
    assert len(masker._shapes) <= 6
