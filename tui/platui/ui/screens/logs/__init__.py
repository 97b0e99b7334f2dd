"""Views of logs: of one job, of many, saved ones, and two compared."""
