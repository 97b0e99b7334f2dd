"""Feeds: polled resources and lists that load page by page."""
