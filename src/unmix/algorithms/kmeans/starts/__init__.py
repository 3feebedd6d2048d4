"""Where Lloyd's iteration starts, and what leads it out of a minimum: k-means++, swaps, moves of single rows."""
