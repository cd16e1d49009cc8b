"""The sandbox's controllers: what a cluster does by itself after somebody wrote to it.

Each controller has one method, `run`, that looks at the stored objects and makes the next step toward what they ask;
`loop.ControlLoop` runs them in turn until nothing moves. They hold no timers: one that waits for a moment says so with
`Context.wake_at`.
"""
