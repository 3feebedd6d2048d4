"""Groups inside groups, and groups of groups: a tree, with the evidence at every split."""
