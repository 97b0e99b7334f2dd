"""Reusable pieces of the screen; they are handed values and know no service."""
