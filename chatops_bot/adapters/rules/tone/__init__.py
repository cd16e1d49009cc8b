"""How something is said: asked, ordered, put off, called off; and the words that say nothing."""
