"""CPU seconds of Factorization against our own estimators of the same objective, in one run."""
