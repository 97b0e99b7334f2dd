"""Writes: the question before one, its states in words, and the run form."""
