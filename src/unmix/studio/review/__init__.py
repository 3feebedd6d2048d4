"""Mined roles under review: steps that change them, what each costs, and the result as files."""
