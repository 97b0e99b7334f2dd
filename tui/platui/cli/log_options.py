"""Options of the log command: which log, and how to show it."""

from __future__ import annotations

from typing import Final

from platui.cli.options import is_address
from platui.core.dataclass import dataclass
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
    only_failed: bool = False  # Whether a job that failed in no pipeline is not found

    @property
    def is_of_failure(self) -> bool:
        """Return whether a failed pipeline is preferred; --follow is for running jobs."""
        return self.only_failed or self.cause or (self.errors and not self.follow)

    @property
    def prints(self) -> bool:
        chosen = self.errors or self.cause or self.raw or self.stamps or self.section or self.color
        return bool(chosen or (self.follow and not self.file))


def check_log_options(wanted: LogOptions) -> None:
    first, *others = wanted.target or ("",)
    by_address = is_address(first)
    is_part = bool(wanted.errors or wanted.section)
    if not (by_address or wanted.file) and len(others) != 1:
        sentence = "Give a project and a job, or the job's URL."
        raise ConfigError(
            sentence if wanted.target else f"Missing job. {sentence}",
            hint=file_hint(first) or _HINT,
        )
    by_name = wanted.pipeline is not None or bool(wanted.ref)
    checks = (
        (wanted.file and wanted.target, "Give a job or --file, not both."),
        (by_address and others, f"Unexpected argument: {shorten(''.join(others[:1]), 60)}"),
        (by_name and (by_address or wanted.file), "--pipeline and --ref need a job name."),
        (wanted.pipeline is not None and wanted.ref, "Give --pipeline or --ref, not both."),
        (wanted.raw and (is_part or wanted.stamps),
         "--raw prints the whole log; combine it with --follow only."),
        (wanted.errors and wanted.section, "Give --errors or --section, not both."),
        (wanted.cause and (is_part or wanted.raw or wanted.follow),
         "--cause prints the cause only; combine it with --json or --against."),
        (wanted.against and not (wanted.cause and wanted.file),
         "--against needs --file and --cause."),
        (wanted.as_json and not wanted.cause, "--json needs --cause."),
    )  # fmt: skip
    for is_wrong, sentence in checks:
        if is_wrong:
            raise ConfigError(sentence, hint=_HINT)
