"""config.toml of any content: settings, or an error that names file and line; it stays as it is."""

from __future__ import annotations

import tempfile
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import tomli_w
from hypothesis import example, given
from hypothesis import strategies as st
from tests.fuzz.bounds import in_time, tries
from tests.fuzz.checks import check_error, check_line
from tests.fuzz.strategies import NASTY, damaged
from tests.unit.config.test_config_load import WHOLE

from platui.config.load import UnreadableConfigError, load_settings
from platui.config.problems import InvalidConfigError
from platui.config.profile import Profile
from platui.config.profile_writer import save_profile
from platui.config.schema import ACTION, ERROR, PROFILE, SECTIONS, TOP
from platui.config.settings import Options, Settings
from platui.core.errors import ConfigError
from platui.ui.active_keys import active_keys
from platui.ui.key_names import KeyNameError, key_label, read_keys

EXAMPLE: Final = (files("platui.config") / "example.toml").read_text("utf-8")
BASES: Final = (WHOLE, EXAMPLE, EXAMPLE.replace("\n# ", "\n"), "")

words = st.sampled_from([*(text for text in NASTY if text != "\ud800"), "ctrl+r", "log.follow"])
odd = words | st.text(max_size=20)
values: st.SearchStrategy[Any] = st.recursive(
    st.booleans() | st.integers() | st.floats() | odd | st.datetimes() | st.dates() | st.times(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(odd, inner, max_size=3),
    max_leaves=5,
)


def table(keys: dict[str, Any], other: st.SearchStrategy[str] = odd) -> st.SearchStrategy[Any]:
    """Return a table in which some of these keys, and others, have any value."""
    return st.dictionaries(st.sampled_from([*keys]) | other, values, max_size=5) | values


documents = st.fixed_dictionaries(
    {},
    optional={
        **dict.fromkeys(TOP, values),
        **{name: table(keys) for name, keys in SECTIONS.items()},
        "profiles": st.dictionaries(odd, table(PROFILE), max_size=3) | values,
        "errors": st.lists(table(ERROR), max_size=3) | values,
        "actions": st.dictionaries(odd, table(ACTION), max_size=3) | values,
        "keys": st.dictionaries(odd, odd | values, max_size=4) | values,
        "profile": values,
        "read-only": values,
    },
)
numbers_of_toml = st.sampled_from(
    [
        "9" * 5_000,
        "1e999999",
        "-inf",
        "nan",
        "0x" + "f" * 9_000,
        "1979-13-32",
        "[" * 3_000,
        "{a=" * 999,
    ]
)


def read(content: bytes) -> Settings | ConfigError:
    """Return the settings or the error of a file with this content, which stays as it is."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "config.toml")
        path.write_bytes(content)
        path.chmod(0o600)
        try:
            with in_time():
                return load_settings(path, {"HOME": folder}, Options())
        except ConfigError as error:
            check_refusal(error, path)
            return error
        finally:
            assert path.read_bytes() == content
            assert [one.name for one in Path(folder).iterdir()] == ["config.toml"]


def check_refusal(error: ConfigError, path: Path) -> None:
    """Check that an error names the file, and the line or key of each problem."""
    first, *others = error.sentence.split("\n")
    assert first.startswith(f"{path}")
    for line in (first, *others, error.hint):
        check_line(line, 1_000)
    if isinstance(error, UnreadableConfigError):
        assert error.line is not None or error.hint
        return
    assert isinstance(error, InvalidConfigError)
    for problem in error.problems:
        assert problem.key
        check_line(str(problem), 1_000)


@tries(60)
@given(documents)
def test_keys_of_any_value_are_taken_ignored_or_refused(document: dict[str, Any]) -> None:
    """Each with its reason; what is taken has its type."""
    found = read(tomli_w.dumps(document).encode())
    if isinstance(found, Settings):
        if found.problem is not None:
            check_error(found.problem, 1_000)
        assert all(isinstance(one, Profile) for one in found.profiles.values())
        with in_time():
            active_keys(found)


@tries(40)
@given(data=st.data(), base=st.sampled_from(BASES))
def test_a_damaged_file_is_read_or_refused(data: st.DataObject, base: str) -> None:
    """Cut, overwritten or doubled; the line is one of the file."""
    content = data.draw(damaged(base.encode()))
    found = read(content)
    if isinstance(found, UnreadableConfigError) and found.line is not None:
        assert 1 <= found.line <= content.count(b"\n") + 1


@tries(40)
@given(st.binary(max_size=80) | st.text(max_size=60).map(str.encode) | numbers_of_toml.map(
    lambda number: f"theme = {number}\n".encode()
))  # fmt: skip
@example(b"a." * 20_000 + b"b = 1")
@example(b"[a." + b"a." * 20_000 + b"b]")
@example(b'a = "' + b"\\" * 100_000)
@example(b"'''" * 30_000)
@example(b"[[errors]]\n" * 20_000)
@example(b"keys.a = {" * 20_000)
@example(b"".join(b"[profiles.k%d]\n" % number for number in range(2_000)))
def test_any_bytes_are_settings_or_refused(content: bytes) -> None:
    """Also what is no text, no TOML, or nested without end."""
    read(content)


@tries(30)
@given(data=st.data(), base=st.sampled_from(BASES), default=st.booleans())
def test_a_profile_is_written_or_nothing_is(
    data: st.DataObject,
    base: str,
    default: bool,  # noqa: FBT001  (drawn)
) -> None:
    """All other keys and comments stay; if they cannot, the file stays as it is."""
    content = data.draw(st.just(base.encode()) | damaged(base.encode()))
    name = data.draw(st.sampled_from(["prod", "local", "new", "x.y"]))
    profile = Profile(name, "https://platform.example.org", production=True, timeout=5.0)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "config.toml")
        path.write_bytes(content)
        try:
            with in_time(4):
                save_profile(profile, file=path, make_default=default)
        except ConfigError as error:
            assert path.read_bytes() == content
            check_refused_write(error)
            return
        after = path.read_text("utf-8")
        assert [one.name for one in Path(folder).iterdir()] == ["config.toml"]
    check_written(content.decode(), after, profile)
    saved = read(after.encode())
    assert isinstance(saved, Settings)
    assert saved.profiles[name].url == profile.url
    assert not default or saved.default_profile == name


def check_refused_write(error: ConfigError) -> None:
    """Check what is said of a file that cannot be changed."""
    for line in (*error.sentence.split("\n"), error.hint):
        check_line(line, 1_000)


def check_written(before: str, after: str, profile: Profile) -> None:
    """Check that only the profile, and the default one, differ."""
    old, new = tomllib.loads(before), tomllib.loads(after)
    for document in (old, new):
        document.pop("default_profile", None)
        document.get("profiles", {}).pop(profile.name, None)
        if not document.get("profiles"):
            document.pop("profiles", None)
    assert repr(old) == repr(new)
    comments = [line for line in before.split("\n") if line.startswith("#")]
    left = iter(after.split("\n"))
    assert all(comment in left for comment in comments)


@tries(80)
@example("\x1b[31mctrl+\N{THUMBS UP SIGN}\U0001f3fd")
@example("up+ctrl+" + "a" * 5_000)
@example("ctrl+SPACE")
@given(st.lists(words | st.sampled_from(["ctrl+", "C-", "<c-", ">", ",", "+", "shift+", "alt", "f5",
       "SPACE", "plus", "tilde", "-"]) | st.text(max_size=3), max_size=5).map("".join))  # fmt: skip
def test_any_name_of_a_key_is_a_key_or_refused(text: str) -> None:
    """What is shown of it is read as the same key."""
    text = "".join(filter(str.isprintable, text))  # as config.toml is checked
    try:
        with in_time():
            keys = read_keys(text)
    except KeyNameError as error:
        check_line(error.sentence)
        check_line(error.hint)
        return
    for key in keys:
        label = key_label(key)
        assert label
        # Textual's names of rare characters have lost their hyphens.
        assert not text.isascii() or read_keys(label) == (key,)
