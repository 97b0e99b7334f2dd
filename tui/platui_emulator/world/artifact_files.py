"""The files in the archive of a job, derived from its log."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, lru_cache
from hashlib import blake2b, sha256
from typing import TYPE_CHECKING, Any, Final

from platui_emulator.world import models
from platui_emulator.world.clock import model_mebibytes
from platui_emulator.world.job_tests import data_tests, junit_of
from platui_emulator.world.job_tests import models as built_models

if TYPE_CHECKING:
    from platui_emulator.records import SuiteReport
    from platui_emulator.world.plans import Attempt, Run


_LOCAL: Final = struct.Struct("<4sHHHHHIIIHH")
_CENTRAL: Final = struct.Struct("<4sHHHHHHIIIHHHHHII")
_END: Final = struct.Struct("<4sHHHHIIH")
_VERSION: Final = 20
_UTF8: Final = 1 << 11
_UNIX: Final = 3 << 8
_MODE: Final = 0o100644 << 16
_PIECE: Final = 64 * 1024


@dataclass(frozen=True, slots=True)
class Member:
    """A file in an archive: a block of bytes and its number of repetitions."""

    path: str
    block: bytes
    times: int = 1

    @property
    def size(self) -> int:
        """Its bytes."""
        return len(self.block) * self.times

    @property
    def identity(self) -> str:
        """What decides over its bytes."""
        return f"{self.times} times {blake2b(self.block).hexdigest()}"

    def pieces(self, start: int = 0, end: int | None = None) -> Iterator[bytes]:
        """Yield the bytes from `start` up to, not including, `end`."""
        end = self.size if end is None else min(end, self.size)
        while start < end:
            at = start % len(self.block)
            piece = self.block[at : min(len(self.block), at + end - start, at + _PIECE)]
            start += len(piece)
            yield piece

    def crc(self) -> int:
        crc = 0
        for _ in range(self.times):
            crc = zlib.crc32(self.block, crc)
        return crc


class Archive:
    """A zip archive without compression, whose length is known before any of it is made."""

    def __init__(self, identity: str, members: Sequence[Member], made_at: datetime) -> None:
        self.members = tuple(members)
        self._identity = identity
        self._stamp = _dos_time(made_at)

    @property
    def identity(self) -> str:
        """What decides over its bytes."""
        return self._identity

    @property
    def size(self) -> int:
        """Its length in bytes."""
        names = sum(len(one.path.encode()) for one in self.members)
        heads = len(self.members) * (_LOCAL.size + _CENTRAL.size)
        return sum(one.size for one in self.members) + heads + 2 * names + _END.size

    def file(self, path: str) -> Member | None:
        return next((one for one in self.members if one.path == path), None)

    def pieces(self, start: int = 0, end: int | None = None) -> Iterator[bytes]:
        """Yield the bytes from `start` up to, not including, `end`."""
        end = self.size if end is None else min(end, self.size)
        offset = 0
        for part in self._parts:
            if start < offset + part.size and offset < end:
                yield from part.pieces(max(start - offset, 0), end - offset)
            offset += part.size

    @cached_property
    def _parts(self) -> list[Member]:
        """Everything in the archive, in its order: a head before each file, and the list."""
        parts: list[Member] = []
        listed = b""
        offset = 0
        for one in self.members:
            name, crc = one.path.encode(), one.crc()
            listed += _central(name, one.size, crc, self._stamp, offset)
            head = Member("", _local(name, one.size, crc, self._stamp))
            parts += [head, one]
            offset += head.size + one.size
        count = len(self.members)
        end = _END.pack(b"PK\5\6", 0, 0, count, count, len(listed), offset, 0)
        return [*parts, Member("", listed + end)]


def _local(name: bytes, size: int, crc: int, stamp: tuple[int, int]) -> bytes:
    head = (b"PK\3\4", _VERSION, _UTF8, 0, *stamp, crc, size, size, len(name), 0)
    return _LOCAL.pack(*head) + name


def _central(name: bytes, size: int, crc: int, stamp: tuple[int, int], offset: int) -> bytes:
    return (
        _CENTRAL.pack(
            b"PK\1\2", _UNIX | _VERSION, _VERSION, _UTF8, 0, *stamp, crc, size, size,
            len(name), 0, 0, 0, 0, _MODE, offset,
        )
        + name
    )  # fmt: skip


def _dos_time(when: datetime) -> tuple[int, int]:
    """Return a moment as archives write it: in steps of two seconds, without a zone."""
    clock = when.hour << 11 | when.minute << 5 | when.second // 2
    return clock, (when.year - 1980) << 9 | when.month << 5 | when.day


JUNIT: Final = "target/junit.xml"
_MEBIBYTE: Final = 1 << 20
_BLOCK: Final = 1 << 16
_DBT_VERSION: Final = "1.8.7"


def members_of(
    run: Run, attempt: Attempt, job_id: int, text: str, suite: SuiteReport | None
) -> list[Member]:
    """Return the files of a job that ended; `text` is its log without colours."""
    program = "dbt" if attempt.spec.work in {"dbt_run", "dbt_test", "docs"} else attempt.spec.work
    made: dict[str, bytes] = {f"logs/{program}.log": text.encode()}
    if attempt.spec.work in {"dbt_run", "docs", "dbt_test"}:
        made["target/manifest.json"] = _manifest(run, attempt)
        made["target/run_results.json"] = _json(_run_results(run, attempt, text))
    if attempt.spec.work == "docs":
        made["target/catalog.json"] = _json(_catalog(run))
    if attempt.spec.work == "train":
        made["target/metrics.json"] = _json(_metrics(run, job_id))
    if suite is not None:
        made[JUNIT] = junit_of(suite)
    members = [Member(path, content) for path, content in sorted(made.items())]
    if attempt.spec.work == "train":
        size = model_mebibytes(job_id) * _MEBIBYTE
        members.append(Member("target/model.bin", _noise(job_id), size // _BLOCK))
    return members


def _json(value: dict[str, Any]) -> bytes:
    # Without indents: with them it would be Python that writes, ten times slower.
    return json.dumps(value).encode()


def _metadata(run: Run, attempt: Attempt) -> dict[str, Any]:
    return {
        "dbt_version": _DBT_VERSION,
        "project_name": run.blueprint.package,
        "adapter_type": run.blueprint.adapter,
        "invocation_id": sha256(f"{run.id}:{attempt.index}".encode()).hexdigest()[:32],
        "env": {"CI_COMMIT_SHA": run.commit.sha, "CI_PIPELINE_ID": str(run.id)},
    }


def _manifest(run: Run, attempt: Attempt) -> bytes:
    blueprint = run.blueprint
    nodes = _nodes(blueprint.package, tuple(models.model_names(blueprint)))
    return b'{"metadata": %s, "nodes": %s}' % (_json(_metadata(run, attempt)), nodes)


@lru_cache(maxsize=16)
def _nodes(package: str, names: tuple[str, ...]) -> bytes:
    """Return the models of a manifest: the same in all of a project's."""
    nodes = {
        f"model.{package}.{name}": {
            "resource_type": "model",
            "name": name,
            "schema": models.folder_of(name),
            "original_file_path": models.path_of(name),
            "config": {"materialized": "view" if name.startswith("stg_") else "table"},
        }
        for name in names
    }
    return _json(nodes)


def _run_results(run: Run, attempt: Attempt, text: str) -> dict[str, Any]:
    package = run.blueprint.package
    results: list[dict[str, Any]] = [
        {
            "unique_id": f"model.{package}.{row.name.rpartition('.')[2]}",
            "status": "success",
            "execution_time": row.seconds,
            "message": row.message,
        }
        for row in built_models(text)
    ]
    results += [
        {
            "unique_id": f"test.{package}.{row.name}",
            "status": "fail" if row.rows else "pass",
            "execution_time": row.seconds,
            "failures": row.rows,
        }
        for row in data_tests(text)
    ]
    elapsed = round(sum(one["execution_time"] for one in results), 2)
    return {"metadata": _metadata(run, attempt), "results": results, "elapsed_time": elapsed}


def _catalog(run: Run) -> dict[str, Any]:
    source = run.blueprint.source
    tables = {f"source.{source}.{entity}": {"rows": None} for entity in run.blueprint.entities}
    return {"sources": tables}


def _metrics(run: Run, job_id: int) -> dict[str, Any]:
    return {
        "commit": run.commit.sha,
        "features": 184,
        "model_mebibytes": model_mebibytes(job_id),
        "val_auc": round(0.8 + job_id % 130 / 1000, 4),
    }


def _noise(job_id: int) -> bytes:
    count = _BLOCK // 64
    return b"".join(blake2b(f"{job_id}:{number}".encode()).digest() for number in range(count))
