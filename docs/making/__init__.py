"""Pages that show what the code gives today: the gallery, the tutorials and the stories, with their pictures.

    python -m docs.making                       # everything that has to be drawn anew
    python -m docs.making gallery moons         # one example
    python -m docs.making tutorials stories     # these two

Tests run the same code and fail where a page shows another number or another picture.
"""
