"""The words of the field and the pure core: no I/O, no event loop, no clock, no environment."""
