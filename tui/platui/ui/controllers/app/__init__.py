"""Controllers of an app: each with its keys, verbs and requests."""
