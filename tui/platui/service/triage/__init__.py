"""The triage board: failures in the watched projects, with start and cause."""
