"""Files of one format each: arrays, typed columns, images, sound."""
