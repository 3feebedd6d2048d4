"""Tables without groups, and what chance makes of a maximum over them."""
