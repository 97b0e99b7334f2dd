"""HTTP to the platform: guarded, counted, typed. The only place that knows httpx."""
