"""Kernels: how they are compiled, where they are kept, and explicit SIMD for them."""
