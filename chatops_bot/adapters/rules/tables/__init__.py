"""Which words ask for what, in both languages. Data only."""
