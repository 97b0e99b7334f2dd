"""Logs of jobs, written exactly as a runner writes them."""

from platui_emulator.world.logs.book import LogBook

__all__ = ["LogBook"]
