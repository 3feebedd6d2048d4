"""Self-organising map: ten batch epochs of a 20 x 20 rectangular map, its width falling from 5 to 1."""
