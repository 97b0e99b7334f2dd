"""A simulated company over real HTTP; imports `core` only: it and the client check each other."""
