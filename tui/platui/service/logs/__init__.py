"""Logs of jobs: followed, merged, compared, searched and saved."""
