from tests.report.made_up import made_up
from unmix.report.headline import likely, sureness
from unmix.report.page import render


def test_how_often_a_number_comes_back_stands_beside_how_probable_it_is():
    selection = {"k": [1, 2, 3], "chosen_k": 3, "probabilities": [0.01, 0.2, 0.49], "confidence": 0.9}
    assert likely(selection).replace("\N{NO-BREAK SPACE}", " ") == "49 % probable; tried K = 1 … 3"
    assert "of parts of the table give\N{NO-BREAK SPACE}3" in "".join(sureness(selection))
    assert "probable" not in likely({"k": [1], "chosen_k": 1})
    tree = made_up()
    tree["selection"] |= {"probabilities": [0.0] * len(tree["selection"]["k"]), "confidence": 0.9}
    assert "1 % probable" in render(tree)


def test_without_clusters_no_number_says_that_they_are_real():
    """98 % for none beside "clusters are real: 2 %" would be one number said twice, once upside down."""
    selection = {"k": [1, 2], "chosen_k": 1, "probabilities": [0.98, 0.02], "probability": 0.02, "confidence": 1.0}
    shown = "".join(sureness(selection))
    assert "are real" not in shown and "give\N{NO-BREAK SPACE}none" in shown
    assert likely(selection).startswith("98")
