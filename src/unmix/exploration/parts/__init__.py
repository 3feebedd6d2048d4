"""Every row of a data set gets its cluster where its file is read; what comes back are counts and sums."""
