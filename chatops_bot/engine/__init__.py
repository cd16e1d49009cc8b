"""The path of one message: intake, routing, turns, the gate and the executor of effects."""
