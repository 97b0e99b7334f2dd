"""Access reports of the administration API: fetched, saved, read and exported."""
