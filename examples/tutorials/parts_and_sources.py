"""Parts and sources: the code of the tutorial, in cells. Run it from the folder of the project."""
