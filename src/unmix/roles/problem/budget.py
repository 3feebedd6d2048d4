"""How long a search may go on."""

from __future__ import annotations

import time


class Budget:
    """Seconds that run from now; an interrupt ends them at once, so that the best answer so far is returned.

    >>> Budget(None).over, Budget(0.0).over
    (False, True)
    """

    def __init__(self, seconds: float | None, whole: Budget | None = None):
        self.end = None if seconds is None else time.monotonic() + seconds
        self.whole = whole
        self._interrupted = False

    @property
    def interrupted(self) -> bool:
        return self._interrupted or (self.whole is not None and self.whole.interrupted)

    def interrupt(self) -> None:
        self._interrupted = True
        if self.whole is not None:
            self.whole.interrupt()

    @property
    def left(self) -> float | None:
        if self.interrupted:
            return 0.0
        return None if self.end is None else max(0.0, self.end - time.monotonic())

    @property
    def over(self) -> bool:
        return self.left == 0.0

    @property
    def root(self) -> Budget:
        """The outermost budget with an end that this one is a part of: what the user allowed."""
        above = None if self.whole is None else self.whole.root
        return self if above is None or above.end is None else above

    def part(self, share: float) -> Budget:
        """A budget of a share of what is left."""
        return Budget(None if self.left is None else self.left * share, self)

    def __enter__(self) -> Budget:
        return self

    def __exit__(self, kind: type | None, *_: object) -> bool:
        """Ctrl-C inside the block ends the search, not the programme."""
        if kind is not None and issubclass(kind, KeyboardInterrupt):
            self.interrupt()
            return True
        return False
