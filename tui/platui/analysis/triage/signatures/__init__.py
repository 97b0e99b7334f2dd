"""Signatures of failures: kind and subject, or the normalized error text."""
