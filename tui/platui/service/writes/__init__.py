"""Writes: planned, confirmed, sent, and looked for where the outcome is unknown."""
