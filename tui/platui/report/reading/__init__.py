"""Read the JSON of an access report into arrays, with few imports for a fast start."""
