"""K-means, the whole fit: k-means++ and one start."""
