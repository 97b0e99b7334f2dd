"""List all errors, warnings and notes about a config.toml."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from platui.cli.commands.config.references import reference_problems
from platui.cli.exit_codes import Exit
from platui.cli.output.progress import print_notice
from platui.cli.output.stdout import print_lines, print_object
from platui.config.environment import harden
from platui.config.load import UnreadableConfigError, config_file, read_config
from platui.config.problems import Problem, Severity, with_lines
from platui.config.validation import settings_of
from platui.core.errors import ConfigError
from platui.core.paths import absolute_path, user_path
from platui.core.text import clean
from platui.present.counts import counted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from platui.config.settings import Options

# Compiler-style labels; only an error stops platui from starting
_LABELS: Final = {Severity.REFUSED: "error", Severity.IGNORED: "warning", Severity.NOTED: "note"}


def check_config(options: Options, file: Path | None, *, as_json: bool) -> int:
    environ = harden()
    named = file or options.config
    path = absolute_path(user_path(str(named or config_file())))
    problems = _problems(path, environ)
    if problems is None and named is not None:
        raise ConfigError(clean(f"File not found: {path}"))
    wrong = [one for one in problems or () if one.severity is not Severity.NOTED]
    if as_json:
        print_object(_object(path, problems, wrong))
    else:
        print_lines(_line(path, one) for one in problems or ())
        print_notice(_summary(path, problems, wrong))
    return Exit.USAGE if wrong else Exit.DONE


def _problems(path: Path, environ: Mapping[str, str]) -> list[Problem] | None:
    try:
        config = read_config(path, environ)
    except UnreadableConfigError as error:
        return [Problem("", error.what, error.hint, line=error.line)]
    if config is None:
        return None
    settings = settings_of(config.checked, path)
    around = list(reference_problems(path, config, settings, environ))
    found = [*config.problems, *with_lines(around, config.content.text)]
    return sorted(found, key=lambda one: (one.line or 0, one.key))


def _line(path: Path, problem: Problem) -> str:
    place = path if problem.line is None else f"{path}:{problem.line}"
    return clean(f"{place}: {_LABELS[problem.severity]}: {problem}")


def _summary(path: Path, problems: Sequence[Problem] | None, wrong: Sequence[Problem]) -> str:
    if problems is None:
        return clean(f"{path} not found: using defaults. Create it with: platui init")
    refused = sum(one.severity is Severity.REFUSED for one in wrong)
    notes = len(problems) - len(wrong)
    parts = [counted(len(wrong), "problem")] * bool(wrong) + [counted(notes, "note")] * bool(notes)
    if not wrong:
        return f"No problems{f', {parts[0]}' if notes else ''}."
    if not refused:
        return f"{', '.join(parts)}. platui starts and ignores these keys."
    rest = " Keys with warnings are ignored." if refused < len(wrong) else ""
    return f"{', '.join(parts)}. platui does not start: {counted(refused, 'error')}.{rest}"


def _object(
    path: Path, problems: Sequence[Problem] | None, wrong: Sequence[Problem]
) -> dict[str, Any]:
    return {
        "file": str(path),
        "exists": problems is not None,
        "is_ok": not wrong,
        "problems": [
            {
                "key": clean(one.key),
                "line": one.line,
                "what": clean(one.what),
                "remedy": clean(one.remedy),
                "weight": one.severity.value,
            }
            for one in problems or ()
        ],
    }
