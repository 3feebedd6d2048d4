"""20M × 16 in 200 hive-partitioned Parquet files: explore on two workers of 1 GB and without them, to the same bits."""
