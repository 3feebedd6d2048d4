"""Separation of duties: what nobody may hold together, who does, and the cheapest way out."""
