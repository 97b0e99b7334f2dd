"""Writes in the background: together, in order, and none is lost."""

from __future__ import annotations

import asyncio
import threading

from platui.service.service_context import BackgroundWriter


async def test_writes_of_one_moment_wait_until_the_event_loop_rests() -> None:
    """A thread that is woken for each of them would wait for the interpreter."""
    writer, done, ended = BackgroundWriter(), list[int](), asyncio.Event()
    loop, threads = asyncio.get_running_loop(), set[threading.Thread]()

    def write(number: int) -> None:
        threads.add(threading.current_thread())
        done.append(number)
        if number == 2:
            loop.call_soon_threadsafe(ended.set)

    for number in range(3):
        writer.write(lambda number=number: write(number))  # type: ignore[misc]
        await asyncio.sleep(0)
        assert done == []
    await asyncio.wait_for(ended.wait(), 5)
    assert done == [0, 1, 2]
    assert len(threads) == 1
    assert threading.current_thread() not in threads
    await writer.close()


async def test_what_waits_is_written_while_another_program_has_the_event_loop() -> None:
    """It is begun before the pager, which may stay open for hours."""
    writer, written = BackgroundWriter(), threading.Event()
    writer.write(written.set)
    writer.begin()
    assert written.wait(5)  # without the event loop
    await writer.close()


async def test_closing_finishes_what_waits() -> None:
    """Also what a failed write is followed by; a closed writer can write again."""
    writer, done = BackgroundWriter(), list[str]()
    writer.write(lambda: done.append("one"))
    writer.write(lambda: 1 / 0)
    writer.write(lambda: done.append("two"))
    await writer.close()
    assert done == ["one", "two"]
    writer.write(lambda: done.append("three"))
    await writer.close()
    assert done == ["one", "two", "three"]
