"""How many bits a held-out row costs under each kind of structure."""
