"""Feeds: when a resource is read again, what is known of it meanwhile, and how a list grows."""
