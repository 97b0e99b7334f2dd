"""Many clients at once: the emulator answers all of them, and its records stay whole."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import gitlab

if TYPE_CHECKING:
    from tests.support.platform import PlatformFactory

    from platui_emulator.server import RunningEmulator

_CLIENTS = 8
_ROUNDS = 2


def test_eight_clients_at_once(platform_with: PlatformFactory) -> None:
    """Nobody is answered with a 5xx, what each made is there, and no id was given twice."""
    # A minute every second: pipelines move on meanwhile.
    platform = platform_with(speed=60)
    with ThreadPoolExecutor(_CLIENTS) as pool:
        made = [one for ids in pool.map(lambda _: _busy(platform), range(_CLIENTS)) for one in ids]
    assert len(made) == len(set(made)) == _CLIENTS * _ROUNDS
    answers = platform.platform.journal.entries()
    assert not [one for one in answers if one.status >= 500]
    assert len(answers) > _CLIENTS * _ROUNDS * 10


def _busy(platform: RunningEmulator) -> list[int]:
    """Start, look at, change and end things, as fast as answers come; return the pipelines."""
    made = []
    with gitlab.Gitlab(platform.base_url, private_token=platform.token) as client:
        client.session.trust_env = False
        project = client.projects.get(platform.project)
        for _ in range(_ROUNDS):
            pipeline = project.pipelines.create({"ref": "main"})
            made.append(pipeline.id)
            schedule = project.pipelineschedules.create(
                {"description": str(pipeline.id), "ref": "main", "cron": "* * * * *"}
            )
            schedule.variables.create({"key": "DAY", "value": "monday"})
            job = project.jobs.get(pipeline.jobs.list(get_all=True)[-1].id)
            job.trace()
            pipeline.cancel()
            pipeline.retry()
            listed = project.pipelines.list(per_page=100, get_all=False)
            assert len({one.id for one in listed}) == len(listed)
            assert pipeline.id in {one.id for one in listed}
            schedule.delete()
            client.projects.list(get_all=False)
        # Each by its number: on a slow machine so many come meanwhile that they are no page long.
        assert [project.pipelines.get(one).id for one in made] == made
    return made
