"""Clock, randomness and environment are read in `app` and `ports` only; everything else gets them injected."""

import ast
from collections.abc import Iterator

import pytest

from tests.architecture.sources import Finding, listed, modules

INJECTED_FOLDERS = ("domain", "engine", "adapters")
FORBIDDEN_MODULES = frozenset({"time", "random", "secrets"})
FORBIDDEN = {
    *(f"datetime.datetime.{name}" for name in ("now", "utcnow", "today")),
    "datetime.date.today",
    *(
        f"os.{name}"
        for name in ("environ", "environb", "getenv", "getenvb", "putenv", "unsetenv", "urandom", "getrandom")
    ),
    *(f"uuid.{name}" for name in ("uuid1", "uuid4")),
}


def imported_names(tree: ast.AST) -> dict[str, str]:
    """What every imported name stands for: `from time import time as t` gives `t` -> `time.time`."""
    names: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.split(".", 1)[0]
                names[alias.asname or top] = alias.name if alias.asname else top
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                names[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return names


def meaning(node: ast.expr, names: dict[str, str]) -> str | None:
    """The dotted name that `node` reads, imports resolved; None when it does not begin at an imported name."""
    if isinstance(node, ast.Name):
        return names.get(node.id)
    if isinstance(node, ast.Attribute):
        owner = meaning(node.value, names)
        return owner and f"{owner}.{node.attr}"
    return None


def ambient_reads(path: str, text: str) -> Iterator[Finding]:
    """Every mention of a clock, of randomness or of the environment; a mere reference counts like a call."""
    tree = ast.parse(text, filename=path)
    names = imported_names(tree)
    found: dict[tuple[int, int], Finding] = {}  # by position: `random.random` is one read, not also one of `random`
    for node in ast.walk(tree):
        if not isinstance(node, ast.Name | ast.Attribute):
            continue
        read = meaning(node, names)
        if read and (read in FORBIDDEN or read.split(".", 1)[0] in FORBIDDEN_MODULES):
            place = (node.lineno, node.col_offset)
            found.setdefault(place, Finding(path, node.lineno, f"{read} is read here; have it injected"))
    return iter(found.values())


def test_only_app_and_ports_read_clock_randomness_and_environment() -> None:
    findings = [found for path, text in modules(*INJECTED_FOLDERS) for found in ambient_reads(path, text)]
    assert not findings, listed(findings)


@pytest.mark.parametrize(
    "text",
    [
        "import time\ntime.time()",
        "import time as t\nt.monotonic()",
        "from time import sleep\nsleep(1)",
        "from time import monotonic as now\nclock = now",
        "import datetime\ndatetime.datetime.now()",
        "from datetime import datetime as dt, UTC\ndt.now(UTC)",
        "from datetime import date\ndate.today()",
        "import random\nrandom.random()",
        "import random\nrng = random",
        "from random import choice\nchoice([1])",
        "import secrets\nsecrets.token_hex(8)",
        "import os\nos.environ['A']",
        "from os import environ\nenviron.get('A')",
        "import os.path\nos.getenv('A')",
        "import uuid\nuuid.uuid4()",
        "from uuid import uuid4\nfield = dict(default_factory=uuid4)",
        "def f():\n    import time\n    return time.time()",
    ],
)
def test_a_read_is_found(text: str) -> None:
    assert len(list(ambient_reads("bad.py", text))) == 1


@pytest.mark.parametrize(
    "text",
    [
        "from datetime import time\ntime(10, 1)",
        "from datetime import UTC, datetime\ndatetime.fromtimestamp(0, UTC)",
        "import os\nos.path.join('a', 'b')",
        "import uuid\nuuid.UUID(int=0)",
        "def f(time):\n    return time.time()",
        "def f(clock):\n    return clock.now()",
    ],
)
def test_what_reads_nothing_is_left_alone(text: str) -> None:
    assert not list(ambient_reads("good.py", text))
