"""Writes: request, confirmation, sending, and probing of unknown outcomes."""
