"""Information bottleneck: the whole curve, thirty values of beta, as many clusters as objects."""
