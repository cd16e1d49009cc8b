"""Puts the runbooks, which lie beside the package, into it when it is built. All else is said in pyproject.toml."""

from __future__ import annotations

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py


class BuildPy(build_py):
    """In a checkout they are read where they lie."""

    def run(self) -> None:
        """Build the package, and copy them."""
        super().run()
        if not self.editable_mode:
            shutil.copytree("runbooks", Path(self.build_lib, "chatops_bot", "runbooks"), dirs_exist_ok=True)


setup(cmdclass={"build_py": BuildPy})
