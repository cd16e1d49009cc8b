"""The bundled web console, a chat platform of its own."""
