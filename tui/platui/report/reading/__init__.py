"""Read the JSON of an access report into arrays, in the worker process.

Uses only msgspec and the standard library, for a fast start.
"""
