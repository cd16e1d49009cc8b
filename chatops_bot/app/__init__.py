"""Settings, wiring, HTTP, command line and telemetry: the only place that knows concrete classes."""
