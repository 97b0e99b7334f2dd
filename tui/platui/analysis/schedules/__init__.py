"""Parse cron expressions, describe them, compute due times, and find missed runs."""
