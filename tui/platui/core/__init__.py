"""Basics of every layer: clock, errors, text cleaning, secrets, paths, observers."""
