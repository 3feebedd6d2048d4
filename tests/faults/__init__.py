"""Faults on purpose: odd files, damaged models, full disks, signals, killed workers, and what unmix makes of them."""
