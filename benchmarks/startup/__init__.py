"""What a newcomer waits for: CPU and wall seconds and compiled kernels of every first use, on an empty cache."""
