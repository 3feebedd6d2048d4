"""How exploring takes groups that are not round: the number, the agreement, and how often it is wrong and sure."""
