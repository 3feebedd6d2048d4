"""Values that were rounded: to what step, and how many of them more coarsely than the others."""
