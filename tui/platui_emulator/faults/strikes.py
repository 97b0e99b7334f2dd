"""What each kind of fault does to a request and its answer, between client and server."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from email.utils import formatdate, parsedate_to_datetime
from functools import partial
from typing import TYPE_CHECKING, Final

from platui_emulator.faults import answers
from platui_emulator.faults.wire import Answer, Ask, Call, ConnectionDropped, ConnectionEnd, read

if TYPE_CHECKING:
    from random import Random

    from platui.core.clock import Clock
    from platui_emulator.faults.fault import Fault

_PIECES: Final = 10


@dataclass(frozen=True, slots=True)
class Strike:
    """One fault that strikes one request."""

    fault: Fault
    ask: Ask
    clock: Clock
    dice: Random

    @property
    def now(self) -> float:
        return self.clock.now().timestamp()


def struck(faults: Sequence[Fault], ask: Ask, clock: Clock, dice: Random) -> Ask:
    """Return what asks through all the faults, the first one nearest to the client."""
    for fault in reversed(faults):
        ask = partial(STRIKES[fault.kind], Strike(fault, ask, clock, dice))
    return ask


async def _latency(strike: Strike, call: Call) -> Answer:
    fault = strike.fault
    await strike.clock.sleep(
        fault.number("seconds") + strike.dice.random() * fault.number("jitter")
    )
    return await strike.ask(call)


async def _bandwidth(strike: Strike, call: Call) -> Answer:
    rate = strike.fault.number("rate")
    size = max(1, int(rate / _PIECES))
    if strike.fault.settings["direction"] == "both":
        call = replace(call, body=_slowly(strike.clock, call.body, size, size / rate))
    answer = await strike.ask(call)
    return replace(answer, body=_slowly(strike.clock, answer.body, size, size / rate))


async def _slow_body(strike: Strike, call: Call) -> Answer:
    answer = await strike.ask(_with_body(call))
    pause = strike.fault.number("seconds")
    return replace(answer, body=_slowly(strike.clock, answer.body, 1, pause))


async def _quota(strike: Strike, call: Call) -> Answer:
    del call
    return answers.quota(strike.fault, strike.now)


async def _limiter(strike: Strike, call: Call) -> Answer:
    del call
    return answers.limiter(strike.now)


async def _server_error(strike: Strike, call: Call) -> Answer:
    del call
    return answers.server_error(strike.fault, strike.now)


async def _html(strike: Strike, call: Call) -> Answer:
    del call
    return answers.page(strike.fault, strike.now)


async def _unauthorized(strike: Strike, call: Call) -> Answer:
    del call
    return answers.unauthorized(strike.fault.kind, strike.now)


async def _garbage(strike: Strike, call: Call) -> Answer:
    del call
    return answers.garbage(strike.fault, strike.now)


async def _reset_before(strike: Strike, call: Call) -> Answer:
    # The platform has heard the request: whether it did what was asked nobody will know.
    await read((await strike.ask(call)).body)
    raise ConnectionDropped(reset=True)


async def _reset_during(strike: Strike, call: Call) -> Answer:
    answer = await strike.ask(_with_body(call))
    body = _cut(answer.body, strike.fault.whole("bytes"))
    return replace(answer, body=body, whole=False, then=ConnectionEnd.RESET)


async def _reset_after(strike: Strike, call: Call) -> Answer:
    return replace(await strike.ask(call), then=ConnectionEnd.RESET)


async def _truncated(strike: Strike, call: Call) -> Answer:
    answer = await strike.ask(_with_body(call))
    body = _cut(answer.body, strike.fault.whole("bytes"))
    return replace(answer, body=body, whole=False, then=ConnectionEnd.CLOSE)


async def _hang(strike: Strike, call: Call) -> Answer:
    del call
    await strike.clock.sleep(strike.fault.number("seconds"))
    raise ConnectionDropped(reset=False)


async def _wrong_length(strike: Strike, call: Call) -> Answer:
    answer = await strike.ask(_with_body(call).without(b"accept-encoding"))
    body, by = await read(answer.body), strike.fault.whole("by")
    said = max(0, len(body) + by)
    wrong = answer.with_body(body[:said]).with_headers(content_length=str(said))
    if said > len(body):
        silent = strike.fault.number("seconds")
        return replace(wrong, whole=False, silent=silent, then=ConnectionEnd.CLOSE)
    return replace(wrong, excess=body[said:])


async def _clock_skew(strike: Strike, call: Call) -> Answer:
    answer = await strike.ask(call)
    by = strike.fault.whole("seconds")
    reset = answer.header(b"ratelimit-reset")
    return answer.with_headers(
        date=_shifted(answer.header(b"date"), by),
        ratelimit_resettime=_shifted(answer.header(b"ratelimit-resettime"), by),
        ratelimit_reset=None if reset is None else str(max(0, int(reset) + by)),
    )


async def _endless(strike: Strike, call: Call) -> Answer:
    return await answers.endless(call, strike.ask, strike.fault.whole("pages"))


async def _shifting(strike: Strike, call: Call) -> Answer:
    return await answers.shifting(call, strike.ask, strike.fault.whole("rows"))


STRIKES: Final[Mapping[str, Callable[[Strike, Call], Awaitable[Answer]]]] = {
    "latency": _latency,
    "bandwidth": _bandwidth,
    "quota": _quota,
    "limiter": _limiter,
    "server_error": _server_error,
    "html": _html,
    "reset_before": _reset_before,
    "reset_during": _reset_during,
    "reset_after": _reset_after,
    "truncated": _truncated,
    "hang": _hang,
    "expired": _unauthorized,
    "revoked": _unauthorized,
    "clock_skew": _clock_skew,
    "endless": _endless,
    "shifting": _shifting,
    "garbage": _garbage,
    "slow_body": _slow_body,
    "wrong_length": _wrong_length,
}


def _with_body(call: Call) -> Call:
    """Return the request for an answer that has a body to spoil: not a 304."""
    return call.without(b"if-none-match")


async def _slowly(
    clock: Clock, body: AsyncIterable[bytes], size: int, pause: float
) -> AsyncIterator[bytes]:
    async for chunk in body:
        for start in range(0, len(chunk), size):
            await clock.sleep(pause)
            yield chunk[start : start + size]


async def _cut(body: AsyncIterable[bytes], most: int) -> AsyncIterator[bytes]:
    """Yield the beginning of a body, which is never all of it."""
    held = bytearray()
    async for chunk in body:
        held += chunk
        if len(held) > most:
            yield bytes(held[:most])
            return
    yield bytes(held[:-1])


def _shifted(moment: str | None, by: int) -> str | None:
    if moment is None:
        return None
    return formatdate(parsedate_to_datetime(moment).timestamp() + by, usegmt=True)
