"""The access report: reading in bounded memory, queries, changes, export."""
