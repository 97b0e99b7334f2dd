"""The access report of the company, and of one a thousand times its size."""
