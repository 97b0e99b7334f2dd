"""What is broken, since when and why: reasoning over what the platform lists and logs tell."""
