"""What is between Textual and the terminal; the only place that uses Textual's private names."""
