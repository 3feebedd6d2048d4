"""Gaussian sums in one or two dimensions by a fast convolution on a grid."""
