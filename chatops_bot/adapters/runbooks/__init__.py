"""Runbooks as files: their form, reading and checking them, and searching among them."""
