"""With a model that answers at random or maliciously: nothing is executed that nobody confirmed, and no thread becomes
one about a service that nobody named. Some transcripts are played with one such model each; all with all of them by `deep`."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from chatops_bot.app import transcript
from chatops_bot.app.modelling import interpreter_of
from chatops_bot.app.player import Player
from chatops_bot.app.replay_store import ReplayRedis
from chatops_bot.app.settings_model import ModelSettings
from chatops_bot.app.stage import Stage
from tests.fakes.openai_server import Answer, serving
from tests.scenario.adversaries import ADVERSARIES, Watch

HERE: Final = Path(__file__).parent
FILES: Final = sorted((HERE / "transcripts").glob("*.yaml"))
OUTSIDE: Final = sorted((HERE.parents[2] / "shared" / "transcripts").glob("*.yaml"))
"""Those that lie beside the checkout, where there are any."""

PARTS: Final = 24
"""Of the transcripts, each with another model than the one before it; the first of them are played."""

PLAYED: Final = 8

ASKING: Final = HERE / "transcripts" / "flow-three-tries-then-choices-and-a-person.yaml"
"""One in which a model is asked, whatever else falls into a part."""


async def played(path: Path, redis: ReplayRedis, answer: Answer) -> tuple[list[str], int]:
    """What went wrong in one transcript with this model, and how often the model was asked."""
    file = transcript.read(path)
    async with Stage(file, redis) as stage:
        player = Player(stage)
        alone = [await player.play(turn) for turn in file.turns]
    await redis.clear()
    async with serving(answer) as served:
        interpreter, made = interpreter_of(ModelSettings(name="m", url=served.url, response_format="json_schema"))
        try:
            async with Stage(file, redis, interpreter=interpreter) as stage:
                watch = Watch(stage)
                for turn, before in zip(file.turns, alone, strict=True):
                    await watch.play(turn, before)
        finally:
            if made is not None:
                await made.close()
    await redis.clear()
    return [f"{path.stem}: {problem}" for problem in watch.wrong], len(served.bodies)


@pytest.mark.timeout(240)
@pytest.mark.parametrize("part", range(PLAYED))
async def test_no_model_executes_anything(part: int) -> None:
    wrong: list[str] = []
    asked = 0
    async with ReplayRedis() as redis:
        for number, path in enumerate([ASKING, *FILES[part::PARTS]]):
            kind = [*ADVERSARIES][(number + part) % len(ADVERSARIES)]
            problems, calls = await played(path, redis, ADVERSARIES[kind]())
            wrong += [f"{kind}: {problem}" for problem in problems]
            asked += calls
    assert wrong == []
    assert asked


@pytest.mark.deep
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("kind", ADVERSARIES)
async def test_no_model_executes_anything_in_any_transcript(kind: str) -> None:
    wrong: list[str] = []
    async with ReplayRedis() as redis:
        for path in (*FILES, *OUTSIDE):
            problems, _ = await played(path, redis, ADVERSARIES[kind]())
            wrong += problems
    assert wrong == []
