"""Condensation: where neurons point, how much they carry, and how much of it lies along few directions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from condensation_lab.initialise import FloatArray


def orientation(w: FloatArray) -> FloatArray:
    """Angle of each neuron of a network with one-dimensional input: atan2(bias, weight).

    A ReLU neuron's kink sits at x = -bias / weight.

    Args:
        w: input weights, (2, m): row 0 the weight, row 1 the bias.

    Returns:
        Angles in radians, in [-pi, pi), (m,).

    Raises:
        ValueError: w does not have two rows.

    Source:
        Luo et al., JMLR 2021, figure 2.

    Example:
        >>> orientation(np.array([[1.0, -1.0], [0.0, 0.0]])).tolist()
        [0.0, -3.141592653589793]
    """
    if w.ndim != 2 or w.shape[0] != 2:
        raise ValueError(f"w has shape {w.shape}: an orientation needs (2, m), one input and the bias")
    angle = np.arctan2(w[1], w[0])
    return np.where(angle >= np.pi, -np.pi, angle)


def amplitude(a: FloatArray, w: FloatArray) -> FloatArray:
    """Amplitude of each neuron, |a_k| |w_k|.

    Args:
        a: output weights, (m,).
        w: input weights, (d, m).

    Returns:
        Amplitudes, (m,), in the units of the weights.

    Source:
        Luo et al., JMLR 2021, figure 2.

    Example:
        >>> amplitude(np.array([-2.0]), np.array([[3.0], [4.0]])).tolist()
        [10.0]
    """
    return np.asarray(np.abs(a) * np.linalg.norm(w, axis=0))


def share_near(angles: FloatArray, weights: FloatArray, directions: FloatArray, half_width: float = 0.1) -> FloatArray:
    """Share of the total amplitude that lies within a half width of each given orientation.

    Args:
        angles: orientations in radians, (m,).
        weights: amplitudes, (m,), non-negative with a positive sum.
        directions: orientations to look at, in radians, (D,).
        half_width: half width of the window in radians.

    Returns:
        Shares between 0 and 1, (D,).

    Raises:
        ValueError: the amplitudes are negative or all zero.

    Example:
        >>> share_near(np.array([0.0, 3.0]), np.array([1.0, 3.0]), np.array([0.05])).tolist()
        [0.25]
    """
    total = _total(weights)
    gap = angles[:, None] - directions[None, :]
    distance = np.abs((gap + np.pi) % (2 * np.pi) - np.pi)
    return np.asarray((weights[:, None] * (distance <= half_width)).sum(axis=0) / total)


def uniform_share(directions: int, half_width: float = 0.1) -> float:
    """Share that neurons of uniform angle would have in that many windows: directions * half_width / pi.

    Args:
        directions: number of windows, not overlapping.
        half_width: half width of a window in radians.

    Returns:
        The share, between 0 and 1.

    Example:
        >>> round(uniform_share(2, 0.1), 4)
        0.0637
    """
    return min(1.0, directions * half_width / np.pi)


def orientation_histogram(angles: FloatArray, weights: FloatArray, bins: int) -> FloatArray:
    """Share of the total amplitude in equal bins of orientation over [-pi, pi).

    Args:
        angles: orientations in radians, (m,).
        weights: amplitudes, (m,), non-negative with a positive sum.
        bins: number of bins.

    Returns:
        Shares that sum to 1, (bins,).

    Example:
        >>> orientation_histogram(np.array([-1.0, 1.0]), np.array([1.0, 1.0]), 2).tolist()
        [0.5, 0.5]
    """
    total = _total(weights)
    counts, _ = np.histogram(angles, bins=bins, range=(-np.pi, np.pi), weights=weights)
    return np.asarray(counts / total)


def _total(weights: FloatArray) -> float:
    total = float(np.sum(weights))
    if not total > 0 or (weights < 0).any():
        raise ValueError("the amplitudes must be non-negative with a positive sum")
    return total


def peak_width(angles: FloatArray, weights: FloatArray, share: float = 0.5) -> float:
    """Smallest total width of orientation bins that hold a share of the amplitude: small when condensed.

    Args:
        angles: orientations in radians, (m,).
        weights: amplitudes, (m,).
        share: share of the total amplitude to hold, in (0, 1].

    Returns:
        Total width in radians, at most share * 2 pi up to one neuron for uniform angles. It is the sum, over the
        narrowest bins of 1/1000 of the circle taken in order of content, and so counts several peaks together.

    Example:
        >>> round(peak_width(np.zeros(10), np.ones(10)), 4)
        0.0063
    """
    bins = 1000
    return _fullest(orientation_histogram(angles, weights, bins), share) * 2 * np.pi / bins


def projection_width(w: FloatArray, weights: FloatArray, share: float = 0.5) -> float:
    """Smallest total width of projections w_k . p / |w_k|, p = (1, ..., 1) / sqrt(d), that holds a share of amplitude.

    Args:
        w: input weights, (d, m).
        weights: amplitudes, (m,), non-negative with a positive sum.
        share: share of the total amplitude to hold, in (0, 1].

    Returns:
        Total width, over the fullest bins of 1/200 of [-1, 1]; small when neurons have condensed on few directions.

    Source:
        The projection is that of Luo et al., JMLR 2021, figure 7.

    Example:
        >>> projection_width(np.ones((3, 5)), np.ones(5))
        0.01
    """
    total = _total(weights)
    norms = np.linalg.norm(w, axis=0)
    projections = w.sum(axis=0) / np.where(norms > 0, norms, 1.0) / np.sqrt(w.shape[0])
    bins = 200
    counts, _ = np.histogram(np.clip(projections, -1, 1), bins=bins, range=(-1, 1), weights=weights)
    return _fullest(counts / total, share) * 2 / bins


def _fullest(contents: FloatArray, share: float) -> int:
    """How many bins, the fullest first, hold a share of the content."""
    return int(np.searchsorted(np.cumsum(np.sort(contents)[::-1]), share * (1 - 1e-12))) + 1


@dataclass(frozen=True)
class Line:
    """A direction along which neurons have condensed; opposite neurons lie on the same line.

    Args:
        direction: unit vector, (d,), the one of the neuron with the largest amplitude.
        share: share of the total amplitude on the line.
        same: number of neurons along the direction.
        opposite: number of neurons against it.
    """

    direction: FloatArray
    share: float
    same: int
    opposite: int


def condensed_lines(a: FloatArray, w: FloatArray, cosine: float = 0.95) -> list[Line]:
    """Group neurons into lines greedily: the largest ungrouped neuron takes all with |cos| above a threshold.

    Args:
        a: output weights, (m,).
        w: input weights, (d, m); neurons of zero amplitude are left out.
        cosine: threshold on the absolute cosine, in (0, 1).

    Returns:
        Lines in order of falling share.

    Raises:
        ValueError: every amplitude is zero.

    Example:
        >>> [line.share for line in condensed_lines(np.ones(4), np.array([[1.0, -1.0, 0, 0], [0, 0, 1.0, 1.0]]))]
        [0.5, 0.5]
    """
    size = amplitude(a, w)
    total = float(size.sum())
    if not total > 0:
        raise ValueError("every amplitude is zero: there is nothing to group")
    alive = np.flatnonzero(size > 0)
    order = alive[np.argsort(-size[alive], kind="stable")]
    unit = w[:, order] / np.linalg.norm(w[:, order], axis=0)
    free = np.ones(len(order), dtype=bool)
    lines = []
    while free.any():
        head = int(np.argmax(free))
        cosines = unit[:, head] @ unit
        member = free & (np.abs(cosines) > cosine)
        member[head] = True
        share = float(size[order[member]].sum()) / total
        lines.append(Line(unit[:, head], share, int((cosines[member] > 0).sum()), int((cosines[member] < 0).sum())))
        free &= ~member
    return sorted(lines, key=lambda line: -line.share)
