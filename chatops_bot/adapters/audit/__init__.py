"""Second places for the audit log: standard output, and a webhook."""
