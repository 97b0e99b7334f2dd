"""The access report: reading it in bounded memory, questions, changes, export."""
