"""Texts as shares of topics: words are counted, and the counts taken apart into non-negative parts."""
