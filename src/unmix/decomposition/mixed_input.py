"""Frames of columns of many kinds into numbers, and back."""

from __future__ import annotations


def as_mixed(model, X, reset):
    return None


def restored(model, array, like=None):
    return array
