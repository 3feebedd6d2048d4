"""Decompositions: a table as a product of few factors."""

from unmix.decomposition.dictionary_learning import DictionaryLearning
from unmix.decomposition.mini_batch_dictionary_learning import MiniBatchDictionaryLearning
from unmix.decomposition.pca import PCA
from unmix.decomposition.robust_pca import RobustPCA
from unmix.decomposition.sparse_coder import SparseCoder
from unmix.decomposition.svd import svd
from unmix.decomposition.truncated_svd import TruncatedSVD
from unmix.factors.bases.coherence import coherence, recovery_bound, union_of_bases
from unmix.factors.bases.compression import compress
from unmix.factors.bases.cosine import dct_basis, overcomplete_dct
from unmix.factors.bases.fourier import fourier_basis
from unmix.factors.bases.wavelet import daubechies_wavelets, haar_wavelets
from unmix.factors.sparse.sensing import recover, sense

__all__ = [
    "PCA",
    "DictionaryLearning",
    "MiniBatchDictionaryLearning",
    "RobustPCA",
    "SparseCoder",
    "TruncatedSVD",
    "coherence",
    "compress",
    "daubechies_wavelets",
    "dct_basis",
    "fourier_basis",
    "haar_wavelets",
    "overcomplete_dct",
    "recover",
    "recovery_bound",
    "sense",
    "svd",
    "union_of_bases",
]
