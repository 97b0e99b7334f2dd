"""Files: what a repository offers to choose from, downloads, and files written whole."""
