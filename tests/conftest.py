"""What all tests share: templates of decks are kept in a folder of this run, never in the user's own cache."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session", autouse=True)
def _cache_of_this_run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("REFEREE_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield
