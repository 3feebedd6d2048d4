"""Groups of any shape: long, curved, nested, of unequal spread, where K-means would cut or join them."""
