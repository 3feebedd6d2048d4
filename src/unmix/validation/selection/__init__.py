"""Choosing a model: a grid fitted once, judged by every criterion, answered in words."""
