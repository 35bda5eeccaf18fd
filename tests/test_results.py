"""Results carry a birth certificate, survive a round trip, and files that are not whole are refused."""

import json
import re
import subprocess
import sys

import numpy as np
import pydantic
import pytest
import xarray as xr

from condensation_lab import results
from condensation_lab.results import ResultsError, certificate, certify, data_hash, load, load_atlas, save
from condensation_lab.settings import StudySettings

LABELS = {"units": "1", "long_name": "a thing"}


class Settings(StudySettings):
    gamma: float = pydantic.Field(1.0, ge=0, le=4)
    name: str = "it's"
    widths: tuple[int, ...] = (8, 16)


def dataset() -> xr.Dataset:
    random = np.random.default_rng(0)
    data = xr.Dataset(
        {
            "slope": (("gamma", "seed"), random.normal(size=(5, 2)), LABELS),
            "quantised": (("gamma", "seed"), random.uniform(-3, 3, size=(5, 2)), LABELS),
            "diverged": ("gamma", np.array([True, False, False, True, False]), LABELS),
            "reason": ("gamma", np.array(["", "loss is γ", "", "", ""]), {"long_name": "why"}),
            "step": ("gamma", np.arange(5), {"units": "seconds", "long_name": "time that must stay a number"}),
            "scale": ((), 3.5, LABELS),
        },
        coords={"gamma": ("gamma", np.linspace(0, 1, 5), LABELS), "seed": ("seed", [3, 7], LABELS)},
    )
    data["slope"][1, 1] = data["quantised"][2, 0] = np.nan
    data["quantised"].encoding = {"dtype": "uint8", "scale_factor": 6 / 254, "add_offset": -3.0, "_FillValue": 255}
    return data


@pytest.fixture
def certified() -> xr.Dataset:
    return certify(dataset(), study="two-layers", settings=Settings(gamma=2), seconds=1.25)


def test_the_certificate_says_who_made_the_data_and_how(certified):
    made = certificate(certified)
    assert (made.study, made.preset, made.seconds, made.source) == ("two-layers", "your settings", 1.25, "this build")
    assert json.loads(made.settings) == {"gamma": 2.0, "name": "it's", "widths": [8, 16]}
    assert json.loads(made.seeds) == [3, 7]
    assert json.loads(made.versions).keys() == {"python", "numpy", "torch", "numba", "xarray", "condensation_lab"}
    assert json.loads(made.versions)["numpy"] == np.__version__
    assert made.date.endswith("+00:00")
    assert all(isinstance(value, str | float) for value in certified.attrs.values())


def test_the_certificate_names_the_command_that_makes_the_data_again(certified):
    assert certificate(certified).command == (
        "condensation-lab run two-layers -p gamma 2.0 -p name 'it'\"'\"'s' -p widths '[8, 16]'"
    )
    assert certificate(certified.assign_attrs(preset="quick")).command == "condensation-lab book --only two-layers"
    assert certificate(certified.assign_attrs(preset="paper")).command == "condensation-lab atlas two-layers"


def test_the_certificate_shows_as_a_table_and_escapes_what_it_shows(certified):
    made = certificate(certified.assign_attrs(machine="<b>fast</b>"))
    assert "&lt;b&gt;fast" in made._repr_html_()
    assert made._repr_html_().count('<th scope="row">') == len(repr(made).splitlines()) == 12


@pytest.mark.parametrize("label", ["units", "long_name"])
@pytest.mark.parametrize("name", ["slope", "gamma", "diverged"])
def test_a_variable_without_units_or_long_name_is_refused(name, label):
    data = dataset()
    del data[name].attrs[label]
    with pytest.raises(ResultsError, match=f"'{name}' lacks its {label}"):
        certify(data, study="x", settings=Settings(), seconds=0)


def test_a_round_trip_keeps_values_labels_certificate_and_quantisation(certified, tmp_path):
    path = save(certified, tmp_path / "a.nc")
    loaded = load(path)
    xr.testing.assert_allclose(loaded.drop_vars("quantised"), certified.drop_vars("quantised"), rtol=0, atol=0)
    assert np.nanmax(abs(loaded["quantised"] - certified["quantised"])) <= 3 / 254 * 1.001
    assert np.isnan(loaded["quantised"][2, 0])
    assert loaded["quantised"].encoding["dtype"] == np.uint8
    assert loaded["step"].dtype == np.int64
    assert loaded["slope"].attrs == certified["slope"].attrs
    assert certificate(loaded) == certificate(certified)
    again = load(save(loaded, tmp_path / "b.nc"))
    xr.testing.assert_identical(again, loaded)


def test_the_hash_changes_with_any_value_name_or_shape():
    data = dataset()
    changed = data.copy(deep=True)
    changed["slope"][0, 0] += 1e-15
    hashes = [data, changed, data.rename(slope="slopes"), data.isel(seed=[0]), data.assign(reason=data["reason"] + "x")]
    assert len({data_hash(each) for each in hashes}) == len(hashes)
    assert data_hash(dataset()) == data_hash(data)


@pytest.mark.parametrize("broken", ["out of range", "no fill value"])
def test_values_that_do_not_fit_their_integers_are_refused(broken):
    data = dataset()
    if broken == "out of range":
        data["quantised"][0, 0] = 99.0
    else:
        del data["quantised"].encoding["_FillValue"]
    with pytest.raises(ResultsError, match="'quantised' do not fit the integers"):
        certify(data, study="x", settings=Settings(), seconds=0)


def test_truncated_foreign_and_uncertified_files_are_refused_with_a_reason(certified, tmp_path):
    whole = save(certified, tmp_path / "whole.nc").read_bytes()
    for name, content in {
        "half": whole[: len(whole) // 2],
        "empty": b"",
        "text": b"hello" * 500,
        "cut": whole[:-1],
    }.items():
        (tmp_path / name).write_bytes(content)
        with pytest.raises(ResultsError, match=f"'{name}' is truncated or no netCDF file: "):
            load(tmp_path / name)
    dataset().to_netcdf(tmp_path / "foreign.nc", engine="h5netcdf")
    with pytest.raises(ResultsError, match=r"'foreign.nc' is not a result of this library.* it lacks study, settings"):
        load(tmp_path / "foreign.nc")
    with pytest.raises(ResultsError, match="There is no results file"):
        load(tmp_path / "missing.nc")


def test_a_file_whose_data_were_changed_is_refused(certified, tmp_path):
    certified["slope"][0, 0] = 0.0  # and the certificate still tells of the old value
    encoding = {"quantised": certified["quantised"].encoding}
    certified.to_netcdf(tmp_path / "changed.nc", engine="h5netcdf", encoding=encoding)
    with pytest.raises(ResultsError, match=r"'changed.nc' are not those that were saved"):
        load(tmp_path / "changed.nc")


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # h5netcdf's, on closing a broken file
def test_a_flipped_byte_is_refused_or_changes_nothing(certified, tmp_path):
    whole = save(certified, tmp_path / "whole.nc").read_bytes()
    positions = np.random.default_rng(1).integers(0, len(whole), 40)
    refused = 0
    for position in positions:
        content = bytearray(whole)
        content[position] ^= 0xFF
        (tmp_path / "flipped.nc").write_bytes(content)
        try:
            assert data_hash(load(tmp_path / "flipped.nc")) == certified.attrs["data_hash"]
        except ResultsError:
            refused += 1
    assert refused > 0


def test_only_certified_data_are_saved_and_only_where_a_folder_is(certified, tmp_path):
    with pytest.raises(ResultsError, match="no complete birth certificate: it lacks study"):
        save(dataset(), tmp_path / "a.nc")
    with pytest.raises(ResultsError, match="does not exist"):
        save(certified, tmp_path / "nowhere" / "a.nc")


def test_a_save_that_fails_leaves_the_old_file_and_no_scratch(certified, tmp_path, monkeypatch):
    path = save(certified, tmp_path / "a.nc")
    before = path.read_bytes()

    def fail(self, target, **_):
        target.write_bytes(b"half of it")
        raise OSError("disk full")

    monkeypatch.setattr(xr.Dataset, "to_netcdf", fail)
    with pytest.raises(OSError, match="disk full"):
        save(certified, path)
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["a.nc"]


def test_whoever_reads_the_old_file_during_a_save_reads_it_whole(certified, tmp_path):
    path = save(certified, tmp_path / "a.nc")
    before = path.read_bytes()
    with path.open("rb") as reader:
        save(certified.assign_attrs(seconds=9.0), path)
        assert reader.read() == before
    assert load(path).attrs["seconds"] == 9.0


def test_an_atlas_is_loaded_by_name_and_says_that_it_is_one(certified, tmp_path, monkeypatch):
    (tmp_path / "atlases").mkdir()
    save(certified, tmp_path / "atlases" / "two_layers.nc")
    monkeypatch.setattr(results.importlib.resources, "files", lambda package: tmp_path)
    assert load_atlas("two-layers").attrs["source"] == "atlas"
    with pytest.raises(ResultsError, match="The study 'three' has no atlas"):
        load_atlas("three")


def test_the_source_hash_minds_code_and_javascript_but_not_comments_and_docstrings(tmp_path, monkeypatch):
    monkeypatch.setattr(results, "PACKAGE", tmp_path)
    code, script = tmp_path / "a.py", tmp_path / "a.js"
    hashes = []
    for source, js in [
        ('"""Doc."""\ndef f(x):\n    """Doc."""\n    return x + 1\n', "let a"),
        ('"""New."""\ndef f(x):  # why\n\n    """New."""\n    return x+1\n', "let a"),
        ("def f(x):\n    return x + 2\n", "let a"),
        ("def f(x):\n    return x + 2\n", "let b"),
    ]:
        code.write_text(source)
        script.write_text(js)
        hashes.append(results.source_hash())
    assert hashes[0] == hashes[1]
    assert len(set(hashes)) == 3


@pytest.mark.parametrize(
    ("state", "expected"), [("clean", r"[0-9a-f]{7,}"), ("changed", r"[0-9a-f]{7,}-dirty"), ("untracked", "unknown")]
)
def test_the_commit_is_that_of_the_package_with_dirty_where_files_differ(state, expected, tmp_path, monkeypatch):
    def git(*arguments):
        who = ["-c", "user.name=a", "-c", "user.email=a@b"]
        subprocess.run(["git", *who, *arguments], cwd=tmp_path, check=True, capture_output=True)

    package = tmp_path / "src"
    package.mkdir()
    (package / "a.py").write_text("a = 1")
    (tmp_path / "other.txt").write_text("x")
    git("init", "-q")
    git("add", "other.txt", *([] if state == "untracked" else ["src/a.py"]))
    git("commit", "-qm", "first")
    if state == "changed":
        (package / "a.py").write_text("a = 2")
    monkeypatch.setattr(results, "PACKAGE", package)
    assert re.fullmatch(expected, results.git_commit())


def test_without_git_the_commit_is_unknown(tmp_path, monkeypatch):
    monkeypatch.setattr(results, "PACKAGE", tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert results.git_commit() == "unknown"


def test_versions_are_read_without_importing_what_they_are_of():
    code = "import sys; from condensation_lab import results; print(results._version('torch'), 'torch' in sys.modules)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert said[0][0].isdigit()
    assert said[1] == "False"
