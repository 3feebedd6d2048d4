"""From a table to findings: what kinds of columns it has, what structure was found, and how sure that is."""
