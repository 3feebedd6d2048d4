"""Real tables with facts written down beforehand: is what `explore` says of their columns right, wrong or absent?"""
