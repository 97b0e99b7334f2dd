"""Logs of jobs, written exactly as a runner writes them."""

from platui_emulator.world.logs.generated_logs import GeneratedLogs

__all__ = ["GeneratedLogs"]
