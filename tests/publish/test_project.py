"""Where the book's sources and builds are, and the addresses that stand in its configuration only."""

from pathlib import Path

import pytest
import yaml

from condensation_lab.publish.project import Project, PublishError, launch_url


@pytest.fixture
def project(tmp_path):
    toc = {
        "format": "jb-book",
        "root": "book/intro",
        "parts": [
            {"caption": "A", "chapters": [{"file": "notebooks/first-study", "sections": [{"file": "book/more"}]}]}
        ],
    }
    config = {
        "repository": {"url": "https://github.com/someone/fork/", "branch": "trunk"},
        "launch_buttons": {"binderhub_url": "https://binder.example", "colab_url": "https://colab.example"},
    }
    (tmp_path / "_toc.yml").write_text(yaml.safe_dump(toc))
    (tmp_path / "_config.yml").write_text(yaml.safe_dump(config))
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "notebooks" / "first-study.ipynb").write_text("{}")
    return Project(tmp_path)


def test_found_from_a_file_deep_inside(project):
    assert Project.find(project.root / "notebooks" / "first-study.ipynb").root == project.root.resolve()


def test_outside_of_a_project_it_says_what_is_missing(tmp_path):
    with pytest.raises(PublishError, match="No _toc"):
        Project.find(tmp_path)


def test_pages_are_those_of_the_table_of_contents_in_order(project):
    assert project.documents() == ["book/intro", "notebooks/first-study", "book/more"]


def test_a_notebook_is_named_with_hyphens_or_underscores(project):
    notebook = project.root / "notebooks" / "first-study.ipynb"
    assert project.notebooks() == project.notebooks("first_study") == project.notebooks("first-study") == [notebook]


def test_an_unknown_notebook_is_refused_with_those_there_are(project):
    with pytest.raises(PublishError, match=r"no notebook 'second' in _toc.yml; there are: first-study"):
        project.notebooks("second")


def test_launch_addresses_follow_the_configured_repository(project):
    path = "notebooks/first-study.ipynb"
    assert (
        launch_url(project, "first-study") == f"https://binder.example/v2/gh/someone/fork/trunk?urlpath=lab/tree/{path}"
    )
    assert launch_url(project, "first-study", "colab") == f"https://colab.example/github/someone/fork/blob/trunk/{path}"


def test_the_repositorys_address_stands_in_the_configuration_only():
    project = Project(Path(__file__).parents[2])
    address = project.config["repository"]["url"].removeprefix("https://")
    own = [*project.root.glob("book/*.md"), *project.root.glob("book/_ext/*.py"), *project.root.glob("src/**/*.py")]
    assert len(own) > 10
    assert [path for path in own if address in path.read_text("utf-8")] == []
