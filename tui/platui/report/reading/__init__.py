"""From the JSON of an access report to its arrays: what the worker process does.

Only msgspec and the standard library, so that the worker starts in no time.
"""
