"""Recognize errors in log lines, by tool and closeness to the cause."""
