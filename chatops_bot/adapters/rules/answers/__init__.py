"""What is said below a plan that waits: a yes, a change of it, a refusal, or something else."""
