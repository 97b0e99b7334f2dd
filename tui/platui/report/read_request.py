"""The request to the worker: a line of JSON on stdin, invisible to other users."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path


@dataclass(frozen=True, slots=True)
class ReadRequest:
    """A report to read."""

    spool: Path  # The JSON file
    folder: Path  # Target folder; its name is the report's id
    fetched_at: datetime  # End of the download (UTC)
    origin: str  # Host or file name; clean text
    digest: str  # SHA-256 of the JSON, hexadecimal
    etag: str = ""

    def line(self) -> bytes:
        return json.dumps(asdict(self), default=str).encode() + b"\n"

    @classmethod
    def of(cls, line: bytes) -> ReadRequest:
        plain = json.loads(line)
        plain |= {
            "spool": Path(plain["spool"]),
            "folder": Path(plain["folder"]),
            "fetched_at": datetime.fromisoformat(plain["fetched_at"]),
        }
        return cls(**plain)
