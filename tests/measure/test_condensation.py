"""Orientation, amplitude, shares, peak widths and lines."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from condensation_lab.measure.condensation import (
    amplitude,
    condensed_lines,
    orientation,
    orientation_histogram,
    peak_width,
    projection_width,
    share_near,
    uniform_share,
)

RANDOM = np.random.default_rng(0)
A, W = RANDOM.normal(size=200), RANDOM.normal(size=(2, 200))


@given(st.floats(0.1, 10))
def test_rescaling_a_relu_neuron_changes_neither_orientation_nor_amplitude(factor):
    assert orientation(factor * W) == pytest.approx(orientation(W))
    assert amplitude(A / factor, factor * W) == pytest.approx(amplitude(A, W))


def test_a_kink_sits_at_minus_bias_over_weight():
    w = np.array([[2.0], [-1.0]])
    assert -np.tan(orientation(w))[0] == pytest.approx(0.5)


def test_orientation_needs_one_input_and_the_bias():
    with pytest.raises(ValueError, match="needs \\(2, m\\)"):
        orientation(np.ones((3, 4)))


def test_a_share_counts_across_the_cut_at_pi():
    angles, sizes = np.array([np.pi - 0.05, -np.pi + 0.02, 0.0]), np.ones(3)
    assert share_near(angles, sizes, np.array([np.pi]))[0] == pytest.approx(2 / 3)


def test_uniform_angles_have_the_uniform_share():
    angles = np.linspace(-np.pi, np.pi, 100_001)
    assert share_near(angles, np.ones_like(angles), np.array([0.3, 2.0])).sum() == pytest.approx(
        uniform_share(2), rel=1e-3
    )


def test_shares_refuse_amplitudes_that_are_none():
    with pytest.raises(ValueError, match="positive sum"):
        share_near(np.zeros(2), np.zeros(2), np.zeros(1))


def test_a_histogram_sums_to_one_and_ignores_the_order_of_neurons():
    angles, sizes, order = orientation(W), amplitude(A, W), RANDOM.permutation(200)
    found = orientation_histogram(angles, sizes, 30)
    assert found.sum() == pytest.approx(1)
    assert orientation_histogram(angles[order], sizes[order], 30) == pytest.approx(found)


def test_peaks_are_narrow_when_condensed_and_wide_when_uniform():
    uniform = np.linspace(-np.pi, np.pi, 100_000, endpoint=False)
    assert peak_width(uniform, np.ones_like(uniform)) == pytest.approx(np.pi, rel=0.01)
    two = np.concatenate([np.full(50, 0.3), np.full(50, -2.0)])
    assert peak_width(two, np.ones(100), share=0.9) == pytest.approx(2 * 2 * np.pi / 1000)


def test_opposite_neurons_share_a_line_and_splitting_a_neuron_changes_no_share():
    w = np.array([[1.0, -2.0, 0.0], [0.0, 0.0, 1.0]])
    a = np.array([1.0, 1.0, 1.0])
    first, second = condensed_lines(a, w)
    assert (first.share, first.same, first.opposite) == (0.75, 1, 1)
    assert second.share == 0.25
    split = condensed_lines(np.array([1.0, 0.5, 0.5, 1.0]), w[:, [0, 1, 1, 2]])
    assert [line.share for line in split] == pytest.approx([0.75, 0.25])


def test_dead_neurons_are_left_out_and_a_dead_network_refused():
    assert len(condensed_lines(np.array([1.0, 0.0]), np.eye(2))) == 1
    with pytest.raises(ValueError, match="every amplitude is zero"):
        condensed_lines(np.zeros(2), np.eye(2))


def test_projections_are_narrow_when_condensed_and_do_not_see_the_length_of_a_neuron():
    w = np.random.default_rng(1).normal(size=(65, 2000))
    wide = projection_width(w, np.ones(2000))
    assert wide == pytest.approx(2 * 0.6745 / np.sqrt(65), rel=0.1)  # half of a normal distribution's mass
    assert projection_width(3 * w, np.ones(2000)) == wide
    two = np.where(np.arange(2000) % 2, w[:, :1], -w[:, :1])
    assert projection_width(two, np.ones(2000), share=0.9) == pytest.approx(0.02)
