"""Faults on demand: a relay in front of the emulator's server that spoils what passes it."""
