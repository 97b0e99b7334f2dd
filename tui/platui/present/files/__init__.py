"""Files of a repository and artifacts of jobs: decoded text, status lines, names, progress."""
