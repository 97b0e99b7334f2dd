"""Options of the log command: which log, and how to show it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from platui.cli.options import is_address
from platui.core.errors import ConfigError
from platui.core.suggestions import file_hint
from platui.core.text import shorten

STDIN: Final = "-"
_HINT: Final = "platui log --help"


@dataclass(frozen=True, slots=True)
class LogOptions:
    """The log to show, and how."""

    target: tuple[str, ...] = ()
    file: str = ""  # A saved log; `-`: standard input
    follow: bool = False
    errors: bool = False
    cause: bool = False
    against: str = ""  # A saved log of a successful run
    as_json: bool = False
    raw: bool = False
    stamps: bool = False
    section: str = ""
    color: str = ""  # auto, always, never; empty: not given
    pipeline: int | None = None
    ref: str = ""

    @property
    def prints(self) -> bool:
        chosen = self.errors or self.cause or self.raw or self.stamps or self.section or self.color
        return bool(chosen or (self.follow and not self.file))


def check_log_options(wanted: LogOptions) -> None:
    hint = _HINT
    count = len(wanted.target)
    by_address = count > 0 and is_address(wanted.target[0])
    if wanted.file and count:
        raise ConfigError("Give a job or --file, not both.", hint=hint)
    if not wanted.file and not count:
        raise ConfigError("Missing job. Give a project and a job, or the job's URL.", hint=hint)
    if by_address and count > 1:
        raise ConfigError(f"Unexpected argument: {shorten(wanted.target[1], 60)}", hint=hint)
    if not by_address and not wanted.file and count != 2:  # noqa: PLR2004  (project and job)
        hint = file_hint(wanted.target[0]) or hint
        raise ConfigError("Give a project and a job, or the job's URL.", hint=hint)
    if (wanted.pipeline is not None or wanted.ref) and (by_address or wanted.file):
        raise ConfigError("--pipeline and --ref need a job name.", hint=hint)
    if wanted.pipeline is not None and wanted.ref:
        raise ConfigError("Give --pipeline or --ref, not both.", hint=hint)
    if wanted.raw and (wanted.errors or wanted.section or wanted.stamps):
        raise ConfigError("--raw prints the whole log; combine it with --follow only.", hint=hint)
    if wanted.errors and wanted.section:
        raise ConfigError("Give --errors or --section, not both.", hint=hint)
    _check_cause_options(wanted)


def _check_cause_options(wanted: LogOptions) -> None:
    if wanted.cause and (wanted.raw or wanted.errors or wanted.section or wanted.follow):
        raise ConfigError(
            "--cause prints the cause only; combine it with --json or --against.", hint=_HINT
        )
    if wanted.against and not (wanted.cause and wanted.file):
        raise ConfigError("--against needs --file and --cause.", hint=_HINT)
    if wanted.as_json and not wanted.cause:
        raise ConfigError("--json needs --cause.", hint=_HINT)
