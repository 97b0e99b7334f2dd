"""Present logs: visible lines, times, sections, searches and comparisons."""
