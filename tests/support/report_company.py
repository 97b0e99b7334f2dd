"""A small organization with an access report that has one of everything."""

from __future__ import annotations

from tests.support.report_arrays import PlainPerson, group, plain_report, project

JANE, JOHN, EMILE, BOT, GONE, LURKER = range(6)
"""Rows of people."""
UNLISTED = 6
FINANCE, PAYROLL, TAX, TAX_API, FINLAND, OPEN = range(6)
"""Rows of places."""

COMPANY = plain_report(
    [
        PlainPerson(11, "Jane Doe", "jane", "Jane@Gmail.com", "active", "uuid-jane"),
        PlainPerson(12, "John Doe", "jdoe", "john@acme.example", "active"),
        PlainPerson(13, "Émile Zola", "ezola", "emile@acme.example", "blocked", "UUID-emile"),
        PlainPerson(14, "Deploy, bot", "bot-jane", "", "active"),
        PlainPerson(15, "gone\x1b[31m", "gone", "gone@mail.acme.example", "blocked"),
        PlainPerson(16, "", "lurker", "no domain", "deactivated"),
    ],
    [
        group(
            1,
            "finance",
            {11: "OWNER", 13: "MAINTAINER"},
            projects=[
                project(2, "finance/payroll", {12: "DEVELOPER", 13: "DEVELOPER", 99: "GUEST"})
            ],
            groups=[
                group(
                    3,
                    "finance/tax",
                    {13: "OWNER", 15: "AUDITOR"},
                    name="Taxes & co",
                    projects=[project(4, "finance/tax/api", {11: "OWNER", 15: "MAINTAINER"})],
                )
            ],
        ),
        group(5, "Finland", {12: "OWNER", 14: "REPORTER"}, projects=[project(1, "Finland/open")]),
    ],
)
