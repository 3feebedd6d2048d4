"""Lloyd's iteration: every row to its nearest centre, every centre to its mean, reading only what may change."""
