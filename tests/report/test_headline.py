from tests.report.made_up import made_up
from unmix.report.headline import repeated
from unmix.report.page import render


def test_how_often_a_number_comes_back_stands_beside_how_probable_it_is():
    selection = {"k": [1, 2, 3], "chosen_k": 3, "probabilities": [0.01, 0.2, 0.49], "confidence": 0.9}
    assert repeated(selection) == "of parts of the table; that it is right: 49 %"
    assert repeated({"k": [1], "chosen_k": 1}) == "of parts of the table"
    tree = made_up()
    tree["selection"] |= {"probabilities": [0.0] * len(tree["selection"]["k"]), "confidence": 0.9}
    assert "that it is right: 1 %" in render(tree)
