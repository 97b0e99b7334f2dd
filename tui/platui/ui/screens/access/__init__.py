"""Screens of the access report."""
