"""Users and commits as lines (spec §2.4, §2.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.present.details.layout import Line, once, paragraphs, text_cell

if TYPE_CHECKING:
    from platui.models.wire import Commit, User
    from platui.present.tables.spec import Context

_PROFILE = (
    ("title", "job_title"),
    ("company", "organization"),
    ("works", "work_information"),
    ("location", "location"),
    ("e-mail", "public_email"),
    ("website", "website_url"),
    ("skype", "skype"),
    ("linkedin", "linkedin"),
    ("twitter", "twitter"),
)


def user_lines(user: User | None, at: Context) -> list[Line]:
    if user is None:
        return []
    name = user.name or user.username or f"user {user.id}"
    handle = f"@{user.username}" if user.username and user.username != name else ""
    well = user.state in {"", "active"}
    known = once(f"#{user.id}" if user.id else "", user.state)
    lines: list[Line] = [
        ("by", " ".join(filter(None, (name, handle)))),
        ("user", text_cell(known, "text" if well else "warning")),
    ]
    lines += [(label, getattr(user, field)) for label, field in _PROFILE]
    lines += paragraphs("bio", user.bio)
    lines.append(("since", at.stamp(user.created_at)))
    return lines


def user_technical(user: User | None) -> list[Line]:
    return [("avatar", user.avatar_url), ("bio html", user.bio_html)] if user is not None else []


def commit_lines(commit: Commit | None, at: Context) -> list[Line]:
    if commit is None:
        return []
    short = commit.short_id or commit.id[:8]
    author = _signature(commit.author_name, commit.author_email)
    committer = _signature(commit.committer_name, commit.committer_email)
    lines: list[Line] = [
        ("title", text_cell(f"{short} {commit.title}".strip(), "strong")),
        *paragraphs("", _body(commit), "muted"),
        ("sha", commit.id),
    ]
    lines += [("" if n else "parent", parent) for n, parent in enumerate(commit.parent_ids)]
    lines.append(("author", author))
    lines.append(("", at.stamp(commit.authored_date)))
    if committer != author or commit.committed_date != commit.authored_date:
        lines.append(("committer", committer))
        lines.append(("", at.stamp(commit.committed_date)))
    if commit.created_at not in {commit.authored_date, commit.committed_date}:
        lines.append(("created", at.stamp(commit.created_at)))
    return lines


def _signature(name: str, address: str) -> str:
    return " ".join(filter(None, (name, f"<{address}>" if address else "")))


def _body(commit: Commit) -> str:
    message = commit.message.strip()
    first, _, rest = message.partition("\n")
    return rest if first.strip() == commit.title.strip() else message
