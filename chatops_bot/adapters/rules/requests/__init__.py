"""What an utterance asks for: clauses, orders and questions, each with the name and the values that are its own."""
