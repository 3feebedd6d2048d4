"""How the time of a fit grows with rows, columns and parts, over two decades each, for every estimator."""
