"""Where data are and how work runs over them; knows no method and no scikit-learn.

Flat is what nearly every other room imports: blocks of rows and their order, threads, random streams, compiled kernels,
checks of arguments. Iterations, files on disk and the scales of columns are rooms of their own.
"""
