"""Pure functions from models to rows, cells and panels; no I/O, no Textual."""
