"""A page as a parser sees it: which elements, which attributes, which text."""

from html.parser import HTMLParser


class Seen(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: dict[str, str | None] = {}
        self.addresses: set[str | None] = set()
        self.content = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes.update(attrs)
        self.addresses.update(value for name, value in attrs if name in ("src", "href", "action", "srcset", "data"))

    def handle_data(self, data: str) -> None:
        self.content += data
