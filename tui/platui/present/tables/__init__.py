"""Tables that the dashboard and the command line share: columns, rows, JSON and CSV."""
