"""The image is what it should be, as far as reading the Dockerfile and building the wheel can tell."""

from __future__ import annotations

import ast
import configparser
import os
import shutil
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib.metadata import PackageNotFoundError, distribution, version
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from typer.main import get_command

from chatops_bot.app.cli import app
from chatops_bot.app.settings import HttpSettings
from tests.architecture.dockerfile import in_context
from tests.architecture.image import Project, findings
from tests.architecture.sources import ROOT, listed, modules


@pytest.fixture(scope="module")
def project() -> Project:
    return Project.read()


def test_the_image_is_as_it_should_be(project: Project) -> None:
    found = findings(project)
    assert not found, listed(found)


@pytest.mark.parametrize(
    ("was", "becomes", "what"),
    [
        ("python:3.11-slim", "python:latest", "no slim Python"),
        ("python:3.11-slim", "python:3-slim", "no slim Python"),
        ("FROM ${BASE}\nENV", "FROM python:3.11-slim\nENV", "not based on the one base"),
        ("README.md LICENSE", "README.md LICENCE", "LICENCE, which is not there"),
        ("COPY chatops_bot ./chatops_bot", "COPY chatops_bot tests ./", "which .dockerignore keeps from the builder"),
        ("COPY chatops_bot ./chatops_bot", "ADD chatops_bot ./chatops_bot", "uses ADD"),
        ("--from=build", "--from=builder", "which is no stage"),
        ("pip wheel --no-deps", "pip wheel", "no wheel is built"),
        ("-c constraints.txt", "", "the versions of constraints.txt are not asked for"),
        ("--only-binary=:all:", "", "would ask for a compiler"),
        ("python -m compileall -q", "true", "no bytecode"),
        ("speed,", "fast,", "asks for fast"),
        ("RUN groupadd", "RUN apt-get install gcc && groupadd", "uses apt-get in the final stage"),
        ("RUN groupadd", "RUN python -m pip install x && groupadd", "uses pip in the final stage"),
        ("USER 10001:10001", "", "runs as root"),
        ("USER 10001:10001", "USER chatops", "not a number other than 0"),
        ("USER 10001:10001", "USER 0:10001", "not a number other than 0"),
        ("USER 10001:10001", "USER 10001:0", "not a number other than 0"),
        ("USER 10001:10001", "USER 10001:10001\nUSER 0", "not a number other than 0"),
        ("HEALTHCHECK", "# HEALTHCHECK", "has no HEALTHCHECK"),
        ('ENTRYPOINT ["chatops-bot"]', "ENTRYPOINT chatops-bot", "would run in a shell"),
        ('CMD ["run"]', "", "has no CMD"),
        ('version="0.1.0"', 'version="0.0.9"', "image.version is not the version"),
        ("image.title", "image.name", "image.title is not the name"),
    ],
)
def test_a_fault_of_the_dockerfile_is_found(project: Project, was: str, becomes: str, what: str) -> None:
    assert was in project.dockerfile
    found = findings(replace(project, dockerfile=project.dockerfile.replace(was, becomes)))
    assert what in listed(found)


def test_a_file_kept_from_the_builder_is_found(project: Project) -> None:
    for pattern, file in (("**/*.lua", "intake.lua"), ("LICENSE", "LICENSE"), ("chatops_bot/app", "cli.py")):
        found = findings(replace(project, ignore=f"{project.ignore}\n{pattern}\n"))
        assert f"{file}, which .dockerignore keeps" in listed(found)


def test_a_version_that_does_not_fit_is_found(project: Project) -> None:
    for was, becomes in (("hiredis==", "hiredis==2."), ("kubernetes==37", "kubernetes==36"), ("uvicorn==", "uvi==")):
        assert was in project.constraints
        assert findings(replace(project, constraints=project.constraints.replace(was, becomes)))


def test_patterns_of_the_context() -> None:
    files = {"a.py", "b/c.py", "b/d/e.txt", "b/__pycache__/c.pyc", "secret.env"}
    assert in_context(files, "") == files
    assert in_context(files, "*\n!b\n**/__pycache__\n") == {"b/c.py", "b/d/e.txt"}
    assert in_context(files, "# all but texts\n**/*.py\n") == {"b/d/e.txt", "b/__pycache__/c.pyc", "secret.env"}
    assert in_context(files, "*.py\nsecret.*\nb/d") == {"b/c.py", "b/__pycache__/c.pyc"}


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_every_package_of_the_image_has_its_version(project: Project, machine: str) -> None:
    """What is asked for in turn as well: pip would take the newest of anything that is not pinned."""
    place = {"platform_machine": machine, "sys_platform": "linux", "platform_system": "Linux"}
    asked = [Requirement(text) for text in project.about["dependencies"]]
    asked += [Requirement(text) for extra in project.extras for text in project.about["optional-dependencies"][extra]]
    seen: set[str] = set()
    loose: list[str] = []
    while asked:
        one = asked.pop()
        name = canonicalize_name(one.name)
        pinned = project.pinned.get(name)
        fits = pinned is not None and pinned in one.specifier
        if not fits:
            loose.append(str(one))
        if f"{name}{sorted(one.extras)}" in seen or not fits:
            continue
        seen.add(f"{name}{sorted(one.extras)}")
        try:
            further = map(Requirement, distribution(name).requires or ())
        except PackageNotFoundError:  # for another machine than this one
            continue
        asked += [
            wanted
            for wanted in further
            if wanted.marker is None
            or any(wanted.marker.evaluate({**place, "extra": extra}) for extra in one.extras or [""])
        ]
    assert len(seen) > 40
    assert not loose


_FOR_DEVELOPERS = ("dev", "train")
"""Optional parts that the bot itself never imports."""


def test_the_image_has_the_optional_parts_that_the_code_uses_and_no_others(project: Project) -> None:
    imported = {
        name.split(".")[0] for _, text in modules() for node in ast.walk(ast.parse(text)) for name in _imports(node)
    }
    wanted = {
        extra
        for extra, requirements in project.about["optional-dependencies"].items()
        if extra not in _FOR_DEVELOPERS and any(imported & _provided(Requirement(text).name) for text in requirements)
    }
    assert project.extras == wanted


def _imports(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [node.module] if isinstance(node, ast.ImportFrom) and node.module else []


def _provided(package: str) -> set[str]:
    """Names under which a package can be imported."""
    return {file.parts[0].removesuffix(".py") for file in distribution(package).files or ()}


@pytest.fixture(scope="module")
def wheel(project: Project, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of what the build stage has copied, built as it builds it."""
    assert int(version("setuptools").split(".")[0]) >= 77, "run `make install`"
    source = tmp_path_factory.mktemp("source")
    for _, copied in project.copied():
        for file in project.below(copied) & project.context:
            (source / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / file, source / file)
    target = source / "wheels"
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-index", "--no-build-isolation"]
    subprocess.run([*command, "--wheel-dir", str(target), str(source)], check=True, capture_output=True, text=True)
    (built,) = target.glob("chatops_bot-*.whl")
    return built


def test_the_wheel_holds_all_of_the_package_and_nothing_else(project: Project, wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert held == project.below("chatops_bot") | {f"chatops_bot/{name}" for name in project.below("runbooks")}
    assert {Path(name).suffix for name in held} >= {".py", ".lua", ".html", ".js", ".css", ".yaml", ".jsonl", ".typed"}


def test_the_command_is_one_of_the_wheel(project: Project, wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/entry_points.txt"))
        points = configparser.ConfigParser()
        points.read_string(archive.read(name).decode())
    final = project.stages[-1]
    entry, command = final.last("ENTRYPOINT"), final.last("CMD")
    assert entry is not None
    assert command is not None
    assert entry.form == list(points["console_scripts"])
    (word,) = command.form or []
    assert word in getattr(get_command(app), "commands", {})


class Health(BaseHTTPRequestHandler):
    status = 200

    def do_GET(self) -> None:
        self.send_response(self.status if self.path == "/healthz" else 404)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def bot(request: pytest.FixtureRequest) -> Iterator[int]:
    """A port where `/healthz` is answered with the given status."""
    server = HTTPServer(("127.0.0.1", 0), type("Answering", (Health,), {"status": request.param}))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server.server_address[1]
    server.shutdown()
    server.server_close()
    thread.join()


def health_of(project: Project, port: int) -> int:
    """What the health check says of the bot on this port, where a proxy stands in the environment."""
    check = project.stages[-1].last("HEALTHCHECK")
    assert check is not None
    assert check.form is not None
    program, *arguments = check.form
    assert program == "python"
    environment = {**os.environ, "CHATOPS_HTTP__PORT": str(port), "http_proxy": "http://127.0.0.1:1"}
    return subprocess.run([sys.executable, *arguments], env=environment, capture_output=True, check=False).returncode


@pytest.mark.parametrize(("bot", "says"), [(200, 0), (503, 1)], indirect=["bot"])
def test_the_health_check_asks_the_bot(project: Project, bot: int, says: int) -> None:
    assert health_of(project, bot) == says


@pytest.mark.parametrize("bot", [200], indirect=True)
def test_the_health_check_of_a_bot_that_is_gone(project: Project, bot: int) -> None:
    assert health_of(project, bot) == 0
    assert health_of(project, 1) == 1


def test_the_port_is_that_of_the_settings(project: Project) -> None:
    port = str(HttpSettings.model_fields["port"].default)
    final = project.stages[-1]
    exposed, check = final.last("EXPOSE"), final.last("HEALTHCHECK")
    assert exposed is not None
    assert check is not None
    assert exposed.value == port
    assert f"or {port})" in check.value
