"""Losses other than squares: Kullback–Leibler, Itakura–Saito and any β-divergence, by Newton steps and by ratios."""
