"""Triage: what the board, its hand-off, notifications and the watch list show."""
