"""What a word of a command line may become, without a platform and without a shell."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from platui.cli.command_list import COMMANDS
from platui.cli.commands.completion import Completer
from platui.cli.main import dispatch
from platui.core.clock import SystemClock
from platui.core.paths import cache_dir, config_dir
from platui.store.cache import EntryKey, StoredPage
from platui.store.pages import PageStore

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from click.shell_completion import CompletionItem

URL = "https://platform.example"
CONFIG = f"""
[profiles.prod]
url = "{URL}/api/v4"
[profiles.preview]
url = "https://preview.example"
"""
PATHS = ("acme/finance/tax-vat", "acme/ingestion/etl", "acme/ml/etl", "acme/ml/$(reboot)")


@pytest.fixture
def known() -> Iterable[Path]:
    """Have two profiles, and projects of one of them in the cache."""
    config_dir().mkdir(parents=True)
    (config_dir() / "config.toml").write_text(CONFIG)
    path = cache_dir() / "pages.sqlite3"
    keep(path, URL, "projects?membership=true&page=1", PATHS)
    keep(path, "https://preview.example", "projects?membership=true&page=1", ["else/where"])
    keep(path, URL, "projects/7/pipelines?page=1", ["no/list"])
    return [path]


def keep(path: Path, origin: str, operation: str, paths: Iterable[str]) -> None:
    """Put a page of projects into the cache."""
    store = PageStore(path, 1_000_000, SystemClock())
    body = json.dumps([{"id": 1, "path_with_namespace": one} for one in paths]).encode()
    store.put(EntryKey(origin, "of-a-token", operation), StoredPage(body, datetime.now(UTC)))
    store.close()


def completed(*typed: str) -> list[CompletionItem]:
    """Return what the last word may become."""
    completer = Completer(typed)
    return completer.get_completions(*completer.get_completion_args())


def words(*typed: str) -> list[str]:
    """Return what the last word may become, as words."""
    return [one.value for one in completed(*typed)]


def test_every_command_is_completed_with_what_it_does() -> None:
    """By its beginning, and behind global options too."""
    found = completed("")
    assert [one.value for one in found] == list(COMMANDS)
    assert all(one.help for one in found)
    assert words("--ascii", "--profile", "x", "pipel") == words("pipel")
    assert words("pipel") == ["pipelines", "pipeline"]
    assert words("no-such", "") == []


def test_options_are_those_of_the_command_and_of_platui() -> None:
    """Of groups, of what click does not read, and of platui itself."""
    assert words("--pro") == ["--profile"]
    assert words("pipelines", "--s") == ["--status", "--source", "--sha"]
    assert words("schedule", "create", "--cr") == ["--cron"]
    assert words("audit", "--pro") == ["--profile"]
    assert words("audit", "--profile", "x", "--pro") == []
    assert words("log", "--st") == ["--stamps"]
    assert "--url" not in words("demo", "--")


def test_sub_commands_and_values_are_completed() -> None:
    """Words that an option takes, whatever else the platform may have."""
    assert words("schedule", "l") == ["list"]
    assert words("pipelines", "etl", "--status", "fa") == ["failed"]
    assert words("jobs", "etl", "--status", "failed", "--status", "run") == ["running"]
    assert words("report", "diff", "--by", "") == ["person", "group"]
    assert words("log", "x", "--color", "a") == ["auto", "always"]
    assert words("completion", "") == ["bash", "zsh", "fish"]
    assert words("cache", "clear", "--what", "au") == ["audit"]
    assert words("docs", "exit") == ["exit-codes"]
    assert words("keys", "--screen", "tri") == ["triage"]
    assert words("themes", "new", "x", "--from", "ans") == ["ansi"]
    assert words("report", "show", "--report", "") == ["latest", "previous"]
    assert words("help", "sched") == words("sched")
    assert words("help", "schedule", "cr") == ["create"]
    assert words("help", "schedule", "create", "") == words("help", "nothing", "") == []


@pytest.mark.usefixtures("known")
def test_profiles_are_completed_where_they_are_named() -> None:
    """Before a command, behind it, and as bash parts the word."""
    for typed in (["--profile", "p"], ["jobs", "--profile", "p"], ["--profile", "=", "p"],
                  ["log", "--profile", "p"]):  # fmt: skip
        assert words(*typed) == ["prod", "preview"], typed
    assert words("--profile", "=") == ["prod", "preview"]


@pytest.mark.usefixtures("known")
def test_projects_are_those_that_were_listed_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """By their paths, or by an end that no other has; nothing that a shell would run."""
    monkeypatch.setenv("PLATUI_PROFILE", "prod")
    assert words("pipelines", "acme/") == list(PATHS[:3])
    assert words("pipelines", "tax") == ["tax-vat"]
    assert words("jobs", "et") == []
    assert words("run", "") == list(PATHS[:3])
    assert words("log", "acme/f") == words("file", "acme/f") == [PATHS[0]]
    assert words("triage", "--group", "acme/m") == ["acme/ml"]
    assert "acme/finance/" in words("triage", "watch", "tax-vat", "acme/f")
    assert words("pipelines", "tax-vat", "") == []
    assert words("--profile", "preview", "pipelines", "") == ["else/where"]
    assert words("pipelines", "--profile", "", "") == list(PATHS[:3]), "not typed yet"


def test_without_configuration_or_cache_nothing_is_completed_and_nothing_made() -> None:
    """A tab is no reason to make a file, or to say anything."""
    assert words("pipelines", "") == words("--profile", "") == []
    config_dir().mkdir(parents=True)
    (config_dir() / "config.toml").write_text("not = [toml")
    assert words("pipelines", "") == words("--profile", "") == []
    assert not (cache_dir() / "pages.sqlite3").exists()


@pytest.mark.usefixtures("known")
def test_a_damaged_cache_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever opens it next sets it aside."""
    monkeypatch.setenv("PLATUI_PROFILE", "prod")
    path = cache_dir() / "pages.sqlite3"
    path.write_bytes(b"no database" * 1000)
    assert words("pipelines", "") == []
    assert path.read_bytes().startswith(b"no database")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_is_given_what_it_evaluates(
    shell: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """On stdout alone; another word is none."""
    assert dispatch(["completion", shell]) == 0
    told = capsys.readouterr()
    assert "completion words" in told.out
    assert told.err == ""
    assert dispatch(["completion", "words", "completion", "ba"]) == 0
    assert capsys.readouterr().out == "word\tbash\t\n"
    assert dispatch(["completion", "words", "no-such", ""]) == 0
    assert capsys.readouterr().out == ""
    assert dispatch(["completion", "csh"]) == dispatch(["completion", shell, "x"]) == 2


_HEAVY = frozenset({"asyncio", "httpx", "pydantic", "sqlite3", "textual", "platui.service"})


@pytest.mark.parametrize(
    ("typed", "told", "imported"),
    [(["pipel"], "pipelines", set()), (["pipelines", "--st"], "--status", {"pipelines"})],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_tab_imports_the_command_on_the_line_and_no_other(
    typed: list[str], told: str, imported: set[str]
) -> None:
    """And nothing that only its run needs."""
    code = (
        "import sys; from platui.cli.main import run\n"
        f"sys.argv[1:] = ['completion', 'words', *{typed!r}]; run()\n"
        "print(*sys.modules)"
    )
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, text=True
    )
    first, *_, loaded = answer.stdout.splitlines()
    assert first.startswith(f"word\t{told}\t")
    modules = set(loaded.split())
    assert _HEAVY.isdisjoint(modules)
    assert ("click" in modules) is bool(imported)
    commands = COMMANDS.keys() - {"completion"}
    assert {one for one in commands if f"platui.cli.commands.{one}" in modules} == imported


def test_no_command_imports_what_only_its_run_needs() -> None:
    """Help and completion of each are there without; those of the emulator list its scenarios."""
    code = (
        "import sys\n"
        "from platui.cli.command_list import COMMANDS\n"
        "from platui.cli.group import platui\n"
        "for name in COMMANDS:\n"
        "    if name != 'emulator': platui.get_command(None, name)\n"
        "print(*sys.modules)"
    )
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, text=True
    )
    assert _HEAVY.isdisjoint(answer.stdout.split())


def test_an_option_is_offered_once_unless_it_may_be_repeated() -> None:
    """Behind `--` there are none, and a value is not taken for a word."""
    assert "--status" not in words("pipelines", "--status", "failed", "--s")
    assert words("run", "--var", "A=1", "--va") == ["--var"]
    assert words("pipelines", "--status", "etl", "--sta") == []
    assert words("doctor", "--bundle", "") == [""]
    assert words("themes", "ch") == ["check"]
