"""The screens: one module each, which says what it shows, what feeds it and what its keys do."""
