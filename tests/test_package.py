"""The wheel, installed where there is nothing else, does its work with the runtime dependencies alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
import venv
import zipfile
from pathlib import Path
from typing import NamedTuple

import pytest

from whypending import __version__, rbac, schema
from whypending.cli.app import COMMANDS
from whypending.cli.demo import HOME, scenarios

ROOT = Path(__file__).parents[1]
CONSTRAINTS = ROOT / "constraints.txt"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
IMPORT_ALL = """
import importlib, pkgutil, whypending
for module in pkgutil.walk_packages(whypending.__path__, "whypending."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
        print(module.name)
"""


class Installed(NamedTuple):
    """A virtual environment with the wheel in it, and an empty folder to work in."""

    programs: Path
    folder: Path

    def run(self, program: str, *arguments: str) -> str:
        """What it prints; it has to end well, as a user's shell starts it."""
        env = {"PATH": f"{self.programs}{os.pathsep}{os.environ['PATH']}", "HOME": str(self.folder)}
        done = subprocess.run(
            [str(self.programs / program), *arguments],
            cwd=self.folder, env=env, capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
        assert (done.returncode, done.stderr.count("Traceback")) == (0, 0), done.stderr
        return done.stdout


def pip(*arguments: str | Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pip", *map(str, arguments)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    pip("wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, ROOT)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder / "venv", with_pip=False)
    programs = folder / "venv" / ("Scripts" if sys.platform == "win32" else "bin")
    pip("--python", programs / "python", "install", "--quiet", "--constraint", CONSTRAINTS, wheel)
    (folder / "empty").mkdir()
    return Installed(programs, folder / "empty")


def test_the_wheel_holds_the_package_and_nothing_else(wheel: Path) -> None:
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    package = (path for path in (ROOT / "whypending").rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    assert names == {path.relative_to(ROOT).as_posix() for path in package}


def test_the_wheel_holds_the_data(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    data = {"whypending/schema/v1.json", "whypending/rbac/clusterrole.yaml", "whypending/rbac/role.yaml"}
    demos = {f"whypending/demo/{found.name}/scenario.json" for found in scenarios(HOME)}
    assert demos
    assert data | demos <= names
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)


@pytest.mark.parametrize("program", ["whypending", "kubectl-whypending"])
def test_help(installed: Installed, program: str) -> None:
    shown = installed.run(program, "--help")
    assert shown.startswith(f"Usage: {program.replace('kubectl-', 'kubectl ')} ")
    assert [name for name in COMMANDS if f"\n  {name} " not in shown] == []


def test_version(installed: Installed) -> None:
    assert installed.run("whypending", "--version") == f"whypending {__version__}\n"


@pytest.mark.parametrize("name", [found.name for found in scenarios(HOME)])
def test_demo(installed: Installed, name: str) -> None:
    report = json.loads(installed.run("whypending", "demo", name, "-o", "json"))
    assert report["findings"][0]["name"] in installed.run("whypending", "demo", name).splitlines()[0]


def test_pages_and_data(installed: Installed) -> None:
    assert installed.run("whypending", "explain", "WP101").startswith("WP101 scheduler-name-unknown ")
    assert installed.run("whypending", "schema") == schema.text()
    assert installed.run("whypending", "rights") == rbac.cluster_role()
    assert installed.run("whypending", "rights", "-n", "shop") == rbac.role("shop")


def test_every_module_needs_runtime_dependencies_alone(installed: Installed) -> None:
    assert "whypending.sources.live.source" in installed.run("python", "-c", IMPORT_ALL).split()


def test_nothing_is_left_where_it_ran(installed: Installed) -> None:
    installed.run("whypending", "demo")
    assert list(installed.folder.iterdir()) == []


def test_constraints_pin_and_name_no_index() -> None:
    lines = [line for line in CONSTRAINTS.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    assert [line for line in lines if line.count("==") != 1 or "/" in line or "@" in line or " " in line] == []
    pinned = {line.partition("==")[0].lower().replace("_", "-") for line in lines}
    named = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["test"]]
    wanted = {requirement.partition(";")[0].partition(">=")[0].strip().lower() for requirement in named}
    assert wanted <= pinned
