"""The HTTP side of the sandbox: one module for each kind of request."""
