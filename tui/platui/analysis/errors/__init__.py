"""Which lines of a log tell of an error, whose it is, and how near to the cause."""
