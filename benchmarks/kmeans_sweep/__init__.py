"""K-means for every K = 2…20 with ten restarts each, as model selection needs it."""
