"""A probability in whole percent, in one way everywhere."""


def whole_percent(probability: float) -> str:
    """Never nothing and never all: what was estimated is not certain."""
    return f"{min(max(round(100 * probability), 1), 99)} %"
