"""Dialogs: short questions and lists over a screen."""
