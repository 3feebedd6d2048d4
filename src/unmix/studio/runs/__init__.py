"""Runs, one at a time, in processes that can be ended; and the process that reads tables."""
