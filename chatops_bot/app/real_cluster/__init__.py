"""A real cluster as what a transcript plays on: makes its head there, waits for it, and tells what the bot wrote."""
