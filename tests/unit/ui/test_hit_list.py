"""The list above the prompt."""

from __future__ import annotations

from tests.fuzz.bounds import in_time
from textual.app import App

from platui.models.values.routes import Route
from platui.ui.jump import Hit
from platui.ui.widgets.hit_list import HitList
from platui.ui.widgets.prompt import Prompt


async def test_names_of_any_length_are_drawn_in_time() -> None:
    """A key waits for all of them."""
    long = "ä\u0301" * 50_000
    hits = [Hit("project", f"{number}{long}", f"{long}/end", "failed") for number in range(8)]
    app = App[None]()
    async with app.run_test(size=(80, 24)) as pilot:
        shown = HitList(Prompt())
        await app.mount(shown)
        shown.show(hits[:1])
        await pilot.pause()
        with in_time(0.5):
            shown.show(hits)
            lines = [shown.render_line(y).text for y in range(8)]
        assert shown.hit == hits[0]
    assert [line[:14] for line in lines[1:]] == [f"   project   {y}" for y in range(1, 8)]
    assert all("failed" in line for line in lines)


async def test_the_chosen_hit_stays_chosen() -> None:
    """Where it was, and what its status is, may change while the cache is read."""
    one, two = (
        Hit("project", name, status="running", route=Route("pipelines", name)) for name in "ab"
    )
    app = App[None]()
    async with app.run_test(size=(80, 24)):
        shown = HitList(Prompt())
        await app.mount(shown)
        shown.show([one, two])
        assert shown.move(1)
        ended = two._replace(status="failed")
        shown.show([ended, one], keeps_choice=True)
        assert shown.hit == ended
        shown.show([one], keeps_choice=True)
        assert shown.hit == one


async def test_the_best_hits_are_in_sight_in_a_low_terminal() -> None:
    """The list grows upwards from the prompt: the first ones would be above the screen."""
    hits = [Hit("project", f"name {number}") for number in range(8)]
    app = App[None]()
    async with app.run_test(size=(80, 7)) as pilot:
        shown = HitList(Prompt())
        await app.mount(shown)
        shown.show(hits)
        await pilot.pause()
        assert shown.region.y >= 0
        assert shown.hit == hits[0]
        assert list(shown.hits) == hits[:4]
