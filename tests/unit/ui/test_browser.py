"""Opening addresses: the platform's own only, and never on top of the dashboard."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from platui.core.origins import is_of_origin
from platui.ui import browser
from platui.ui.browser import open_address

if TYPE_CHECKING:
    from pathlib import Path

ORIGIN = "https://platform.example"
URL = f"{ORIGIN}/group/project/-/pipelines/7?x=1#y"


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        (URL, ORIGIN),
        ("https://platform.example:443/a", ORIGIN),
        ("HTTPS://Platform.Example/a", ORIGIN),
        (URL, f"{ORIGIN}/api/v4"),
        ("http://127.0.0.1:8080/a", "http://127.0.0.1:8080"),
        ("https://[::1]:9/a", "https://[::1]:9"),
        ("https://xn--bcher-kva.example/a", "https://bücher.example"),
        ("https://bücher.example/a", "https://xn--bcher-kva.example"),
    ],
)
def test_addresses_of_the_platform_are_known(url: str, origin: str) -> None:
    """Scheme, host and port count, however they are written."""
    assert is_of_origin(url, origin)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "platform.example/a",
        "//platform.example/a",
        "http://platform.example/a",
        "https://platform.example:444/a",
        "https://platform.example.evil.example/a",
        "https://evil.example/https://platform.example",
        "https://platform.example@evil.example/a",
        "https://me:secret@platform.example/a",
        "https://platform.example\\@evil.example/a",
        "https://platform.example/\x1b]52;c;aGk=\x07",
        "https://platform.example/a b",
        "https://platform.example/\n",
        "https://platform.example/ü",
        "https://plаtform.example/a",
        "javascript:alert(1)",
        "file:///etc/passwd",
        "--help",
        "https://[::1/a",
        "https://platform.example:notaport/a",
        "https://platform.example:99999/a",
    ],
    ids=ascii,
)
async def test_addresses_of_others_are_refused(url: str) -> None:
    """They are neither opened nor handed back to be shown as the platform's."""
    assert not is_of_origin(url, ORIGIN)
    outcome = await open_address(url, ORIGIN, {"DISPLAY": ":0"})
    assert not outcome.opened
    assert outcome.address == ""


@pytest.mark.parametrize(
    "environ",
    [
        {"DISPLAY": ":0", "SSH_CONNECTION": "10.0.0.1 1 10.0.0.2 22"},
        {"DISPLAY": ":0", "SSH_TTY": "/dev/pts/1"},
        pytest.param(
            {}, marks=pytest.mark.skipif(sys.platform == "darwin", reason="always has a display")
        ),
    ],
)
async def test_far_from_a_display_the_address_is_told(environ: dict[str, str]) -> None:
    """A browser on the jump host helps nobody."""
    outcome = await open_address(URL, ORIGIN, environ)
    assert not outcome.opened
    assert outcome.address == URL
    assert "Open this URL yourself" in outcome.sentence


def opener(folder: Path, script: str) -> dict[str, str]:
    """Put an `xdg-open` of ours on the path; returns an environment with a display."""
    program = folder / "xdg-open"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return {"DISPLAY": ":0", "PATH": f"{folder}:/usr/bin:/bin", "PLATUI_TOKEN": "planted"}


@pytest.mark.skipif(sys.platform == "darwin", reason="has its own opener")
async def test_the_opener_gets_the_address_and_not_the_terminal(tmp_path: Path) -> None:
    """It has no terminal to draw on, and sees no token."""
    script = f'echo "$@" >{tmp_path}/args; env >{tmp_path}/env; [ ! -t 0 ] && [ ! -t 1 ]'
    outcome = await open_address(URL, ORIGIN, opener(tmp_path, script))
    assert outcome.opened
    assert (tmp_path / "args").read_text() == f"{URL}\n"
    assert "planted" not in (tmp_path / "env").read_text()


@pytest.mark.skipif(sys.platform == "darwin", reason="has its own opener")
@pytest.mark.parametrize(("script", "opened"), [("exit 3", False), ("exec sleep 1", True)])
async def test_an_opener_that_fails_is_told(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    script: str,
    opened: bool,  # noqa: FBT001
) -> None:
    """One that runs on is taken for the browser itself, and not waited for."""
    monkeypatch.setattr(browser, "_PATIENCE", 0.3)
    outcome = await open_address(URL, ORIGIN, opener(tmp_path, script))
    assert outcome.opened is opened
    assert outcome.address == URL


@pytest.mark.skipif(sys.platform == "darwin", reason="has its own opener")
async def test_without_an_opener_the_address_is_told(tmp_path: Path) -> None:
    """A display alone is not enough."""
    outcome = await open_address(URL, ORIGIN, {"DISPLAY": ":0", "PATH": str(tmp_path)})
    assert not outcome.opened
    assert outcome.address == URL
