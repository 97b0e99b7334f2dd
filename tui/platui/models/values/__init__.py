"""Frozen values and protocols that cross layers; standard library only."""
