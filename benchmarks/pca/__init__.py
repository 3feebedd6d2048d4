"""PCA: the first k components."""
