"""`python docs/pictures [name …]` draws the pictures of the documentation anew, all or those of the named scripts.

A script whose pictures show answers says which by `shown()`. They are kept in shown.json beside the scripts, and a test
compares them with what the code says today.
"""

import importlib
import json
import sys
from pathlib import Path

folder = Path(__file__).parent
KEPT = folder / "shown.json"


def main(names: list[str]) -> None:
    kept = json.loads(KEPT.read_text(encoding="utf-8"))
    for name in names or sorted(path.stem for path in folder.glob("[a-z]*.py")):
        print(name)
        script = importlib.import_module(name)
        script.main()
        if hasattr(script, "shown"):
            kept[name] = script.shown()
            KEPT.write_text(json.dumps(kept, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
