"""100k × 16, k = 50, float32; touching blobs."""

from benchmarks.kmeans.datasets.blobs_100k_16 import load

__all__ = ["load"]
most_rounds = 3
