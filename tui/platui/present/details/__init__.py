"""Everything that is known of one project, namespace, pipeline or job, most telling first."""
