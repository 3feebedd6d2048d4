"""Many files as one table: a folder, a pattern or a list of paths, also partitioned by the names of folders."""
