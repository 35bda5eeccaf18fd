import pytest

from condensation_lab.models.page_network import PageGenerator, page_network, page_scaling


def test_streams_and_seeds_differ():
    drawn = {PageGenerator(seed, stream).integer() for seed in range(50) for stream in (0, 1)}
    assert len(drawn) == 100


def test_the_numbers_are_normal():
    drawn = PageGenerator(7, 0).normal(20_001)
    assert abs(drawn.mean()) < 0.03
    assert abs(drawn.std() - 1) < 0.02
    assert abs((abs(drawn) < 0.6745).mean() - 0.5) < 0.02


def test_uniforms_fill_the_interval():
    generator = PageGenerator(3, 0)
    drawn = [generator.uniform() for _ in range(10_000)]
    assert 0 <= min(drawn) < 0.001
    assert 0.999 < max(drawn) < 1


def test_a_point_of_the_diagram_has_its_exponents():
    scaling = page_scaling(1.25, -0.5, 300)
    assert scaling.kappa == pytest.approx(300**-1.25)
    assert scaling.kappa_prime == pytest.approx(300**0.5)


@pytest.mark.parametrize(("seed", "width", "named"), [(-1, 3, "seed"), (2**32, 3, "seed"), (0, 0, "width")])
def test_a_value_out_of_range_is_named(seed, width, named):
    with pytest.raises(ValueError, match=f"{named} = .* is not allowed"):
        page_network(seed, width, page_scaling(1.0, 0.0, 3))
