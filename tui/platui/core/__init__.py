"""What every layer stands on: clock, errors, text safety, secrets, paths, observers."""
