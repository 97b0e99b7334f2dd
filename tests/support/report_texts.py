"""Two access reports of a small company as JSON: what one may ask of them is known."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

BEFORE_AT, AFTER_AT = 1_772_000_000, 1_773_000_000
"""When they came: 25 February and 8 March 2026."""


def _user(username: str, name: str, state: str = "active", **more: Any) -> dict[str, Any]:
    return {
        "email": f"{username}@acme.example",
        "name": name,
        "service_identity_uuid": None,
        "state": state,
        "username": username,
        **more,
    }


def _members(**levels: str) -> dict[str, Any]:
    return {id_.removeprefix("u"): {"max_access_level": level} for id_, level in levels.items()}


def _place(path: str, members: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"name": path.rpartition("/")[2].title(), "path": path, "members": members, **more}


USERS = {
    "1": _user("jane", "Jane Doe"),
    "2": _user("john", "John Doe", "blocked"),
    "3": _user("hostile", "\x1b[31mRed\u202e\n", email='=HYPERLINK("x")'),
    "4": _user("bot", "Bot", service_identity_uuid="uuid-bot"),
}


def _report(users: dict[str, Any], tax: dict[str, Any], open_: dict[str, Any]) -> bytes:
    finance = _place(
        "finance",
        _members(u1="OWNER", u2="DEVELOPER"),
        projects={"20": _place("finance/payroll", _members(u2="DEVELOPER", u99="GUEST"))},
        subgroups={"11": _place("finance/tax", tax)},
    )
    groups = {"10": finance, "12": _place("open", open_)}
    return json.dumps({"platform": {"groups": groups}, "users": users}).encode()


BEFORE = _report(
    {id_: user for id_, user in USERS.items() if id_ != "4"},
    _members(u1="OWNER", u2="MAINTAINER"),
    {},
)
AFTER = _report(USERS, _members(u1="OWNER", u2="OWNER", u3="AUDITOR"), _members(u4="REPORTER"))
"""Bot joined; John became an owner of finance/tax, and Red got a level nobody knows there."""


def write_reports(folder: Path) -> tuple[Path, Path]:
    """Write them as files that were fetched at `BEFORE_AT` and `AFTER_AT`."""
    before, after = folder / "before.json", folder / "after.json"
    for path, text, at in ((before, BEFORE, BEFORE_AT), (after, AFTER, AFTER_AT)):
        path.write_bytes(text)
        os.utime(path, (at, at))
    return before, after
