"""Mined roles explained: exceptions, names, what if, and the files of a run."""
