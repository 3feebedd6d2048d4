"""How a page stands in the browser: its sizes, its colours, whether it scrolls sideways."""

PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 900}


def background(page) -> list[int]:
    colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
    return [int(float(part)) for part in colour[4:-1].split(",")]


def overflow(page) -> int:
    """By how many pixels the page is wider than the window."""
    return page.evaluate("document.documentElement.scrollWidth - innerWidth")


def widest_overflow(page) -> int:
    """The same at its worst, over windows from a small phone's to a desk's."""
    worst = -1280
    for width in (320, 390, 760, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        worst = max(worst, overflow(page))
    return worst


def cut_labels(page) -> list[str]:
    """Words in charts that reach beyond the edge, where they are cut."""
    return page.evaluate(
        """() => [...document.querySelectorAll("svg.chart text")].filter((text) => {
          const view = text.ownerSVGElement.viewBox.baseVal, box = text.getBBox();
          return box.x < view.x - 0.3 || box.x + box.width > view.x + view.width + 0.3;
        }).map((text) => text.textContent)"""
    )
