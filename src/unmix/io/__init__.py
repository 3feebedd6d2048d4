"""One registry of file formats, from which every part of the package reads tables, signals and images."""

from unmix.io import builtin_formats as _builtin_formats  # noqa: F401  (registers them)
from unmix.io.errors import NoSuchFileError, TableError
from unmix.io.image import ImageFile, read_image, write_image
from unmix.io.matrix import Matrix, as_matrix
from unmix.io.read import open_source, read_table
from unmix.io.registry import Format, endings, formats, register, unregister
from unmix.io.table import Table

__all__ = [
    "Format",
    "ImageFile",
    "Matrix",
    "NoSuchFileError",
    "Table",
    "TableError",
    "as_matrix",
    "endings",
    "formats",
    "open_source",
    "read_image",
    "read_table",
    "register",
    "unregister",
    "write_image",
]
