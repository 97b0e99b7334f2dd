"""The simulated company: a function of (seed, time), and a journal of what callers added."""

from platui.emulator.world.company import Company
from platui.emulator.world.cron import Cron

__all__ = ["Company", "Cron"]
