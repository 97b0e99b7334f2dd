"""The docs inside the program: what each view shows, and what one should know besides."""
