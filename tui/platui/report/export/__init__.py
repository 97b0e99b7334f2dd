"""Export of reports and comparisons: CSV, JSON lines, Markdown."""
