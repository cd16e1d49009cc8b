"""The built-in interpreter: Chinese and English rules, no model needed."""
