"""Where operations are sent: answers kept as bytes, transient failures tried again."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import re
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, TypeVar
from urllib.parse import urlencode

from platui.api.downloads import open_artifacts
from platui.api.exchange import Outgoing, etag_of, read_body
from platui.api.log_stream import open_log
from platui.api.operations import KEPT_HEADERS, Answer
from platui.api.quota import server_time
from platui.api.refusals import is_page
from platui.api.retry import decide_retry
from platui.core.errors import (
    OutcomeUnknownError,
    PlatuiError,
    UnreadableAnswerError,
    WriteRefusedError,
)
from platui.models.values.connection import Urgency

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping
    from contextlib import AbstractAsyncContextManager

    import httpx

    from platui.api.downloads import Download
    from platui.api.exchange import Exchange
    from platui.api.log_stream import LogStream
    from platui.api.operations import Operation, Pairs, Write
    from platui.api.storage import Storage
    from platui.api.write_guard import WriteGuard
    from platui.models.values.queries import ProjectRef
    from platui.models.values.writes import Confirmation

T = TypeVar("T")

LONGEST_BODY: Final = 64 * 1024 * 1024
"""Bytes of a JSON answer beyond which something is wrong."""

PATIENCE: Final = 10.0
"""Seconds that a retry may wait inside a call; for longer waits the caller is told."""

DEADLINE: Final = 180.0
"""Seconds for a whole answer on a bad line; its parts have shorter limits of their own."""

_NOT_SENT: Final = "not sent: given up"

_RUNNERS_TOKEN: Final = re.compile(rb'"runners_token"\s*:\s*"(?:[^"\\]|\\.)*"')


class Caller:
    """Sends operations of the project API, and writes through their guard."""

    def __init__(
        self,
        exchange: Exchange,
        guard: WriteGuard,
        *,
        deadline: float = DEADLINE,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self._exchange = exchange
        self._guard = guard
        self._deadline = deadline
        self._jitter = jitter

    @property
    def is_of_job(self) -> bool:
        """Return whether what is asked goes with the token of a running pipeline job."""
        return self._exchange.credential.of_job

    @property
    def is_signed(self) -> bool:
        """Return whether there is an access token: without one nothing is to be read."""
        return self._exchange.credential.given

    async def fetch(
        self,
        operation: Operation[T],
        urgency: Urgency,
        *,
        etag: str | None = None,
        patience: float = PATIENCE,
    ) -> Answer:
        """Return the answer to an operation, not decoded: equal bytes need no second reading.

        Args:
            operation: what to ask.
            urgency: who waits for it.
            etag: of the answer that is kept; the new one may then say "not modified".
            patience: seconds that waiting for another try may take.

        Raises:
            OfflineError: no answer came.
            ApiError: the platform refused or failed.
            UnreadableAnswerError: the answer is a web page, or far too long.
        """

        async def attempt() -> Answer:
            return await self._ask(operation, urgency, etag)

        return await self._tried(attempt, "GET", patience)

    async def get(self, operation: Operation[T], urgency: Urgency) -> T:
        """Return the decoded answer to an operation.

        Raises:
            PlatuiError: as `fetch`, and where the answer cannot be decoded.
        """
        answer = await self.fetch(operation, urgency)
        return operation.decode(answer.body, answer.headers)

    def stream_log(
        self,
        project: ProjectRef,
        job: int,
        urgency: Urgency = Urgency.VISIBLE,
        *,
        start: int = 0,
        etag: str | None = None,
        packed: bool = True,
    ) -> AbstractAsyncContextManager[LogStream]:
        """Open a job's log; not tried again, because its reader knows what it has already."""
        return open_log(
            self._exchange, project, job, urgency, start=start, etag=etag, packed=packed
        )

    def stream_artifacts(
        self, storage: Storage, project: ProjectRef, job: int, *, start: int = 0, mark: str = ""
    ) -> AbstractAsyncContextManager[Download]:
        """Open the archive of a job's artifacts; whoever reads it knows what it has already."""
        return open_artifacts(self._exchange, storage, project, job, start=start, mark=mark)

    async def send(
        self,
        write: Write[T],
        confirmed: Confirmation | None,
        *,
        patience: float = PATIENCE,
        mark: str = "",
    ) -> T:
        """Send a write that the guard lets through, once.

        That it is sent is written down before its first byte leaves, and then how it ended;
        of a write that was given up before there is no word.

        Args:
            write: what to send.
            confirmed: the user's yes to it.
            patience: seconds that waiting for another try may take, where the first one
                surely changed nothing.
            mark: names it in the audit log.

        Raises:
            WriteRefusedError: the guard did not let it through, or it cannot be written down.
            OutcomeUnknownError: it was sent, and nobody knows what became of it.
            PlatuiError: as `fetch`; nothing was written then.
        """
        self._guard.allow(write, confirmed)
        leaving = _Leaving(self._guard, write, confirmed, mark)
        try:
            result = await self._tried(lambda: self._write(write, leaving), write.method, patience)
        except OutcomeUnknownError as error:
            await leaving.conclude(f"unknown: {error.sentence}")
            raise
        except PlatuiError as error:
            await leaving.conclude(f"refused: {error.sentence}")
            raise
        except asyncio.CancelledError:
            leaving.give_up()
            raise
        number = getattr(result, "id", None)
        await leaving.conclude("done" if number is None else f"done: #{number}")
        return result

    def note(self, write: Write[Any], result: str, mark: str) -> None:
        """Write down what an unknown write turned out to be."""
        with contextlib.suppress(OSError):  # it stands there as unknown, which is true
            self._guard.note(write, result, mark)

    async def _tried(self, attempt: Callable[[], Awaitable[T]], method: str, patience: float) -> T:
        tries = 0
        while True:
            try:
                return await attempt()
            except PlatuiError as error:
                tries += 1
                wait = decide_retry(error, tries, method)
                if wait is None or wait > patience:
                    raise
            # A little more, so that clients that failed together do not come back together.
            await self._exchange.clock.sleep(wait * (1.0 + self._jitter() / 4))

    async def _ask(
        self, operation: Operation[object], urgency: Urgency, etag: str | None
    ) -> Answer:
        request = Outgoing(
            operation.target,
            headers={} if etag is None else {"If-None-Match": etag},
            accepts=frozenset() if etag is None else frozenset({int(HTTPStatus.NOT_MODIFIED)}),
            deadline=self._deadline,
        )
        async with self._exchange.open(request, urgency) as response:
            body = await read_body(response, LONGEST_BODY)
            unchanged = response.status_code == HTTPStatus.NOT_MODIFIED
            if not unchanged:
                _refuse_pages(response, body)
            return Answer(
                body=b"" if unchanged else _without_secrets(body),
                headers=_kept(response),
                at=self._exchange.clock.now(),
                etag=etag_of(response) or (etag if unchanged else None),
                not_modified=unchanged,
                said_at=server_time(response.headers),
            )

    async def _write(self, write: Write[T], leaving: Callable[[], Awaitable[None]]) -> T:
        content, headers = _written(write.payload)
        request = Outgoing(
            write.target,
            method=write.method,
            headers=headers,
            content=content,
            signed=write.signed,
            deadline=self._deadline,
            leaving=leaving,
        )
        try:
            async with self._exchange.open(request, Urgency.USER) as response:
                body = await read_body(response, LONGEST_BODY)
                _refuse_pages(response, body)
                return write.decode(body, _kept(response))
        except UnreadableAnswerError as error:
            # Whoever answered so need not be the platform: that it was a success says nothing.
            raise OutcomeUnknownError(error.sentence) from None


class _Leaving:
    """Writes down, once, that a write is sent; and how it ended, if it was.

    A disk may take its time, so that a thread does it; the last word of a task that is
    canceled is the exception, for nobody would wait for that thread.
    """

    def __init__(
        self, guard: WriteGuard, write: Write[Any], confirmed: Confirmation | None, mark: str
    ) -> None:
        self._guard = guard
        self._write = write
        self._confirmed = confirmed
        self._mark = mark
        self._noted = False
        self._left = False

    async def __call__(self) -> None:
        """Note that it is sent.

        Raises:
            WriteRefusedError: it was locked while it waited for its turn, or that it is sent
                cannot be written down; so it must not be.
        """
        self._guard.allow(self._write, self._confirmed)
        if not self._noted:
            await self._note_sent()
        self._left = True

    async def _note_sent(self) -> None:
        noting = asyncio.create_task(self._note("sent"))
        try:
            await asyncio.shield(noting)
        except asyncio.CancelledError:
            await asyncio.wait({noting})  # it stands there soon, and needs an end
            self._noted = noting.exception() is None
            raise
        except OSError as error:
            raise WriteRefusedError(
                f"The audit log cannot be written ({error.strerror}), so nothing was sent.", hint=""
            ) from None
        self._noted = True

    async def _note(self, result: str) -> None:
        await asyncio.to_thread(self._guard.note, self._write, result, self._mark)

    async def conclude(self, result: str) -> None:
        """Note how it ended; that it was sent stands in the audit log already."""
        if self._noted:
            with contextlib.suppress(OSError):  # what became of it matters more to the caller
                await self._note(result)

    def give_up(self) -> None:
        """Note that nobody waits for its end."""
        if self._noted:
            result = "unknown: given up while it was under way" if self._left else _NOT_SENT
            with contextlib.suppress(OSError):
                self._guard.note(self._write, result, self._mark)


def _written(payload: Pairs | Mapping[str, object]) -> tuple[bytes | None, dict[str, str]]:
    """Return a payload's bytes and the header that says what they are; none of nothing."""
    if payload == ():
        return None, {}
    if isinstance(payload, tuple):
        return urlencode(payload).encode(), {"Content-Type": "application/x-www-form-urlencoded"}
    return json.dumps(payload).encode(), {"Content-Type": "application/json"}


def _refuse_pages(response: httpx.Response, body: bytes) -> None:
    if is_page(response.headers.get("content-type", ""), body):
        raise UnreadableAnswerError("The platform's address answered with a web page, not data.")


def _without_secrets(body: bytes) -> bytes:
    """Blank what must not reach the cache: a project's detail holds its runners' token."""
    if b"runners_token" not in body:
        return body
    return _RUNNERS_TOKEN.sub(b'"runners_token":null', body)


def _kept(response: httpx.Response) -> dict[str, str]:
    return {
        name.lower(): value
        for name, value in response.headers.items()
        if name.lower() in KEPT_HEADERS
    }
