"""objective: sum of squared distances to the nearest centre (lower is better), mean over the rounds' seeds"""

from benchmarks.kmeans.objective import evaluate

__all__ = ["evaluate"]
