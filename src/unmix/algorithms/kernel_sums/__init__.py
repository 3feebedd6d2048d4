"""Sums of a kernel over rows, at many places, to a stated accuracy; and how wide the kernel should be."""
