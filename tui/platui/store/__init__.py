"""What platui keeps on disk: the last place, what is remembered, and what can be fetched again.

`kept`, `memory`, `audit` and `ledger` are plain files and cost nothing to import; only `cache`
(and `pages` and `logs` on it) imports sqlite3.
"""
