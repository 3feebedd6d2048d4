"""Speed and quality beside the best peers: one objective, a folder of solvers and a folder of data sets a benchmark."""
