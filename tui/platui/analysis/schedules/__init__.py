"""Schedules: cron lines read, told in words, reckoned in their zones, and found missing."""
