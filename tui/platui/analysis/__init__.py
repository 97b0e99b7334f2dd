"""Pure reasoning over what the platform said: errors, differences, causes."""
