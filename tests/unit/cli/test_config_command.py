"""`platui config`: which file, what it says, and what is wrong with it."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import replace
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator
from tests.support.commands import Said, Shell

from platui.config.load import load_settings, read_config
from platui.config.schema import ERROR, PROFILE, SECTIONS, TOP, json_schema
from platui.config.settings import Options
from platui.core.paths import config_dir

if TYPE_CHECKING:
    from pathlib import Path

GOOD = """\
#:schema ./schema.json
default_profile = "prod"
theme = "ansi"
[poll]
idle = 45
[keys]
"log.follow" = "F"
[[errors]]
name = "quota"
pattern = "Quota (spent|used up)"
not = "warning"
[profiles.prod]
url = "https://prod.example/api/v4"
production = true
token = "hush-hush"
poll_idle = 300
theme = "high-contrast"
[profiles.staging]
url = "https://staging.example"
writes = "confirm"
timeout = 12.5
"""


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Shell:
    """Return somebody who has no terminal."""
    return Shell(monkeypatch, capfd)


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """Return a good file, private."""
    return written(tmp_path, GOOD)


def written(folder: Path, content: str | bytes, mode: int = 0o600) -> Path:
    """Write a config.toml."""
    file = folder / "config.toml"
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    file.chmod(mode)
    return file


# path


def test_the_path_alone_is_on_stdout(shell: Shell, config: Path) -> None:
    """So that an editor can be given it; why that one, and all folders, are on stderr."""
    said = shell("--config", str(config), "config", "path")
    assert (said.code, said.lines) == (0, [str(config)])
    assert "by --config" in said.err
    for word in ("themes", "tokens", "audit log", "access reports", "cache"):
        assert word in said.err
    usual = shell("config", "path")
    assert usual.lines[0].endswith("/platui/config.toml")
    assert "not exist yet" in usual.err


@pytest.mark.parametrize(
    "words",
    [
        ("config", "path", "--config", "~nobody.at.all/x"),
        ("config", "check", "~nobody.at.all/x"),
        ("doctor", "--offline", "--bundle", "~nobody.at.all/x"),
        ("doctor", "--offline", "--bundle", "x" * 300),
        ("init", "a", "--url", "https://h.example", "--token-file", "~nobody.at.all/x"),
        ("init", "a", "--url", "https://h.example", "--no-test", "--config", "x" * 300),
        ("config", "check", "x" * 300),
    ],
)
def test_what_is_no_path_is_said(shell: Shell, words: tuple[str, ...]) -> None:
    """A home that nobody has, a name that no disk takes: a sentence, and the code of usage."""
    said = shell(*words)
    assert said.code == 2
    assert said.err.splitlines()[0].startswith("platui: ")
    assert shell("config", "path", "--config", "x" * 300).code == 0


# show


def shown(said: Said) -> dict[str, tuple[Any, str, str]]:
    """Return value, source and detail of each key."""
    [document] = said.objects
    return {one["key"]: (one["value"], one["from"], one["detail"]) for one in document["settings"]}


def test_what_counts_is_told_with_where_it_is_from(shell: Shell, config: Path) -> None:
    """File with its line, environment, option, default; the profile's own word goes first."""
    said = shell("config", "show", "--json", "--config", str(config), "--utc", PLATUI_TOKEN="psst")
    found = shown(said)
    assert said.code == 0
    assert found["utc"] == (True, "option", "--utc")
    assert found["mouse"] == (True, "default", "")
    assert found["poll.idle"] == (300, "file", "line 16")
    assert found["poll.running"] == (3.0, "default", "")
    assert found["theme"] == ("high-contrast", "file", "line 17")
    assert found["profiles.prod.url"] == ("https://prod.example", "file", "line 13")
    assert found["profiles.prod.writes"] == ("locked", "default", "")
    assert found["profiles.prod.token"] == ("••••••", "environment", "PLATUI_TOKEN")
    assert found["keys.log.follow"] == ("F", "file", "line 7")
    assert found["errors[1].not"] == ("warning", "file", "line 11")
    assert not any(key.startswith("profiles.staging") for key in found)
    assert "hush" not in said.out
    assert "psst" not in said.out


def test_every_key_there_is_is_told(shell: Shell, config: Path) -> None:
    """Also those that nobody set."""
    found = shown(shell("config", "show", "--json", "--config", str(config)))
    sections = {f"{name}.{key}" for name, table in SECTIONS.items() for key in table}
    assert {*TOP, *sections, *(f"profiles.prod.{key}" for key in PROFILE)} <= found.keys()


@pytest.mark.parametrize(
    ("words", "environ", "key", "expected"),
    [
        (("--url", "https://h.example"), {}, "h.example.url", ("option", "--url")),
        ((), {"PLATUI_URL": "https://h.example"}, "h.example.url", ("environment", "PLATUI_URL")),
        (("--profile", "staging"), {}, "staging.writes", ("file", "line 20")),
        (("--read-only",), {}, "prod.writes", ("option", "--read-only")),
        ((), {"PLATUI_ADMIN_URL": "https://a.example"}, "prod.admin_url",
         ("environment", "PLATUI_ADMIN_URL")),
    ],
)  # fmt: skip
def test_environment_and_options_go_over_the_file(
    shell: Shell, config: Path, words: tuple[str, ...], environ: dict[str, str], key: str,
    expected: tuple[str, str],
) -> None:  # fmt: skip
    """As they do at a start."""
    found = shown(shell("config", "show", "--json", "--config", str(config), *words, **environ))
    assert found[f"profiles.{key}"][1:] == expected


@pytest.mark.parametrize("form", [(), ("--json",), ("--toml",)])
def test_a_token_among_the_words_of_a_command_is_masked(
    shell: Shell, tmp_path: Path, form: tuple[str, ...]
) -> None:
    """No shell keeps anybody from writing it there."""
    text = '[profiles.a]\nurl = "https://h.example"\ntoken_command = '
    file = written(tmp_path, f'{text}["echo", "glpat-AbCdEfGhIjKlMnOp"]\n')
    said = shell("config", "show", "--config", str(file), *form)
    assert said.code == 0
    assert "echo" in said.out
    assert "glpat" not in said.out


@pytest.mark.parametrize("profile", ["prod", "staging"])
def test_what_is_printed_as_toml_says_the_same(
    shell: Shell, config: Path, tmp_path: Path, profile: str
) -> None:
    """It can be pasted: the same settings come of it, but for the secret, which is named."""
    words = ("--config", str(config), "--profile", profile)
    said = shell("config", "show", "--toml", *words)
    assert "hush" not in said.out
    assert said.out.startswith("# Omitted: profiles.prod.token.\n") == (profile == "prod")
    copy = tmp_path / "copy.toml"
    copy.write_text(said.out)
    before = load_settings(config, {}, Options())
    after = load_settings(copy, {}, Options(profile=profile))
    assert after.profiles[profile] == replace(before.profiles[profile], token=None)
    assert (after.keys, after.errors, after.cache) == (before.keys, before.errors, before.cache)
    assert after.problem is None


def test_a_table_is_for_people(shell: Shell, config: Path) -> None:
    """A line each, secrets masked."""
    said = shell("config", "show", "--config", str(config))
    assert any(re.match(r'theme +"high-contrast" +file, line 17$', line) for line in said.lines)
    assert any(re.match(r"profiles.prod.token +•+ +file, line 15$", line) for line in said.lines)
    assert shell("config", "show", "--toml", "--json").code == 2


# schema


def test_the_shipped_schema_is_that_of_the_declarations(shell: Shell) -> None:
    """What is printed, what lies in the package, and what is checked by are one."""
    printed = shell("config", "schema").out
    shipped = files("platui.config").joinpath("config.schema.json").read_text("utf-8")
    assert printed == shipped, "platui config schema > tui/platui/config/config.schema.json"
    assert json.loads(shipped) == json_schema()


def test_the_schema_is_one_and_knows_every_key() -> None:
    """With a description for each, and what counts where it is left out."""
    schema = json_schema()
    Draft202012Validator.check_schema(schema)
    tables = [
        (TOP, schema["properties"]),
        (ERROR, schema["properties"]["errors"]["items"]["properties"]),
        (PROFILE, schema["properties"]["profiles"]["additionalProperties"]["properties"]),
        *((table, schema["properties"][name]["properties"]) for name, table in SECTIONS.items()),
    ]
    for table, properties in tables:
        for name, key in table.items():
            assert properties[name]["description"] == key.help
            assert key.help.endswith(".")
    assert schema["properties"]["poll"]["properties"]["idle"]["default"] == 30.0


def test_the_schema_takes_what_platui_takes() -> None:
    """A good file is good."""
    assert not list(Draft202012Validator(json_schema()).iter_errors(tomllib.loads(GOOD)))


BAD_FOR_EDITORS = [
    "thme = 'x'",
    "utc = 'yes'",
    "keymap = 'emacs'",
    "[poll]\nidle = 1",
    "[cache]\nmax_mb = 1.5",
    "[keys]\n'log.follow' = 1",
    "[[errors]]\nname = 'a'",
    "[profiles.x]\nwrites = 'off'",
    "[profiles.x]\nurl = 'platform.example.com'",
    "[profiles.x]\nurl = 'https://ada:pw@h'",
    "[profiles.x]\nurl = 'https://h'\nprodution = true",
    "[profiles.x]\nurl = 'https://h'\naccent = 'blue'",
    "[profiles.x]\nurl = 'https://h'\ntoken_command = 'pass show x'",
    "[profiles.'../x']\nurl = 'https://h'",
]


@pytest.mark.parametrize("text", BAD_FOR_EDITORS)
def test_the_schema_refuses_what_platui_refuses(shell: Shell, tmp_path: Path, text: str) -> None:
    """An editor underlines what `config check` tells."""
    assert list(Draft202012Validator(json_schema()).iter_errors(tomllib.loads(text)))
    assert shell("config", "check", str(written(tmp_path, text))).code == 2


# check


def test_a_good_file_is_well(shell: Shell, config: Path) -> None:
    """A secret in clear is no mistake in a private file, but is worth a note."""
    said = shell("config", "check", str(config))
    assert said.code == 0
    assert [line.split(": ")[1] for line in said.lines] == ["note"]
    assert "profiles.prod.token is a plain-text secret" in said.out
    assert "No problems, 1 note." in said.err
    assert "hush" not in said.out + said.err


def test_without_a_file_there_is_nothing_to_check(shell: Shell, tmp_path: Path) -> None:
    """Unless one was named."""
    assert shell("config", "check").code == 0
    assert shell("config", "check", str(tmp_path / "none.toml")).code == 2


def test_an_unknown_profile_is_an_error_with_or_without_a_file(shell: Shell, config: Path) -> None:
    """Its name is that of `--profile`."""
    said = shell("--profile", "nope", "config", "check")
    assert (said.code, said.out) == (2, "")
    assert '--profile: unknown profile "nope"' in said.err
    assert shell("--profile", "nope", "config", "check", str(config)).code == 2
    assert shell("--profile", "prod", "config", "check", str(config)).code == 0


def test_all_problems_of_an_action_are_listed_at_once(shell: Shell, tmp_path: Path) -> None:
    """Platui ignores an unknown key and view; it uses the command."""
    action = """
[actions.ticket]
title = "Ticket"
key = "{key}"
command = ["no-such-program", "--of={{projct}}", "{{project}}", "{{\\"a\\": 1}}", "{{name}}"]
views = ["{view}"]
"""
    bad = written(tmp_path, GOOD + action.format(key="notakey", view="nope"))
    said = shell("config", "check", str(bad))
    for problem in (
        "is ignored: unknown key notakey", "is ignored: unknown view nope",
        "names a program that is not on the PATH: no-such-program",
        "has an unknown placeholder: {projct}. Did you mean {project}?",
    ):  # fmt: skip
        assert problem in said.out
    assert "4 problems, 1 note. platui starts and ignores 2 keys." in said.err
    used = written(tmp_path, GOOD + action.format(key="ctrl+t", view="jobs"))
    assert "2 problems, 1 note. platui starts.\n" in shell("config", "check", str(used)).err


def test_a_former_id_of_an_action_is_a_note(shell: Shell, tmp_path: Path) -> None:
    """The key works; problems are reported at the id as written."""
    text = '[keys]\n"place.up" = "f9"\n"place.leave" = "q,hyper+q"\n'
    said = shell("config", "check", str(written(tmp_path, text)), "--json")
    found = json.loads(said.out)["problems"]
    problems = [(one["line"], one["weight"], one["key"]) for one in found if one["key"]]
    assert problems == [
        (2, "noted", "keys.place.up"),
        (3, "noted", "keys.place.leave"),
        (3, "ignored", "keys.place.leave"),
    ]
    assert any("view.back" in one["what"] for one in found)


ACTION = '[actions.{name}]\nkey = "r"\ntitle = "{name}"\ncommand = ["true"]\n'


def test_an_own_action_that_takes_a_key_is_a_note_and_one_that_loses_its_key_a_warning(
    shell: Shell, tmp_path: Path
) -> None:
    """The note names the command that had the key, and how to end it."""
    one, other = (ACTION.format(name=name) for name in ("one", "other"))
    said = shell("config", "check", str(written(tmp_path, one)))
    assert said.code == 0
    taken = "actions.one takes the key of another command: r of own.one (one) is also bound to view"
    assert any(f"1: note: {taken}.refresh (Refresh) in " in line for line in said.lines)
    assert any(
        line.endswith('Give view.refresh another key, or "" for none.') for line in said.lines
    )
    said = shell("config", "check", str(written(tmp_path, one + other)))
    assert said.code == 2
    [lost] = [line for line in said.lines if ": warning: " in line]
    assert "1: warning: actions.one is ignored: r of own.other (other) is also bound to " in lost
    assert "other applies. Give one of them another key." in lost


MISTAKES = """\
default_profile = "prodd"
thme = "dark"
theme = "solarised"
keymap = "vmi"
utc = "yes"
start = "home"
read_onyl = true
mouse = 1
[poll]
running = -3
[cache]
disk = "no"
size = 5
[keys]
"log.folow" = "x"
"log.follow" = "hyper+q"
"list.raw" = 5
"view.quit" = "r"
[[errors]]
name = "broken"
pattern = "load("
[[errors]]
name = "slow"
pattern = "error (a|aa)+$"
[[errors]]
name = "anything"
pattern = ".*"
[profiles.prod]
url = "platform.example.com"
writes = "readonly"
prodution = true
token = "hush-hush"
rate_limit = 0
[profiles.plain]
url = "http://platform.example.com"
ca_bundle = "no-such.pem"
token_command = ["no-such-program", "hush"]
token_file = "no-such-token"
accent = "blue"
[profiles.user]
url = "https://ada:hush@platform.example.com"
token_command = "pass hush"
[profiles.empty]
production = true
[profiles."no good"]
url = "https://h.example"
"""
FOUND = [
    (1, "error", "default_profile", '"prodd". Did you mean prod?'),
    (2, "warning", "thme", "Did you mean theme?"),
    (3, "warning", "theme", "Did you mean 'solarized-dark'?"),
    (4, "warning", "keymap", '"vmi". Did you mean vim?'),
    (5, "warning", "utc", "`utc = true`"),
    (6, "warning", "start", '`start = "triage"`'),
    (7, "error", "read_onyl", "Did you mean read_only?"),
    (8, "warning", "mouse", "`mouse = true`"),
    (10, "warning", "poll.running", "`running = 3`"),
    (12, "error", "cache.disk", "`disk = true`"),
    (13, "warning", "cache.size", "disk, max_mb"),
    (15, "warning", "keys.log.folow", "Did you mean log.follow?"),
    (16, "warning", "keys.log.follow", "Did you mean super+q?"),
    (17, "warning", "keys.list.raw", '`"list.raw" = "ctrl+r"`'),
    (18, "note", "keys.view.quit", "view.refresh"),
    (21, "warning", "errors[1].pattern", "position 5"),
    (24, "warning", "errors[2].pattern", "takes too long"),
    (27, "warning", "errors[3].pattern", "3 letters"),
    (29, "error", "profiles.prod.url", '`url = "https://platform.example.com"`'),
    (30, "error", "profiles.prod.writes", '`writes = "off"`'),
    (31, "error", "profiles.prod.prodution", "Did you mean production?"),
    (32, "error", "profiles.prod.token", "token_command"),
    (33, "error", "profiles.prod.rate_limit", "`rate_limit = 600`"),
    (35, "warning", "profiles.plain.url", "`insecure = true`"),
    (36, "warning", "profiles.plain.ca_bundle", "HERE/no-such.pem"),
    (37, "warning", "profiles.plain.token_command", "no-such-program"),
    (38, "warning", "profiles.plain.token_file", "HERE/no-such-token"),
    (39, "warning", "profiles.plain.accent", '`accent = "#7cc4ff"`'),
    (41, "error", "profiles.user.url", '`url = "https://platform.example.com"`'),
    (42, "error", "profiles.user.token_command", '`token_command = ["pass", "show", "platui"]`'),
    (43, "error", "profiles.empty.url", '`url = "https://platform.example.com"`'),
    (45, "error", "profiles.no good", "64"),
]


def test_every_planted_mistake_is_told_with_file_line_key_and_remedy(
    shell: Shell, tmp_path: Path
) -> None:
    """Thirty of them at once, each a sentence about the key and one that helps; no secret."""
    file = written(tmp_path, MISTAKES, 0o644)
    said = shell("config", "check", str(file))
    assert said.code == 2
    assert len(said.lines) == len(FOUND)
    for text, (line, level, key, fragment) in zip(said.lines, FOUND, strict=True):
        assert text.startswith(f"{file}:{line}: {level}: {key} ")
        assert fragment.replace("HERE", str(tmp_path)) in text
    assert "31 problems, 1 note. platui does not start: 12 errors." in said.err
    assert "hush" not in said.out + said.err
    [document] = shell("config", "check", str(file), "--json").objects
    assert not document["is_ok"]
    assert all(one["key"] and one["remedy"] and one["line"] for one in document["problems"])


@pytest.mark.parametrize(
    ("content", "line", "what", "remedy"),
    [
        ("a = 1\n[profiles.prod\n", 2, "not TOML: ", "uote"),
        ("theme = dark\n", 1, "not TOML: Invalid value in `theme = dark`", "uote"),
        ("utc = true\nutc = false\n", 2, "not TOML: Cannot overwrite", "twice"),
        ("[poll]\nidle = 9\n\n[poll]\n", 4, "not TOML: Cannot declare", "twice"),
        ("name = 'x\ny'\n", 1, "not TOML: ", "closed"),
        ("a = [1,\n", 2, "not TOML: Invalid value", "closed"),
        (b"# Stra\xdfe\n", 1, "not UTF-8 text.", "UTF-8"),
        ("# x\n" * 300_000, None, "is too large for a configuration file.", "--config"),
        ("[profiles.x]\ntoken = hush\n", 2, "not TOML: Invalid value.", "uote"),
    ],
    ids=[
        "table",
        "bare",
        "key twice",
        "table twice",
        "string",
        "list",
        "latin-1",
        "huge",
        "secret",
    ],
)
def test_what_cannot_be_read_is_a_mistake_like_others(
    shell: Shell, tmp_path: Path, content: str | bytes, line: int | None, what: str, remedy: str
) -> None:
    """With its line, and what is usually the matter; a line with a secret is not repeated."""
    file = written(tmp_path, content)
    [document] = shell("config", "check", str(file), "--json").objects
    [problem] = document["problems"]
    assert problem["line"] == line
    assert problem["what"].startswith(what)
    assert remedy in problem["remedy"]
    said = shell("config", "check", str(file))
    assert said.code == 2
    assert said.out.startswith(f"{file}:{line}: " if line else f"{file}: ")
    assert "hush" not in said.out


def test_permissions_are_notes(shell: Shell, tmp_path: Path) -> None:
    """Nothing is wrong with the file itself; what helps is a command."""
    file = written(tmp_path, '[profiles.x]\nurl = "https://h.example"\n', 0o666)
    said = shell("config", "check", str(file))
    assert said.code == 0
    [line] = said.lines
    assert line.startswith(f"{file}: note: is writable by others")
    assert line.endswith(f" chmod go-w {file}")


def test_files_that_are_named_are_looked_at(shell: Shell, tmp_path: Path) -> None:
    """Not a certificate, open to others, not to be run, an empty program path."""
    (tmp_path / "ca.pem").write_text("no certificate")
    (tmp_path / "token").write_text("hush")
    (tmp_path / "token").chmod(0o644)
    (tmp_path / "program").write_text("#!/bin/sh\n")
    file = written(
        tmp_path,
        f'[profiles.x]\nurl = "https://h.example"\nca_bundle = "ca.pem"\ntoken_file = "token"\n'
        f'token_command = ["{tmp_path}/program"]\nadmin_key_command = ["~/bin/key"]\n'
        'debug_file = "x"\n',
    )
    said = shell("config", "check", str(file))
    for words in (
        "ca_bundle names a file without a certificate",
        "token_file is unusable: ",
        "token_command names a program that is not executable",
        "admin_key_command names a program that does not exist: ~/bin/key. No shell",
    ):
        assert words in said.out
    assert "hush" not in said.out


def test_what_is_left_out_is_said_before_a_command_does_its_work(
    shell: Shell, tmp_path: Path
) -> None:
    """On stderr, once, and the command goes on."""
    file = written(tmp_path, 'thme = "x"\n[profiles.x]\nurl = "http://127.0.0.1:1"\n')
    said = shell("--config", str(file), "config", "show", "--json")
    assert said.code == 0
    assert said.err.count("thme is not a known key. Did you mean theme?") == 1
    assert f"{file}: line 1: " in said.err


def test_the_example_is_whole_and_right(shell: Shell, tmp_path: Path) -> None:
    """Every key is in it, and what is a comment there would be right as a line."""
    example = shell("config", "example").out
    assert example == (files("platui.config") / "example.toml").read_text("utf-8")
    whole = re.sub(r"^# (?=[a-z_]+ = )", "", example, flags=re.MULTILINE)
    for text in (example, whole):
        file = written(tmp_path, text)
        assert not list(Draft202012Validator(json_schema()).iter_errors(tomllib.loads(text)))
        read = read_config(file, {})
        assert read is not None
        assert not read.problems
    document = tomllib.loads(whole)
    for name, table in {**SECTIONS, "": TOP}.items():
        assert set(table) <= set(document[name] if name else document)
    assert set(document["profiles"]["prod"]) == set(PROFILE)
    assert set(document["errors"][0]) == set(ERROR)
    usual = json_schema()["properties"]
    for name in SECTIONS:
        for key, value in document[name].items():
            assert usual[name]["properties"][key]["default"] == value, key


def test_a_link_among_the_credentials_that_leads_nowhere_is_no_fault(
    shell: Shell, config: Path
) -> None:
    """Nobody reads what is not there."""
    folder = config_dir() / "credentials"
    folder.mkdir(mode=0o700, parents=True)
    (folder / "old.token").symlink_to("/nowhere/at/all")
    assert shell("config", "check", str(config)).code in {0, 2}
