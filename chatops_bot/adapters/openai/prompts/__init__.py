"""Instructions for models: `NAME.vN.md`. `prompting` reads them."""
