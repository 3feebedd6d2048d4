"""Objects as points in few dimensions: each estimator follows scikit-learn's contract of transformers."""

from unmix.embedding.constant_shift import ConstantShiftEmbedding

__all__ = ["ConstantShiftEmbedding"]
