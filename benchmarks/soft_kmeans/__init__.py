"""Soft K-means by annealing, once from one cluster down, against many restarts of K-means."""
