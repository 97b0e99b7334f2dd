"""Analyze platform data: errors in logs, log differences, failure causes, schedules."""
