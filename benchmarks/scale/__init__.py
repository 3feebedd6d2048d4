"""What a pass over a cluster costs: each constant measured, pass times predicted, and compared with runs."""
