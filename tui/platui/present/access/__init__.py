"""The access report: summaries, rows and details shared by the dashboard and the command line."""
