"""Filling a sandbox from the `cluster:` section of a transcript, and changing it by later ones."""
