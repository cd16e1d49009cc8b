"""One folder per outside system; none of them knows another."""
