"""Everything is measured once, for all tests of figures."""

from __future__ import annotations

import pytest

from tests.evaluation.table import Figures, measured, own_files


@pytest.fixture(scope="session")
def found() -> dict[str, Figures]:
    """The rules' figures of every file of the repository's own rows, as one call of `eval` gives them."""
    return measured(own_files())
