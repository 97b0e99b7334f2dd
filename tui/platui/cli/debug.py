"""Write requests and errors to the file of --debug, without secrets."""

from __future__ import annotations

import logging
import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from platui.core.errors import ConfigError

if TYPE_CHECKING:
    from platui.service import PlatformService


def write_debug_to(path: Path | None, service: PlatformService) -> None:
    """Log requests and warnings of libraries to a file of mode 0600."""
    if path is None:
        return
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        if stat.S_ISREG(os.fstat(descriptor).st_mode):
            # Another user's file, or no file modes; the log has no secrets anyway.
            with suppress(PermissionError):
                os.fchmod(descriptor, 0o600)
    except OSError as error:
        raise ConfigError(f"The debug file {path} cannot be written: {error.strerror}.") from error
    handler = logging.StreamHandler(os.fdopen(descriptor, "a", encoding="utf-8"))
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
    logging.getLogger().addHandler(handler)
    logging.getLogger("platui").setLevel(logging.DEBUG)
    log_requests(service)


def log_requests(service: PlatformService) -> None:
    log = logging.getLogger("platui")
    log.info("profile %s at %s", service.profile.name, service.profile.url)

    def note(number: int) -> None:
        record = next((one for one in service.journal.recent() if one.number == number), None)
        if record is not None:
            log.info(
                "#%d %s %s %s %d ms %d bytes %s %s", record.number, record.method, record.path,
                record.status, record.milliseconds, record.received, record.source, record.urgency,
            )  # fmt: skip

    service.journal.newest.observe(note)
    service.line.observe(lambda line: log.info("line %s: %s", line.state, line.reason))
