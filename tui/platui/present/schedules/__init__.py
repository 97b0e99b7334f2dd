"""Schedules: when each runs next, and the form in which one is edited."""
