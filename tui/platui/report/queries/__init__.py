"""Queries on an open report: terms, matching, sorting, counts."""
