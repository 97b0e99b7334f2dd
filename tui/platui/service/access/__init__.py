"""The access reports of the administration API: fetched, kept, read and exported."""
