"""A Kubernetes operations bot that cannot act on the wrong service."""
