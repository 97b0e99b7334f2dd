"""Texts of `platui init` that several tests look for."""

NOTHING_SAVED = "Nothing saved."
NEXT = "open it with `platui"
ADDRESS_PROMPT = "any page on it:"
TOKEN_PROMPT = "Token (not shown"
CERTIFICATES_PROMPT = "certificates (enter"
