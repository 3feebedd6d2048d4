"""Tables of numbers, categories, ordered categories, truth values and dates as one array of numbers, and back."""

from unmix.io.mixed.column import KINDS, Column
from unmix.io.mixed.encoding import Encoding, encode_columns

__all__ = ["KINDS", "Column", "Encoding", "encode_columns"]
