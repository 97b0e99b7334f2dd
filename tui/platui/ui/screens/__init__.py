"""Views of the dashboard, one module or package each."""
