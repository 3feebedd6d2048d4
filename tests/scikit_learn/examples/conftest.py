"""Scripts are run by the tests beside them, not collected as modules."""

collect_ignore = ["pca_iris.py", "topics_nmf.py", "faces_decomposition.py", "faces_dictionaries.py"]
