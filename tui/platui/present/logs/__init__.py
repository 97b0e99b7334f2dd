"""Logs: the lines that are shown, their times and sections, searches and comparisons."""
