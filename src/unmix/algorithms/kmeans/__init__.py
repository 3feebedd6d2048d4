"""K-means: fits from several starts, with missing entries, of streams, along a path of k.

They are made of Lloyd's iteration (`lloyd`) and of the seeds and moves around it (`starts`).
"""
