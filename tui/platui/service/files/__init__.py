"""Files: repository browsing, downloads, and atomic writes."""
