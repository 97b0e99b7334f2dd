"""The triage board: what is broken in the watched projects, since when, and why."""
