"""20k × 128, k = 100, float32; well-separated blobs, so that quality is telling."""

from benchmarks.kmeans.datasets.blobs_20k_128 import load

__all__ = ["load"]
most_rounds = 3
