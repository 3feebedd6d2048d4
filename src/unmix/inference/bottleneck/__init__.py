"""The information bottleneck: soft codes along the information curve, hard ones by moves and merges."""
