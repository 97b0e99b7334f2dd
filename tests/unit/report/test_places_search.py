"""Which groups and projects the terms of a query find."""

from __future__ import annotations

import pytest
from tests.support.report_company import (
    COMPANY,
    FINANCE,
    FINLAND,
    OPEN,
    PAYROLL,
    TAX,
    TAX_API,
)

from platui.core.errors import TermError

REPORT = COMPANY.opened()
EARLY = COMPANY.opened(stage=1)

FOUND = {
    "": [FINANCE, PAYROLL, TAX, TAX_API, FINLAND, OPEN],
    "FIN api": [TAX_API],
    "taxes": [TAX],
    "-finance": [FINLAND, OPEN],
    "kind:group": [FINANCE, TAX, FINLAND],
    "kind:group,project -kind:project": [FINANCE, TAX, FINLAND],
    "name:tax": [TAX],
    "name:*p*": [PAYROLL, TAX_API, OPEN],
    "path:tax": [TAX, TAX_API],
    "path:=finance/tax": [TAX],
    "path:fin*/*": [PAYROLL, TAX, TAX_API, OPEN],
    "path:**": [FINANCE, PAYROLL, TAX, TAX_API, FINLAND, OPEN],
    "id:1": [FINANCE, OPEN],
    "members:>2": [PAYROLL],
    "members:0": [OPEN],
    "is:empty": [OPEN],
    "is:top": [FINANCE, FINLAND],
    "depth:>=2": [TAX_API],
    "group:tax": [TAX, TAX_API],
    "group:fin* kind:project": [PAYROLL, TAX_API, OPEN],
    "level:owner": [FINANCE, TAX, TAX_API, FINLAND],
    "user:jane": [FINANCE, TAX_API, FINLAND],
    "user:=jane": [FINANCE, TAX_API],
    "user:ezola level:owner": [TAX],
    "user:ezola user:gone": [TAX],
    "user:ezola -level:owner": [PAYROLL],
    "-user:ezola": [TAX_API, FINLAND, OPEN],
    "user:nobody": [],
}
"""Queries and the rows they find."""


@pytest.mark.parametrize(("query", "rows"), FOUND.items())
def test_terms_find(query: str, rows: list[int]) -> None:
    """Each kind of term, alone and with others."""
    assert list(REPORT.places(query)) == rows


@pytest.mark.parametrize("query", ["kind:user", "state:x", "members:many", "depth:", "is:full"])
def test_what_cannot_be_read_is_said(query: str) -> None:
    """Terms of people are no terms of places."""
    with pytest.raises(TermError):
        REPORT.places(query)


def test_before_memberships_are_read_nothing_has_members() -> None:
    """Names and paths are searched already."""
    assert list(EARLY.places("kind:project tax")) == [TAX_API]
    for query in ("level:owner", "user:jane", "members:>0", "is:empty"):
        assert list(EARLY.places(query)) == []
