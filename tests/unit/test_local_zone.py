"""What this machine's zone is called."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from platui.core.local_zone import local_zone

if TYPE_CHECKING:
    from collections.abc import Mapping


@pytest.mark.parametrize(
    ("environ", "target", "name"),
    [
        ({}, "/usr/share/zoneinfo/Europe/Berlin", "Europe/Berlin"),
        ({}, "/usr/share/zoneinfo/Etc/UTC", "UTC"),
        ({}, "/var/db/timezone/zoneinfo/America/Argentina/Salta", "America/Argentina/Salta"),
        ({}, "/somewhere/else", ""),
        ({"TZ": "Europe/Paris"}, "/usr/share/zoneinfo/Europe/Berlin", "Europe/Paris"),
        ({"TZ": ":/usr/share/zoneinfo/Asia/Tokyo"}, "", "Asia/Tokyo"),
        ({"TZ": ""}, "/usr/share/zoneinfo/Europe/Berlin", "UTC"),
        ({"TZ": "CET-1CEST,M3.5.0,M10.5.0/3"}, "", ""),
        ({"TZ": "../../etc/passwd"}, "", ""),
    ],
)
def test_the_name_of_this_machines_zone(
    tmp_path: Path, environ: Mapping[str, str], target: str, name: str
) -> None:
    """By the environment, else by where the machine's own link leads."""
    link = tmp_path / "localtime"
    if target:
        link.symlink_to(target)
    assert local_zone(environ, link) == name


def test_a_copy_of_a_zone_has_no_name(tmp_path: Path) -> None:
    """It tells times, but not what it is called."""
    copy = tmp_path / "localtime"
    copy.write_bytes(
        Path("/etc/localtime").read_bytes() if Path("/etc/localtime").exists() else b""
    )
    assert local_zone({}, copy) == ""
