"""The scripts that run inside Redis: `prelude.lua` begins every one of them, `routing.lua` those that route."""
