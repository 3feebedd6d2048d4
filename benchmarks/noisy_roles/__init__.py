"""Planted roles under wrong and missing grants: roles found, errors ranked, time and memory."""
