"""A cluster in memory, with controllers that run on the injected clock."""
