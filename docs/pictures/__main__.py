"""`python docs/pictures [name …]` draws the pictures of the documentation anew, all or those of the named scripts.

A script gives `figures()`, drawings of `drawings()`, or takes screenshots by `main()`. If answers can be read in its
pictures or on their page, it says which by `shown()`: they are kept in shown.json beside the scripts, with a digest of
every screenshot. Tests compare all of it with what the code gives today.
"""

import hashlib
import importlib
import json
import sys
from pathlib import Path

folder = Path(__file__).parent
ASSETS = folder.parent / "assets"
KEPT = folder / "shown.json"


def digests(name: str) -> dict[str, str]:
    """Of the screenshots that a script took."""
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(ASSETS.glob(f"{name}*.png"))}


def draw(script) -> None:
    from docs.making import picture

    picture.begin()
    for name, figure in getattr(script, "figures", dict)().items():
        picture.save(figure, ASSETS / f"{name}.png")
    for name, drawing in getattr(script, "drawings", dict)().items():
        drawing.save(ASSETS / f"{name}.svg")


def main(names: list[str]) -> None:
    kept = json.loads(KEPT.read_text(encoding="utf-8"))
    for name in names or sorted(path.stem for path in folder.glob("[a-z]*.py")):
        print(name)
        script = importlib.import_module(name)
        draw(script)
        if hasattr(script, "shown"):
            kept[name] = {"shown": script.shown()}
        if hasattr(script, "main"):
            script.main()
            kept[name]["screenshots"] = digests(name)
        KEPT.write_text(json.dumps(kept, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.path.insert(0, str(folder.parents[1]))
    main(sys.argv[1:])
