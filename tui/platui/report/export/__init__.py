"""Parts of a report, or of a comparison, as files: CSV, JSON lines, Markdown."""
