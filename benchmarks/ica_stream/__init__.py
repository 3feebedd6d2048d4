"""Learning by partial_fit from a file of 5M × 8 that is never in memory: seconds, resident memory, Amari index."""
