"""One registry of file formats, from which every part of the package reads tables, signals and images."""
