"""Every change the bot can make, one class each, registered by name."""
