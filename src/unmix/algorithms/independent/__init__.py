"""Engines of source separation: x = mean + A s with independent s, from blocks of rows."""
