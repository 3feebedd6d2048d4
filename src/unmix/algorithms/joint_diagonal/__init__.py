"""Matrices that one change of coordinates makes diagonal, all of them as nearly as can be."""
