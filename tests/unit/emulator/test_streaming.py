"""An answer that is made while it is sent: who waits for whom, and when it ends."""

from __future__ import annotations

import asyncio
import zlib
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

from platui_emulator.http.streaming import StreamedAnswer

if TYPE_CHECKING:
    from collections.abc import Iterator

PIECE = b"0123456789abcdef" * 64


@dataclass
class Text:
    """A text of many pieces that knows how many were made, and whether it was let go of."""

    pieces_left: int | None
    size: int | None = None
    identity: str = "text"
    made: int = 0
    closed: bool = False

    def pieces(self, start: int = 0, end: int | None = None) -> Iterator[bytes]:
        """Yield the pieces, without end where none is set."""
        assert (start, end) == (0, None)
        try:
            for number in count():
                if number == self.pieces_left:
                    return
                self.made += 1
                yield PIECE
        finally:
            self.closed = True


@dataclass
class Client:
    """The other side of an ASGI application; it leaves after some messages, if at all."""

    leaves_after: int | None = None
    messages: list[Any] = field(default_factory=list)
    began: asyncio.Event = field(default_factory=asyncio.Event)
    left: asyncio.Event = field(default_factory=asyncio.Event)

    async def receive(self) -> dict[str, Any]:
        """Say that the request is over, once the client has left."""
        await self.left.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        """Take a message without ever waiting: a client that is faster than we are."""
        self.messages.append(message)
        if message.get("body"):
            self.began.set()
        if len(self.messages) == self.leaves_after:
            self.left.set()

    async def get(self, answer: StreamedAnswer, method: str = "GET") -> bytes:
        """Let an answer come, and return its body."""
        await answer({"type": "http", "method": method}, self.receive, self.send)
        return b"".join(message.get("body", b"") for message in self.messages)


def _answer(text: Text) -> StreamedAnswer:
    return StreamedAnswer(text, media_type="text/plain")


@pytest.mark.parametrize("packed", [False, True])
async def test_nothing_more_is_made_for_who_has_left(packed: bool) -> None:  # noqa: FBT001  (a case)
    """A text without end, and a client that takes ten messages of it."""
    text, client = Text(None), Client(leaves_after=10)
    answer = _answer(text)
    if packed:
        answer.pack()
    await client.get(answer)
    assert text.made <= 12
    assert text.closed


async def test_a_cancelled_answer_lets_go_of_its_text() -> None:
    """The server ends while the answer is under way."""
    text, client = Text(None), Client()
    task = asyncio.ensure_future(client.get(_answer(text)))
    await client.began.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert text.closed


async def test_others_get_a_turn_after_each_piece() -> None:
    """Even where the client takes everything at once."""
    text, turns = Text(200), 0

    async def other() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    task = asyncio.ensure_future(other())
    assert await Client().get(_answer(text)) == PIECE * 200
    task.cancel()
    assert turns >= text.made


async def test_nothing_is_made_for_head() -> None:
    """The headers alone, the length among them where it is known."""
    text, client = Text(5, size=5 * len(PIECE)), Client()
    assert await client.get(_answer(text), "HEAD") == b""
    assert text.made == 0
    assert (b"content-length", str(text.size).encode()) in client.messages[0]["headers"]


async def test_what_is_packed_on_the_way_has_no_length() -> None:
    """Unpacked it is the text."""
    client = Client()
    answer = _answer(Text(300, size=300 * len(PIECE)))
    answer.pack()
    sent = await client.get(answer)
    assert zlib.decompress(sent, wbits=zlib.MAX_WBITS | 16) == PIECE * 300
    assert "content-length" not in answer.headers
    assert client.messages[-1]["more_body"] is False
