"""A map of the rows: places in the plane, coloured by a value or by how far the map is to be trusted."""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.plot.style import FONT, SHADES, accent, dot_size, muted, open_axes, palette, style_axes

GROUPS = 12  # distinct whole numbers up to which values are groups


class EmbeddingDisplay:
    """Rows on a flat map, with a colour bar or names of groups, and small images of some rows if they are given.

    Without values the colour is the distortion, the share of a row's neighbours in the map that are not its neighbours
    in the data: where it is high, near and far mean little. Make it with `from_estimator`.

    Parameters
    ----------
    points : array of shape (n, 2)
    values : array of shape (n,), optional
        Numbers get shades and a colour bar; strings, booleans and up to twelve different whole numbers one colour each.
    value_name : str
    images : array of shape (n, height, width) or (n, height, width, 3 or 4), optional
    n_images : int, default=25
        How many to show at most, at places spread over the map.
    image_size : float, default=0.09
        Width of an image as a share of that of the map.
    axis_names : pair of str

    Attributes
    ----------
    ax_, figure_ : matplotlib axes and figure
    points_ : PathCollection
    color_bar_ : Colorbar or None
    texts_ : list of Text
        Names of the groups.
    images_ : list of AnnotationBbox
    image_rows_ : array of int
        The rows whose images are shown.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.embedding import LocallyLinearEmbedding
    >>> from unmix.plot import EmbeddingDisplay
    >>> t, height = np.random.default_rng(0).uniform(0, 4, (2, 200))
    >>> X = np.column_stack([np.cos(t), np.sin(t), height])
    >>> display = EmbeddingDisplay.from_estimator(LocallyLinearEmbedding(2, n_neighbors=12).fit(X), X)
    >>> display.color_bar_.ax.get_ylabel()
    'share of false neighbours'
    """

    def __init__(
        self, points, *, values=None, value_name="", images=None, n_images=25, image_size=0.09, axis_names=("", "")
    ):
        self.points = np.asarray(points, np.float64)
        if self.points.ndim != 2 or self.points.shape[1] != 2:
            raise ValueError(f"points has shape {self.points.shape}; give (n, 2), two coordinates for each row")
        self.values = None if values is None else _one_each("values", values, len(self.points))
        self.value_name = value_name
        self.images = None if images is None else _one_each("images", images, len(self.points))
        if self.images is not None and self.images.ndim not in (3, 4):
            raise ValueError(f"images has shape {self.images.shape}; give (n, height, width), or colours last")
        self.n_images = n_images
        self.image_size = image_size
        self.axis_names = axis_names

    @classmethod
    def from_estimator(
        cls, estimator, X=None, *, values=None, value_name="", columns=(0, 1), images=None, n_images=25,
        image_size=0.09, ax=None, **kwargs,
    ):  # fmt: skip
        """Draw a fitted embedding.

        Parameters
        ----------
        estimator : object with ``embedding_`` or ``transform``
        X : array or data frame of shape (n, d), optional
            Rows to place by ``transform``. Without it, or without ``transform``, the map of the fit is drawn.
        values : array of shape (n,), optional
            What colours the rows; by default ``distortion_``, where it exists and the rows are those of the fit.
        value_name : str
        columns : pair of int, default=(0, 1)
            Which coordinates of the map.
        images, n_images, image_size
            See the class.
        ax : matplotlib axes, optional
        **kwargs : for ``ax.scatter``

        Returns
        -------
        EmbeddingDisplay
        """
        places = _places(estimator, X)
        first, second = _coordinates(columns, places.shape[1])
        distortion = getattr(estimator, "distortion_", None)
        if values is None and distortion is not None and len(distortion) == len(places):
            values, value_name = distortion, value_name or "share of false neighbours"
        names = f"coordinate {first + 1}", f"coordinate {second + 1}"
        given = {"values": values, "value_name": value_name, "axis_names": names}
        return cls(places[:, [first, second]], images=images, n_images=n_images, image_size=image_size, **given).plot(
            ax, **kwargs
        )

    def plot(self, ax=None, **kwargs):
        """Draw into ``ax``, or into a new figure; ``kwargs`` go to ``ax.scatter``."""
        self.figure_, self.ax_ = figure, ax = open_axes(ax)
        options = {"s": dot_size(len(self.points)), "linewidths": 0, "alpha": 0.85} | kwargs
        self.color_bar_, self.texts_ = None, []
        if self.values is None:
            self.points_ = ax.scatter(*self.points.T, **{"color": accent(ax)} | options)
        elif _are_groups(self.values):
            self._draw_groups(ax, options)
        else:
            self._draw_shades(figure, ax, options)
        ax.set_xticks([])  # places on a map have no units
        ax.set_yticks([])
        style_axes(ax, *self.axis_names)
        self.images_, self.image_rows_ = [], np.empty(0, int)
        if self.images is not None:
            self._draw_images(figure, ax)
        return self

    def _draw_groups(self, ax, options):
        names, places = np.unique(self.values, return_inverse=True)
        self.points_ = ax.scatter(*self.points.T, c=np.array(palette(ax, len(names)))[places], **options)
        handles = [
            ax.plot([], [], "o", color=color, markersize=4, label=str(name))[0]
            for name, color in zip(names, palette(ax, len(names)))
        ]
        legend = ax.legend(
            handles=handles, title=self.value_name or None, frameon=False, fontsize=FONT, title_fontsize=FONT,
            loc="center left", bbox_to_anchor=(1.0, 0.5), handletextpad=0.2, borderaxespad=0.2,
        )  # fmt: skip
        self.texts_ = legend.get_texts()

    def _draw_shades(self, figure, ax, options):
        self.points_ = ax.scatter(*self.points.T, c=self.values.astype(np.float64), **{"cmap": SHADES} | options)
        self.color_bar_ = figure.colorbar(self.points_, ax=ax, shrink=0.8, aspect=25, pad=0.02)
        self.color_bar_.set_label(self.value_name)
        self.color_bar_.outline.set_visible(False)
        self.color_bar_.solids.set_alpha(1)

    def _draw_images(self, figure, ax):
        from matplotlib.offsetbox import AnnotationBbox, OffsetImage

        ax.margins(0.08)  # room for images at the rim
        figure.draw_without_rendering()  # places the axes, whose width the images are a share of
        height, width = self.images.shape[1:3]
        wide = self.image_size * ax.get_window_extent().width  # of an image, in pixels
        places = ax.transData.transform(self.points) / [wide, wide * height / width]
        self.image_rows_ = non_overlapping(places / 1.08, self.n_images)
        zoom = wide / figure.dpi * 72 / width
        for row in self.image_rows_:
            picture = OffsetImage(self.images[row], zoom=zoom, cmap="gray")
            frame = {"edgecolor": muted(ax), "linewidth": 0.5}
            self.images_.append(
                ax.add_artist(AnnotationBbox(picture, self.points[row], pad=0.0, bboxprops=frame, zorder=3))
            )


def _places(estimator: Any, X: Any) -> np.ndarray:
    fitted = getattr(estimator, "embedding_", None)
    if X is not None and hasattr(estimator, "transform"):
        return np.asarray(estimator.transform(X))
    if fitted is None:
        need = "X, whose rows transform places" if hasattr(estimator, "transform") else "a fitted embedding"
        raise TypeError(f"{type(estimator).__name__} has no embedding_; give {need}")
    if X is not None and len(fitted) != np.shape(X)[0]:
        raise ValueError(f"X has {np.shape(X)[0]} rows and embedding_ {len(fitted)}; without transform, give X=None")
    return np.asarray(fitted)


def _coordinates(columns: Any, d: int) -> tuple[int, int]:
    from unmix.plot.table import column_numbers

    if d < 2:
        raise ValueError("the embedding has one coordinate, and a map needs two; fit with n_components=2")
    first, second = column_numbers(columns, [f"coordinate {i + 1}" for i in range(d)])
    return first, second


def _one_each(name: str, given: Any, n: int) -> np.ndarray:
    array = np.asarray(given)
    if array.ndim == 0 or len(array) != n or (name == "values" and array.ndim != 1):
        raise ValueError(f"{name} has shape {array.shape}; give one for each of the {n} rows")
    return array


def _are_groups(values: np.ndarray) -> bool:
    return values.dtype.kind not in "iuf" or (values.dtype.kind in "iu" and len(np.unique(values)) <= GROUPS)


def non_overlapping(points: np.ndarray, n: int) -> np.ndarray:
    """Numbers of up to ``n`` points such that squares of side 1 around them do not overlap; each next one is
    the farthest from those chosen (Gonzalez, TCS 38, 1985).
    """
    outermost = ((points - points.mean(axis=0)) ** 2).sum(axis=1).argmax()
    chosen, nearest = [int(outermost)], np.full(len(points), np.inf)
    while len(chosen) < n:
        nearest = np.minimum(nearest, np.abs(points - points[chosen[-1]]).max(axis=1))
        farthest = int(nearest.argmax())
        if nearest[farthest] < 1:
            break
        chosen.append(farthest)
    return np.array(chosen)
