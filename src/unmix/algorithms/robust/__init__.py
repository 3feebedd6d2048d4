"""A table as low rank plus sparse: pursuit, its exact end, the proof that it is the optimum, and new rows."""
