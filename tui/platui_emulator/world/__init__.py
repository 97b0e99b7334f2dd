"""The simulated company: a function of (seed, time), and a journal of what callers added."""

from platui_emulator.world.company import Company
from platui_emulator.world.cron import Cron

__all__ = ["Company", "Cron"]
