"""Pure functions from models to what a row, cell or panel shows; no I/O, no Textual."""
