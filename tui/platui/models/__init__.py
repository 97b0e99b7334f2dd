"""Data models: API records (`wire`, pydantic) and values that cross layers (`values`)."""
