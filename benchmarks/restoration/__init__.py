"""Photographs restored: noise taken off and missing pixels filled in, against scikit-image and interpolation."""
