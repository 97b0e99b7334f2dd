"""The terms that the access report can be searched by: for help, completion and commands."""

from __future__ import annotations

from typing import Final, NamedTuple


class TermHelp(NamedTuple):
    """One kind of term."""

    field: str
    """What stands before the colon; empty: a word without one."""
    example: str
    meaning: str
    values: tuple[str, ...] = ()
    """Words that can always stand after the colon; what the report has comes besides."""


PEOPLE_TERMS: Final = (
    TermHelp("", "jane doe", "each word is in the name, user name, e-mail or identity"),
    TermHelp("level", "level:owner", "holds this level somewhere, or in the places named"),
    TermHelp("level", "level:>=maintainer", "holds this level or a higher one; also > < <="),
    TermHelp("level", "level:owner,maintainer", "one of these; every term takes several"),
    TermHelp("highest", "highest:owner", "nothing higher anywhere", ("none",)),
    TermHelp("group", "group:finance*", "in such a group or anything below; name or full path"),
    TermHelp("project", "project:web*", "in such a project; name or full path"),
    TermHelp("state", "state:blocked", "has this state", ("none",)),
    TermHelp("domain", "domain:*.example", "e-mail address of such a domain", ("none",)),
    TermHelp("identity", "identity:none", "service identity, or a part of it", ("none", "any")),
    TermHelp("name", 'name:"Jane Doe"', "the name has this; * and ? stand for anything"),
    TermHelp("user", "user:=jane", "the user name has this; after = it is all of it"),
    TermHelp("email", "email:jane@*", "the e-mail address has this"),
    TermHelp("id", "id:123", "this id"),
    TermHelp("memberships", "memberships:>100", "as many memberships; also >= < <= ="),
    TermHelp("is", "is:unlisted", "a member whom `users` lacks", ("unlisted", "listed")),
    TermHelp("-", "-state:active", "those that a term would not find; ! does the same"),
)  # fmt: skip
"""What people can be searched by. All terms must hold.

A person has to hold a level of `level:` in the very places that a `group:` or `project:` names:
`level:owner group:finance` are the owners in finance. Each such term is looked at for itself, so
with two of them in two places; and what is after a `-` stands for itself too.
"""

PLACE_TERMS: Final = (
    TermHelp("", "billing api", "each word is in the name or the full path"),
    TermHelp("kind", "kind:project", "group or project", ("group", "project")),
    TermHelp("level", "level:owner", "somebody holds this level, or one of the users named does"),
    TermHelp("user", "user:jane", "has such a member: a part of the user name, or = and all of it"),
    TermHelp("group", "group:finance*", "such a group and anything below; name or full path"),
    TermHelp("name", "name:api*", "the name has this; with * or ? it is all of it"),
    TermHelp("path", "path:acme/*/api", "the full path has this; with * or ? it is all of it"),
    TermHelp("id", "id:123", "this id"),
    TermHelp("members", "members:>100", "as many direct members; also >= < <= ="),
    TermHelp("depth", "depth:0", "in as many groups; also > >= < <="),
    TermHelp("is", "is:empty", "without direct members", ("empty", "top")),
    TermHelp("-", "-kind:group", "those that a term would not find; ! does the same"),
)  # fmt: skip
"""What groups and projects can be searched by. All terms must hold."""


_PLAIN: Final = "_-./@"  # Signs that mean nothing in a value


def term_of(field: str, value: str) -> str:
    """Return a term that finds what has exactly this value, quoted where it must be.

    Within quotes no quote can stand: of a value that has one, `?` stands for all its odd signs.
    """
    plain = "".join(sign if sign.isalnum() or sign in _PLAIN else "?" for sign in value)
    if value and (plain == value or '"' in value):
        return f"{field}:{plain}"
    return f'{field}:"{value}"'
