"""Search terms of the access report, for help, completion and commands."""

from __future__ import annotations

from typing import Final, NamedTuple


class TermHelp(NamedTuple):
    field: str  # Text before the colon; empty: a plain word
    example: str
    meaning: str
    values: tuple[str, ...] = ()
    """Fixed words that are valid after the colon, besides values of the report."""


PEOPLE_TERMS: Final = (
    TermHelp("", "jane doe", "each word is in the name, user name, e-mail or identity"),
    TermHelp("level", "level:owner", "has this level anywhere, or in these groups"),
    TermHelp("level", "level:>=maintainer", "has this level or a higher one; also > < <="),
    TermHelp("level", "level:owner,maintainer", "one of these; every term takes several values"),
    TermHelp("highest", "highest:owner", "this is the highest level anywhere", ("none",)),
    TermHelp("group", "group:finance*", "in this group or below; name or full path"),
    TermHelp("project", "project:web*", "in this project; name or full path"),
    TermHelp("state", "state:blocked", "has this state", ("none",)),
    TermHelp("domain", "domain:*.example", "the domain of the e-mail address", ("none",)),
    TermHelp("identity", "identity:none", "service identity, or a part of it", ("none", "any")),
    TermHelp("name", 'name:"Jane Doe"', "the name contains this; * and ? are wildcards"),
    TermHelp("user", "user:=jane", "the user name contains this; = matches exactly"),
    TermHelp("email", "email:jane@*", "the e-mail address contains this"),
    TermHelp("id", "id:123", "this id"),
    TermHelp("memberships", "memberships:>100", "number of memberships; also >= < <= ="),
    TermHelp("is", "is:unlisted", "a member not in the list of users", ("unlisted", "listed")),
    TermHelp("-", "-state:active", "excludes matches of a term; ! does the same"),
)  # fmt: skip
"""Terms for people; all of them must match.

A `level:` term applies to the places of a `group:` or `project:` term: `level:owner group:finance`
finds owners in finance. Several such terms, and terms after `-`, are matched independently.
"""

PLACE_TERMS: Final = (
    TermHelp("", "billing api", "each word is in the name or the full path"),
    TermHelp("kind", "kind:project", "group or project", ("group", "project")),
    TermHelp("level", "level:owner", "a member, or one of the named users, has this level"),
    TermHelp("user", "user:jane", "has this member; part of the user name, = matches exactly"),
    TermHelp("group", "group:finance*", "this group and below; name or full path"),
    TermHelp("name", "name:api*", "the name contains this; * or ? match all of it"),
    TermHelp("path", "path:acme/*/api", "the full path contains this; * or ? match all of it"),
    TermHelp("id", "id:123", "this id"),
    TermHelp("members", "members:>100", "number of direct members; also >= < <= ="),
    TermHelp("depth", "depth:0", "nesting depth; also > >= < <="),
    TermHelp("is", "is:empty", "without direct members", ("empty", "top")),
    TermHelp("-", "-kind:group", "excludes matches of a term; ! does the same"),
)  # fmt: skip
"""Terms for groups and projects; all of them must match."""


_PLAIN: Final = "_-./@"  # Characters without a special meaning in a value


def term_of(field: str, value: str) -> str:
    """Return a term that matches exactly this value, quoted if necessary.

    Quotes cannot be escaped: in a value with quotes, `?` replaces special characters.
    """
    plain = "".join(sign if sign.isalnum() or sign in _PLAIN else "?" for sign in value)
    if value and (plain == value or '"' in value):
        return f"{field}:{plain}"
    return f'{field}:"{value}"'
