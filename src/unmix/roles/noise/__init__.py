"""The roles behind noisy access data, by likelihood."""
