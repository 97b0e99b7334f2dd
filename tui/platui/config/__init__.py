"""Profiles, settings and credentials: standard library only, cheap to import."""
