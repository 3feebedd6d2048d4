"""Hostile input to every estimator: a right answer or one clear sentence, never a warning, a NaN or a raw error."""
