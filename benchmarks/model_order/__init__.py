"""How often the verdict on the number of clusters is right, beside the usual criteria on the same tables."""
