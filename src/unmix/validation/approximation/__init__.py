"""Approximation sets: how precisely a solution may be chosen before the choice stops to repeat."""
