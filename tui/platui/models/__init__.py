"""What the platform says (`wire`, pydantic) and what crosses layers (`values`, no pydantic)."""
