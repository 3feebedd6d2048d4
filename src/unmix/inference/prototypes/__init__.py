"""Clusters with prototypes in equilibrium at one temperature, alone or coupled in space."""
