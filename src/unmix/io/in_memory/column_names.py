"""Names of columns: one of its own for each."""

from collections import Counter


def unique_names(names: list[str], warnings: list[str]) -> list[str]:
    """Every column gets a name of its own: empty ones are numbered, repeated ones get (2), (3) …, and that is said."""
    result: list[str] = []
    seen: Counter[str] = Counter()
    taken = set(names)
    for j, given in enumerate(names):
        base = given.strip() if given.strip() else f"column {j + 1}"
        unique = base
        while unique in seen or (unique != base and unique in taken):
            seen[base] += 1
            unique = f"{base} ({seen[base]})"
        seen[unique] += 1
        result.append(unique)
    repeated = [(given, unique) for given, unique in zip(names, result) if given.strip() and given.strip() != unique]
    if repeated:
        said = ", ".join(f"{given!r} → {unique!r}" for given, unique in repeated[:5])
        warnings.append(f"Column names occur more than once; the later ones were renamed: {said}.")
    return result
