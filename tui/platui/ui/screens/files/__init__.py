"""Views of files of a repository."""
