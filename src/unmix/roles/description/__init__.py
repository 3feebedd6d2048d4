"""Roles of large noisy access data by the shortest description: how many bits roles, assignments and errors take."""
