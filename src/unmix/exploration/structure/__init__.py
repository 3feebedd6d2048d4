"""The structure of the rows: principal components and clusters, each beside what chance would give."""
