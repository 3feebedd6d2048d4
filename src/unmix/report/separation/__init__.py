"""The report of separated signals."""
