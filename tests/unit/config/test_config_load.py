"""Reading config.toml: what is taken, and every way of saying what is wrong."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from platui.config.load import load_settings, parse_toml, read_config
from platui.config.problems import InvalidConfigError, Problem, describe
from platui.config.settings import (
    CacheSettings,
    ErrorPattern,
    NotifySettings,
    Options,
    PollSettings,
    ReportSettings,
    Settings,
)
from platui.core.errors import ConfigError
from platui.core.secrets import Secret

WHOLE = """
default_profile = "prod"
theme = "ansi"
ascii = false
utc = true
start = "last"
keymap = "k9s"
mouse = false
reduced_motion = true
read_only = true
debug_file = "logs/platui.log"

[cache]
disk = false
max_mb = 50

[reports]
keep = 3

[notify]
bell = true
desktop = "osc777"
title = false
branches = "all"

[poll]
running = 2
idle = 60.5

[keys]
"log.follow" = "F"
pipelines.refresh = "ctrl+r,f5"

[profiles.prod]
url = "https://Platform.Example.com/api/v4/"
admin_url = "https://admin.example.com/api/v1"
production = true
writes = "off"
ca_bundle = "~/ca.pem"
rate_limit = 300
timeout = 10
token_command = ["pass", "show", "platui"]
admin_key_file = "/run/keys/admin"

[profiles.local]
url = "http://127.0.0.1:8080"
insecure = true
token_file = "local.token"
"""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """Return where a config.toml goes."""
    return tmp_path / "config.toml"


def load(config: Path, text: str | bytes, **env: str) -> Settings:
    """Read `text` as config.toml."""
    config.write_bytes(text.encode() if isinstance(text, str) else text)
    return load_settings(config, env, Options())


def test_no_file_at_the_usual_place_gives_the_defaults() -> None:
    """The first run has no config.toml."""
    assert load_settings(None, {}, Options()) == Settings()


def test_the_usual_place_is_read() -> None:
    """Without `--config` the user's config folder counts."""
    file = Path(os.environ["XDG_CONFIG_HOME"], "platui", "config.toml")
    file.parent.mkdir(parents=True)
    file.write_text('theme = "ansi"\n')
    settings = load_settings(None, {}, Options())
    assert (settings.theme, settings.file) == ("ansi", file)


@pytest.mark.parametrize("way", ["argument", "option"])
def test_a_named_file_must_be_there(config: Path, way: str) -> None:
    """Who names a file means it to be there."""
    path, options = (config, Options()) if way == "argument" else (None, Options(config=config))
    with pytest.raises(ConfigError, match=f"File not found: {config}"):
        load_settings(path, {}, options)


def test_every_key_is_taken(config: Path) -> None:
    """A whole file comes out as values of their types."""
    settings = load(config, WHOLE, HOME="/home/ada")
    prod, local = settings.profiles["prod"], settings.profiles["local"]
    assert settings.default_profile == "prod"
    assert (settings.theme, settings.ascii, settings.utc) == ("ansi", False, True)
    assert (settings.keymap, settings.mouse, settings.read_only) == ("k9s", False, True)
    assert (settings.start, settings.reduced_motion) == ("last", True)
    assert settings.debug_file == config.parent / "logs/platui.log"
    assert settings.cache == CacheSettings(disk=False, max_mb=50)
    assert settings.reports == ReportSettings(keep=3)
    assert settings.notify == NotifySettings(True, "osc777", False, "all")
    assert settings.poll == PollSettings(running=2.0, idle=60.5)
    assert settings.keys == {"log.follow": "F", "pipelines.refresh": "ctrl+r,f5"}
    assert (prod.name, prod.url) == ("prod", "https://platform.example.com")
    assert prod.admin_url == "https://admin.example.com"
    assert (prod.production, prod.writes, prod.rate_limit) == (True, "off", 300)
    assert (prod.timeout, type(prod.timeout)) == (10.0, float)
    assert prod.ca_bundle == Path("/home/ada/ca.pem")
    assert prod.token_command == ("pass", "show", "platui")
    assert prod.admin_key_file == Path("/run/keys/admin")
    assert (local.url, local.insecure, local.writes) == ("http://127.0.0.1:8080", True, "locked")
    assert local.token_file == config.parent / "local.token"
    assert not local.ephemeral


def test_a_folder_may_be_the_files_own(config: Path) -> None:
    """`.` is a path too: the one beside config.toml."""
    settings = load(config, '[profiles.x]\nurl = "https://h"\nca_bundle = "."\n')
    assert settings.profiles["x"].ca_bundle == config.parent


def test_settings_cannot_be_changed(config: Path) -> None:
    """Mappings are frozen like the rest."""
    settings = load(config, WHOLE)
    with pytest.raises(TypeError):
        settings.profiles["new"] = settings.profiles["prod"]  # type: ignore[index]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (Options(ascii=True), {"ascii": True}),
        (Options(utc=True), {"utc": True}),
        (Options(read_only=True), {"read_only": True}),
        (Options(debug=Path("/var/log/p.log")), {"debug_file": Path("/var/log/p.log")}),
        (Options(), {"ascii": False, "utc": False, "read_only": False, "debug_file": None}),
    ],
)
def test_the_command_line_wins_over_the_file(
    config: Path, options: Options, expected: dict[str, Any]
) -> None:
    """An option that was given counts, one that was not leaves the file's word."""
    config.write_text("ascii = false\nutc = false\nread_only = false\n")
    settings = load_settings(config, {}, options)
    assert {name: getattr(settings, name) for name in expected} == expected


WRONG = [
    ("them = 'x'", "them is not a known key. Did you mean theme?"),
    ("zzz = 1", "zzz is not a known key"),
    ("theme = 1", "theme must be the name of a theme on one line, not 1"),
    ("theme = ' '", 'theme must be the name of a theme on one line, not " "'),
    ('theme = "a\\nb"', 'theme must be the name of a theme on one line, not "a b"'),
    (
        "[poll]\nidle = 0x" + "f" * 4500,
        "poll.idle must be a number from 5 to 86400, not a huge number",
    ),
    ("utc = 1", "utc must be true or false, not 1"),
    ('utc = "yes"', 'utc must be true or false, not "yes"'),
    ("utc = [1]", "utc must be true or false, not a list"),
    ("utc = {}", "utc must be true or false, not a table"),
    ("utc = 2026-01-01", "utc must be true or false, not a date or time"),
    ("keymap = 'k9'", 'keymap must be k9s, vim or lazygit, not "k9". Did you mean k9s?'),
    ("start = 'home'", 'start must be triage or last, not "home"'),
    ("keymap = []", "keymap must be k9s, vim or lazygit, not a list"),
    ("debug_file = 5", "debug_file must be a path, not 5"),
    ('debug_file = ""', 'debug_file must be a path, not ""'),
    ("debug_file = '~nobody-of-that-name/x'", "debug_file has an unknown home folder"),
    ("default_profile = 'x'", 'default_profile names an unknown profile: "x"'),
    ("cache = 1", "cache must be a table, such as [cache]"),
    ("[cache]\nmax = 1", "cache.max is not a known key. Did you mean max_mb?"),
    ("[cache]\nmax_mb = 0", "cache.max_mb must be a whole number from 1 to 100000, not 0"),
    ("[cache]\nmax_mb = 1.5", "cache.max_mb must be a whole number from 1 to 100000, not 1.5"),
    ("[cache]\nmax_mb = true", "cache.max_mb must be a whole number from 1 to 100000, not true"),
    ("[poll]\nrunning = nan", "poll.running must be a number from 1 to 3600, not nan"),
    ("[poll]\nidle = inf", "poll.idle must be a number from 5 to 86400, not inf"),
    ("keys = 1", "keys must be a table, such as [keys]"),
    ("[keys]\n'log.end' = 1", 'keys.log.end must be text, such as "r" or "ctrl+r,f5"'),
    ('[keys]\n"log.end" = "\\u001b"', 'keys.log.end must be text, such as "r" or "ctrl+r,f5"'),
    ("profiles = 1", "profiles must be a table, such as [profiles]"),
    ("profiles.x = 1", "profiles.x must be a table, such as [profiles.x]"),
    ("[profiles.x]", "profiles.x.url is missing: a URL such as https://platform.example.com"),
    ("[profiles.'../x']\nurl = 'https://h'", "profiles.../x is not a valid profile name"),
    (
        "[profiles.x]\nurl = 1",
        "profiles.x.url must be a URL such as https://platform.example.com",
    ),
    ("[profiles.x]\nurl = 'h.example'", "profiles.x.url does not begin with https"),
    ("[profiles.x]\nurl = 'ftp://h'", "profiles.x.url does not begin with https"),
    ("[profiles.x]\nurl = 'https://'", "profiles.x.url has no host"),
    (
        "[profiles.x]\nurl = 'https://h h'",
        "profiles.x.url contains a space or an invisible character",
    ),
    ("[profiles.x]\nurl = 'https://h:x'", "profiles.x.url is not a valid URL"),
    ("[profiles.x]\nurl = 'https://[h'", "profiles.x.url is not a valid URL"),
    ("[profiles.x]\nurl = 'https://h?a=1'", "profiles.x.url contains a query or fragment"),
    ("[profiles.x]\nurl = 'https://u:hush@h'", "profiles.x.url contains a user or password"),
    (
        "[profiles.x]\nurl = 'https://h'\nwirtes = 'off'",
        "profiles.x.wirtes is not a known key. Did",
    ),
    ("[profiles.x]\nurl = 'https://h'\nwrites = 'on'", "profiles.x.writes must be off, locked or"),
    ("[profiles.x]\nurl = 'https://h'\ntoken_command = 'pass hush'", "no shell splits the line"),
    (
        "[profiles.x]\nurl = 'https://h'\ntoken_command = []",
        "profiles.x.token_command must be a li",
    ),
    ("[profiles.x]\nurl = 'https://h'\ntoken_command = ['a', 1]", "profiles.x.token_command must "),
    (
        "[profiles.x]\nurl = 'https://h'\ntimeout = 0",
        "profiles.x.timeout must be a number from 0.1",
    ),
]


@pytest.mark.parametrize(("text", "expected"), WRONG, ids=[text[:80] for text, _ in WRONG])
def test_each_fault_names_file_key_and_reason(config: Path, text: str, expected: str) -> None:
    """The sentence says where, which key, and what would be right; never a secret."""
    [problem] = faults(config, text)
    assert problem.line in range(1, text.count("\n") + 2)
    assert problem.remedy
    sentence = describe(config, problem)
    assert sentence.startswith(f"{config}: line ")
    assert expected in sentence
    assert "hush" not in sentence


def faults(config: Path, text: str) -> list[Problem]:
    """Return what is wrong with `text` as config.toml."""
    config.write_text(text)
    read = read_config(config, {})
    assert read is not None
    return read.problems


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("shade = 1", True),
        ("utc = 1", True),
        ("[poll]\nidle = 0", True),
        ("poll = 1", True),
        ("[profiles.x]\nurl = 'https://h'\ntimeout = 0", True),
        ("[profiles.x]\nurl = 'https://h'\n[profiles.x.of_a_newer_one]\na = 1", True),
        ("[[errors]]\nname = 'a'", True),
        ("read_onyl = true", False),
        ("[cahce]\ndisk = false", False),
        ("[cache]\ndsik = false", False),
        ("[cache]\ndisk = 'no'", False),
        ("[reports]\nkeep = '100'", False),
        ("[profiles.x]\nurl = 'https://h'\nwirtes = 'off'", False),
        ("[profiles.x]\nurl = 'https://h'\nprodution = true", False),
        ("[profiles.x]\nurl = 'https://h'\nneighbors = 'off'", False),
        ("[profile.x]\nurl = 'https://h'", False),
        ("[profiles.x]", False),
    ],
)
def test_only_what_protects_keeps_from_starting(config: Path, text: str, *, starts: bool) -> None:
    """At night one wants a dashboard, and no write that a misspelled key was to forbid."""
    config.write_text(text)
    if starts:
        problem = load_settings(config, {}, Options()).problem
        assert problem is not None
        assert str(config) in problem.sentence
    else:
        with pytest.raises(InvalidConfigError):
            load_settings(config, {}, Options())


def test_several_keys_that_are_left_out_are_one_sentence(config: Path) -> None:
    """Not a toast for each."""
    config.write_text("a = 1\nb = 2\nutc = 3\nmouse = 4\n[poll]\nrunning = 2\nidle = 0\n")
    settings = load_settings(config, {}, Options())
    assert settings.problem is not None
    assert "5 keys are ignored: a, b, utc and 2 more." in settings.problem.sentence
    assert settings.poll == PollSettings(running=2)
    assert (settings.utc, settings.mouse) == (False, True)


def test_all_faults_are_reported_at_once(config: Path) -> None:
    """Nobody wants to fix a file one run at a time."""
    with pytest.raises(InvalidConfigError) as caught:
        load(config, "them = 1\nutc = 3\n[cache]\nmax = 2\n[profiles.a]\n[profiles.b]\nurl = 4\n")
    assert [problem.key for problem in caught.value.problems] == [
        "them", "utc", "cache.max", "profiles.a.url", "profiles.b.url",
    ]  # fmt: skip
    assert "5 problems\n" in str(caught.value)


def test_a_long_key_is_found_on_its_line(config: Path) -> None:
    """Though the message shows its beginning only."""
    name = "data-platform-production-eu-west"
    text = f"[profiles.{name}]\nurl = 'https://h.example'\ntrigger_token_command = 4\n"
    with pytest.raises(InvalidConfigError) as caught:
        load(config, text)
    assert [problem.line for problem in caught.value.problems] == [3]
    assert f"profiles.{name}.trigger_token_com…" in str(caught.value)


def test_of_very_many_faults_the_first_are_reported(config: Path) -> None:
    """Thousands of lines would scroll them away."""
    with pytest.raises(InvalidConfigError) as refused:
        load(config, "".join(f"[profiles.p{number}]\n" for number in range(1_000)))
    first, *others, last = refused.value.sentence.split("\n")
    assert first.endswith("1000 problems")
    assert (len(others), last) == (50, "and 950 more")


@pytest.mark.parametrize("part", ["a.", "a . ", "'.'.", '"\\"".'])
@pytest.mark.parametrize("before", ["", "[", "b = {", 'b = """\\"""" # "\n', "b = '''a\n'''''\n"])
def test_a_key_of_very_many_parts_is_refused_at_once(config: Path, before: str, part: str) -> None:
    """The parser would take seconds for a file full of them."""
    line = 2 + before.count("\n")
    with pytest.raises(ConfigError, match=f"line {line}: a key has more than 50 parts"):
        load(config, "utc = true\n" + before + part * 50 + "b = 1\n")


def test_dots_of_comments_and_strings_are_not_those_of_keys(config: Path) -> None:
    """Paths of projects have dots."""
    dots = "a." * 501
    text = f'# {dots}\nurl = \'{dots}\'\nb = "{dots}"\nc = """\n{dots}\n"""\n'
    paths = ", ".join(f'"group.a/proj.{number}"' for number in range(300))
    text += f"d = '''\n{dots}'''\ne = [{paths}]\nf = [{'1.5, ' * 100}]\n"
    assert len(parse_toml(text, config)["e"]) == 300


def test_hostile_keys_cannot_steer_the_terminal(config: Path) -> None:
    """A key is repeated in a message without its control characters, and not at any length."""
    [problem] = faults(config, f'"\\u001b[2J{"x" * 5000}" = 1')
    assert "\x1b" not in str(problem)
    assert len(str(problem)) < 400


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"a = [", "line 1: not TOML: "),
        (b"a = 1\nb = ?\n", "line 2: not TOML: .* in `b = [?]`"),
        (b"a = 1\na = 2\n", "line 2: not TOML: .*overwrite"),
        (b"a = 1\n# \xff\xfe", "line 2: not UTF-8 text"),
        (b"a = " + b"[" * 5000, "(is nested too deep|line 1: This is not TOML)"),
        (b"a = " + b"9" * 5000, "line 1: not TOML: "),
        (b"#" * 1_000_001, "is too large for a configuration file"),
    ],
    ids=["end", "second line", "twice", "binary", "deep", "long number", "huge"],
)
def test_what_is_no_toml_is_said_with_its_file(config: Path, content: bytes, expected: str) -> None:
    """A broken file is an error with file and line, not a traceback."""
    with pytest.raises(ConfigError, match=f"{config}:? {expected}") as caught:
        load(config, content)
    assert caught.value.hint


def test_the_mark_of_an_editor_is_no_part_of_the_first_key(config: Path) -> None:
    """A byte order mark is not seen in any editor, so the error could not be mended."""
    assert load(config, b'\xef\xbb\xbftheme = "ansi"\r\n').theme == "ansi"


def test_a_folder_or_pipe_is_refused_at_once(tmp_path: Path) -> None:
    """Opening what is not a file neither hangs nor crashes."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (tmp_path, pipe):
        with pytest.raises(ConfigError, match="cannot be read: not a file"):
            load_settings(path, {}, Options())


@pytest.mark.parametrize("key", ["token", "admin_key"])
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o644])
def test_a_secret_in_clear_needs_a_private_file(config: Path, key: str, mode: int) -> None:
    """Only its owner may read a file with a token in it; the message says what to do."""
    config.write_text(f'[profiles.x]\nurl = "https://h"\n{key} = "hush-hush"\n')
    config.chmod(mode)
    with pytest.raises(InvalidConfigError, match="file's mode to 0600") as caught:
        load_settings(config, {}, Options())
    assert f"profiles.x.{key} " in str(caught.value)
    assert f"{key}_command" in str(caught.value)
    assert "hush" not in str(caught.value)
    config.chmod(0o600)
    profile = load_settings(config, {}, Options()).profiles["x"]
    assert getattr(profile, key) == Secret("hush-hush")
    assert "hush" not in repr(profile)


def test_errors_of_the_users_own_are_taken(config: Path) -> None:
    """Each a table; what is left out has its usual value."""
    config.write_text(
        "[[errors]]\nname = 'quota'\npattern = 'Quota (spent|used up)'\n"
        "not = 'ignored'\nrank = 95\n"
        "[[errors]]\nname = 'pump'\npattern = 'pump stalled'\n"
    )
    assert load_settings(config, {}, Options()).errors == (
        ErrorPattern("quota", "Quota (spent|used up)", "ignored", 95),
        ErrorPattern("pump", "pump stalled"),
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("errors = 'no'", "errors must be a list of tables, each [[errors]]"),
        ("errors = ['no']", "errors[1] must be a table, such as [[errors]]"),
        ("[[errors]]\nname = 'a'", "errors[1].pattern is missing: a regular expression"),
        ("[[errors]]\npattern = 'load'", "errors[1].name is missing: a name"),
        (
            "[[errors]]\nname = 'a'\npattern = 'load('",
            "errors[1].pattern is not a regular expression",
        ),
        (
            "[[errors]]\nname = 'a'\npattern = '(ab|load) .*'",
            "errors[1].pattern must contain a word",
        ),
        (
            "[[errors]]\nname = 'a'\npattern = 'load'\nnot = '['",
            "errors[1].not is not a regular expression",
        ),
        (
            "[[errors]]\nname = 'a'\npattern = 'load'\nrank = 101",
            "errors[1].rank must be a whole number from 0 to 100",
        ),
        (
            "[[errors]]\nname = 'a'\npatern = 'load'",
            "errors[1].patern is not a known key. Did you mean pattern?",
        ),
    ],
)
def test_what_is_wrong_with_an_error_is_said(config: Path, text: str, said: str) -> None:
    """Which of them, and which of its keys."""
    assert any(str(problem).startswith(said) for problem in faults(config, text))
