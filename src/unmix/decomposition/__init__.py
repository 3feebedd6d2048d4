"""Decompositions: a table as a product of few factors.

One estimator a file and no room above it: a family is looked through by name. What they compute is in `algorithms`.
"""

from typing import TYPE_CHECKING

from unmix.core.public_names import on_first_use

if TYPE_CHECKING:
    from unmix.algorithms.bases.coherence import coherence, recovery_bound, union_of_bases
    from unmix.algorithms.bases.compression import compress
    from unmix.algorithms.bases.cosine import dct_basis, overcomplete_dct
    from unmix.algorithms.bases.fourier import fourier_basis
    from unmix.algorithms.bases.wavelet import daubechies_wavelets, haar_wavelets
    from unmix.algorithms.sparse_codes.compressed_sensing import recover, sense
    from unmix.decomposition.collaborative_filter import CollaborativeFilter
    from unmix.decomposition.dictionary_learning import DictionaryLearning
    from unmix.decomposition.factorization import Factorization
    from unmix.decomposition.intrinsic_dimension import IntrinsicDimension, intrinsic_dimension
    from unmix.decomposition.mini_batch_dictionary_learning import MiniBatchDictionaryLearning
    from unmix.decomposition.nmf import NMF
    from unmix.decomposition.norms import matrix_norm, vector_norm
    from unmix.decomposition.pca import PCA
    from unmix.decomposition.robust_pca import RobustPCA
    from unmix.decomposition.select_components import ComponentCount, select_components
    from unmix.decomposition.semi_nmf import SemiNMF
    from unmix.decomposition.sparse_coder import SparseCoder
    from unmix.decomposition.svd import svd
    from unmix.decomposition.truncated_svd import TruncatedSVD

__all__ = [
    "NMF",
    "PCA",
    "CollaborativeFilter",
    "ComponentCount",
    "DictionaryLearning",
    "Factorization",
    "IntrinsicDimension",
    "MiniBatchDictionaryLearning",
    "RobustPCA",
    "SemiNMF",
    "SparseCoder",
    "TruncatedSVD",
    "coherence",
    "compress",
    "daubechies_wavelets",
    "dct_basis",
    "fourier_basis",
    "haar_wavelets",
    "intrinsic_dimension",
    "matrix_norm",
    "overcomplete_dct",
    "recover",
    "recovery_bound",
    "select_components",
    "sense",
    "svd",
    "union_of_bases",
    "vector_norm",
]

on_first_use(
    __name__,
    {
        "unmix.algorithms.bases.coherence": "coherence recovery_bound union_of_bases",
        "unmix.algorithms.bases.compression": "compress",
        "unmix.algorithms.bases.cosine": "dct_basis overcomplete_dct",
        "unmix.algorithms.bases.fourier": "fourier_basis",
        "unmix.algorithms.bases.wavelet": "daubechies_wavelets haar_wavelets",
        "unmix.algorithms.sparse_codes.compressed_sensing": "recover sense",
        "unmix.decomposition.collaborative_filter": "CollaborativeFilter",
        "unmix.decomposition.dictionary_learning": "DictionaryLearning",
        "unmix.decomposition.factorization": "Factorization",
        "unmix.decomposition.intrinsic_dimension": "IntrinsicDimension intrinsic_dimension",
        "unmix.decomposition.mini_batch_dictionary_learning": "MiniBatchDictionaryLearning",
        "unmix.decomposition.nmf": "NMF",
        "unmix.decomposition.norms": "matrix_norm vector_norm",
        "unmix.decomposition.pca": "PCA",
        "unmix.decomposition.robust_pca": "RobustPCA",
        "unmix.decomposition.select_components": "ComponentCount select_components",
        "unmix.decomposition.semi_nmf": "SemiNMF",
        "unmix.decomposition.sparse_coder": "SparseCoder",
        "unmix.decomposition.svd": "svd",
        "unmix.decomposition.truncated_svd": "TruncatedSVD",
    },
)
