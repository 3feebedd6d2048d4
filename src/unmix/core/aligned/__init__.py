"""Arrays with one entry a row of the table, in memory or, where they are long and the table is on disk, there too."""
