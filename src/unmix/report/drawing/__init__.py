"""What pages are drawn with: escaped markup, readable numbers, scales, charts and small figures."""
