"""Triage: what the board, its handoff, notifications and the watch list show."""
