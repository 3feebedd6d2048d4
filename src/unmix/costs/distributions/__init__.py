"""What costs of histograms share: relative entropies, and Gaussians seen through bins."""
