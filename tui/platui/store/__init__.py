"""Files on disk: saved views, local state, audit log and caches."""
