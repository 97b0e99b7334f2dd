"""Detail panes of projects, namespaces, pipelines, jobs, incidents and schedules."""
