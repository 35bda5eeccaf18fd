"""The landscape's part of the study that is being written: exact counts, and controls that must differ."""

import numpy as np
import pytest

from condensation_lab.measure.landscape import Counts, eigenvalue_counts
from condensation_lab.studies import _embedding_principle as study
from condensation_lab.studies import names


@pytest.fixture(scope="module")
def data():
    return study.run(study.Settings(experiment=("landscape",), starts=12, embeddings=24))


@pytest.mark.parametrize("neuron", [0, 1])
@pytest.mark.parametrize("threshold", [1e-12, 1e-11, 1e-10])
def test_the_hessian_table_of_figure_3a(data, neuron, threshold):
    found = data["split_eigenvalue"].sel(neuron=neuron).values
    counts = [eigenvalue_counts(row[~np.isnan(row)], threshold) for row in found]
    assert counts == [Counts(0, 0, 6), Counts(1, 1, 7), Counts(2, 2, 8)]


def test_no_count_falls_under_an_embedding_but_some_fall_where_neurons_are_drawn(data):
    assert (data["embedded_change"] >= 0).all()
    assert (data["embedded_change"].sel(sign="zero") >= data["neurons_added"]).all()
    assert (data["random_change"] < 0).any()


def test_the_line_is_critical_and_the_one_beside_it_is_not(data):
    assert float(data["line_gradient"].max()) < 1e-13
    assert float(data["line_control_gradient"].min()) > 1e-9


def test_an_escape_goes_below_the_narrow_minimum_and_a_kicked_minimum_stays(data):
    assert (data["escape_loss"] < 0.95).all()
    np.testing.assert_allclose(data["stay_loss"], 1, rtol=1e-6)


def test_a_study_that_is_being_written_is_not_listed():
    assert "_embedding_principle" not in names()
