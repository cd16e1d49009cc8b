"""Real clusters, read and written through the Kubernetes API."""
