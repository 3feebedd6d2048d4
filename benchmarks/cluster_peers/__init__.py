"""20M × 16 in 200 Parquet files: K-means and PCA on two processes, by unmix, dask-ml and Spark MLlib."""
