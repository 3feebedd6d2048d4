"""K-means as a careful user runs it: our defaults, ten restarts of the peers, breathing K-means."""
