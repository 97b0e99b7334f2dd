"""A repository file as it is read: lines of clean, highlighted spans, and whether it is whole."""

from platui.present.source.reading import Check, Source, read_source

__all__ = ["Check", "Source", "read_source"]
