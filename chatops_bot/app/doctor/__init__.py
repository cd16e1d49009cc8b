"""Looks at a whole installation and says what to do about each finding."""
