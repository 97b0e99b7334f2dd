"""Files on disk: saved views, local state, audit log and caches.

`audit`, `choices`, `saved_views` and `request_counter` are plain files and cheap to import; only
`cache`, and `pages` and `logs` on top of it, imports sqlite3.
"""
