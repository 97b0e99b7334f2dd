"""Find broken lanes, their start and cause, from pipelines and logs, with pure functions."""
