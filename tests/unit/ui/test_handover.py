"""A terminal between two apps."""

from __future__ import annotations

import os
import pty
import signal
import termios
import tty
from typing import TYPE_CHECKING

import pytest

from platui.ui.terminal.handover import TerminalHandover

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def ends() -> Iterator[tuple[int, int]]:
    """Open a terminal: what a person sits at, and what a program has."""
    person, program = pty.openpty()
    usual = signal.getsignal(signal.SIGUSR1)
    yield person, program
    signal.signal(signal.SIGUSR1, usual)
    os.close(person)
    os.close(program)


def test_it_is_itself_again_where_nobody_takes_it(ends: tuple[int, int]) -> None:
    """The next app could not begin: screen, cursor and echo are the shell's, and once is enough."""
    person, program = ends
    before = termios.tcgetattr(program)
    tty.setraw(program)
    held = TerminalHandover()
    held.hold(program, program, before, ())
    assert held.holds_terminal
    held.restore()
    held.restore()
    assert termios.tcgetattr(program) == before
    written = os.read(person, 4096)
    assert written.count(b"\x1b[?1049l") == 1
    assert b"\x1b[?25h" in written


def test_who_takes_it_learns_what_came_meanwhile(ends: tuple[int, int]) -> None:
    """How it was before the first app, and a signal that asked to leave; nothing is written."""
    person, program = ends
    before = termios.tcgetattr(program)
    held = TerminalHandover()
    held.hold(program, program, before, (signal.SIGUSR1,))
    os.kill(os.getpid(), signal.SIGUSR1)
    assert held.take() == (before, signal.SIGUSR1)
    assert not held.holds_terminal
    held.restore()
    os.set_blocking(person, False)
    with pytest.raises(BlockingIOError):
        os.read(person, 1)
