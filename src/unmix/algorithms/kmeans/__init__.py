"""K-means: starts, Lloyd's iteration that reads only what may change, swaps, streams and missing entries."""
