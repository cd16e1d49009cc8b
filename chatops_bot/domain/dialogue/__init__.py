"""The dialogue state machine: what may happen in which state, and the pure function that decides."""
