"""Maximum cut of public graphs: the cut found against the best known, and the time, by unmix.cluster.max_cut."""
