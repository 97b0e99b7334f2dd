"""Controllers of an app: each is one thing that it does, with its keys, verbs and requests."""
