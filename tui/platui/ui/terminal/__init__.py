"""The layer between Textual and the terminal; only here are Textual's private names used."""
