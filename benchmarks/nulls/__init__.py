"""How often tables without groups are said to hold some: rough, gappy, repeated, dependent rows; and planted groups."""
