"""What is different in a configuration that was read again."""

from __future__ import annotations

from dataclasses import replace

from platui.config.effective import Changes, changes_between
from platui.config.profile import Profile
from platui.config.settings import ErrorPattern, NotifySettings, PollSettings, Settings
from platui.core.secrets import Secret
from platui.present.profiles import reload_message

PROD = Profile("prod", "https://prod.example", token=Secret("hush"))
OTHER = Profile("other", "https://other.example")
OLD = Settings(theme="ansi", keys={"log.follow": "F", "list.raw": "x"})


def test_each_key_that_differs_is_named_once() -> None:
    """At the top, in sections, among keys and errors, in profiles; those that come and go."""
    new = replace(
        OLD,
        theme="platui-light",
        mouse=False,
        poll=PollSettings(idle=60.0),
        notify=NotifySettings(bell=True),
        keys={"log.follow": "f", "list.open": "o"},
        errors=(ErrorPattern("a", "load"),),
    )
    changed = replace(PROD, accent="#ffffff", token=Secret("other"))
    new_one = replace(OTHER, name="new")
    assert changes_between((OLD, (PROD, OTHER)), (new, (changed, new_one))) == Changes(
        (
            "theme", "notify.bell", "poll.idle", "keys.list.open", "keys.list.raw",
            "keys.log.follow", "errors", "profiles.prod.accent", "profiles.prod.token",
            "profiles.other", "profiles.new",
        ),
        ("mouse",),
    )  # fmt: skip


def test_the_same_is_no_difference() -> None:
    """Whatever else a file says beside its keys."""
    assert changes_between((OLD, (PROD,)), (replace(OLD), (replace(PROD),))) == Changes((), ())


def test_what_is_said_is_short() -> None:
    """Keys, not values: a secret may be among them."""
    assert reload_message((), ()) == "config.toml is unchanged."
    now, after_restart = reload_message(("theme",), ("mouse",)).split(". ")
    assert "theme" in now
    assert "mouse" in after_restart
    assert "a, b, c, d and 2 more" in reload_message(tuple("abcdef"), ())
