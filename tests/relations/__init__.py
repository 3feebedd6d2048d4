"""Relations that every method must keep, whatever the table: what a far row, a weight, a unit or an order may change.

`subjects.py` names every public estimator with a table and the questions it answers, `relations.py` every relation as
pairs of fits that must agree, `exceptions.py` where a relation is not one of the method, and why. `test_relations.py`
tries each relation on each subject: a short form with the tests, a longer one by `pytest --long`.
"""
