"""Small protocols between the engine and the outside world."""
