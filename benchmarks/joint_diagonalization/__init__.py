"""Joint diagonalization of 51 matrices of 20 × 20, as from lagged or piecewise covariances of 20 sources."""
