"""A running emulator: an HTTP server in a thread."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import socket
import threading
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, Final

import uvicorn

from platui.core.clock import Clock, SystemClock
from platui.core.errors import PlatuiError
from platui_emulator.faults.fault import FaultError
from platui_emulator.faults.relay import Relay
from platui_emulator.http.app import create_app
from platui_emulator.http.platform import Platform, open_platform
from platui_emulator.http.variants import Layers, SpecOnly
from platui_emulator.scenarios import LIMITS, SCENARIOS, Sizes

DEFAULT_SEED: Final = 7
DEFAULT_RATE_LIMIT: Final = 600  # spec §8
FASTEST: Final = 100_000
"""More than a day a second, and the calendar would end within the hour."""

_KEEP_ALIVE: Final = 600
_LAST_ANSWERS_WITHIN: Final = 1


class EmulatorStartError(PlatuiError):
    """Raised when the emulator cannot start with these options or on this port."""

    title = "Emulator"


class _Server(uvicorn.Server):
    """A uvicorn server that sleeps while idle, instead of waking up ten times a second."""

    def __init__(self, config: uvicorn.Config, relay: Relay) -> None:
        super().__init__(config)
        self._relay = relay
        self.ready = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._leaving: asyncio.Event | None = None

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        try:
            super().run(sockets)
        finally:
            self.ready.set()

    async def main_loop(self) -> None:
        self._loop, self._leaving = asyncio.get_running_loop(), asyncio.Event()
        opened = asyncio.Event()
        relay = asyncio.create_task(self._relay.run(opened))
        relay.add_done_callback(lambda _: opened.set())
        await opened.wait()
        self.started = not relay.done()
        if self.started:
            self.ready.set()
            await self._leaving.wait()
        relay.cancel()
        await asyncio.wait({relay})

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let the last answers come to their end, then cut off those that are too long for it."""
        for server in self.servers:
            server.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()
        if self.server_state.tasks:
            await asyncio.wait(self.server_state.tasks, timeout=_LAST_ANSWERS_WITHIN)
        for connection in list(self.server_state.connections):
            # Not a cancelled task, which would be told as a crash, and its client left to wait.
            connection.transport.abort()
        await super().shutdown(sockets)

    def leave(self) -> None:
        """Stop the server from another thread."""
        if self._loop is not None and self._leaving is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._leaving.set)


@dataclass(frozen=True)
class RunningEmulator:
    """A running emulator, and what one needs to talk to it."""

    base_url: str
    """The root: the project API lies at `/api/v4` below it."""
    admin_url: str
    faults_url: str
    """The root of the relay, where faults strike; both APIs lie below it as below `base_url`."""
    token: str
    trigger_token: str
    admin_key: str
    project: str
    """The path of a project with a failed pipeline."""
    platform: Platform
    _server: _Server
    _thread: threading.Thread

    def announcement(self) -> dict[str, str]:
        """Return what a program that starts the emulator has to know."""
        return {
            "base_url": self.base_url,
            "admin_url": self.admin_url,
            "faults_url": self.faults_url,
            "token": self.token,
            "trigger_token": self.trigger_token,
            "admin_key": self.admin_key,
            "project": self.project,
        }

    def stop(self) -> None:
        """End the emulator; its port is free afterwards. A second call does nothing."""
        self._server.leave()
        self._thread.join()


def start_emulator(  # noqa: PLR0913  (options, by name)
    host: str = "127.0.0.1",
    port: int = 0,
    *,
    scenario: str = "default",
    sizes: Sizes | None = None,
    seed: int = DEFAULT_SEED,
    rate_limit: int = DEFAULT_RATE_LIMIT,
    speed: float = 1.0,
    clock: Clock | None = None,
    spec_only: bool = False,
    faults_port: int = 0,
    faults: Sequence[Mapping[str, Any]] = (),
) -> RunningEmulator:
    """Start an emulator and return when it answers. Raises EmulatorStartError: options or port."""
    sizes = sizes or Sizes()
    _check(scenario, rate_limit, speed, sizes)
    chosen = SCENARIOS[scenario]
    platform = open_platform(
        chosen.world(seed, sizes),
        clock or SystemClock(),
        seed=seed,
        rate_limit=rate_limit,
        speed=speed,
        variant=Layers(SpecOnly(), chosen.variant()) if spec_only else chosen.variant(),
    )
    _set_faults(platform, faults)
    with ExitStack() as opened:
        listener = opened.enter_context(_listener(host, port))
        depot = opened.enter_context(_listener(host, 0))
        plug = opened.enter_context(_bound(host, faults_port))
        opened.pop_all()
    platform.storage.port = depot.getsockname()[1]
    relay = Relay(platform.faults, platform.time, plug, _reached_at(host, listener))
    faults_url = _base_url(host, plug)
    server = _server(platform, relay)
    thread = threading.Thread(
        target=server.run, args=([listener, depot],), name="platui-emulator", daemon=True
    )
    thread.start()
    server.ready.wait()
    if not server.started:
        listener.close()
        depot.close()
        raise EmulatorStartError("The emulator's server ended before it began.")
    return _handle(platform, server, thread, _base_url(host, listener), faults_url)


def is_loopback(host: str) -> bool:
    """Return whether a host name or address is reachable from this machine only."""
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except OSError:
        return False
    return all(ipaddress.ip_address(str(entry[4][0])).is_loopback for entry in found)


def _check(scenario: str, rate_limit: int, speed: float, sizes: Sizes) -> None:
    if scenario not in SCENARIOS:
        known = ", ".join(SCENARIOS)
        raise EmulatorStartError(f"There is no scenario {scenario!r}; there is: {known}.")
    if rate_limit < 1:
        raise EmulatorStartError("The rate limit is a number of requests from 1 up.")
    if not 0 <= speed <= FASTEST:  # false for what is not a number, too
        raise EmulatorStartError(f"The speed is a number from 0 to {FASTEST:,}; 1 is real time.")
    for name, (least, most) in LIMITS.items():
        if not least <= getattr(sizes, name) <= most:
            what = name.replace("_", "-")
            raise EmulatorStartError(f"The {what} are from {least:,} to {most:,}.")


def _set_faults(platform: Platform, faults: Sequence[Mapping[str, Any]]) -> None:
    for wish in faults:
        try:
            platform.faults.put(wish)
        except FaultError as error:
            raise EmulatorStartError(f"Fault: {error}") from error


def _listener(host: str, port: int) -> socket.socket:
    """Return a listening socket, so that a taken port is found out at once."""
    listener = _bound(host, port)
    try:
        listener.listen()
    except OSError as error:
        listener.close()
        raise EmulatorStartError(
            f"Cannot listen on {host} port {port}: {error.strerror}."
        ) from error
    return listener


def _bound(host: str, port: int) -> socket.socket:
    """Return a bound socket, so that port 0 is known."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
    except (OSError, OverflowError, UnicodeError) as error:
        raise EmulatorStartError(f"Cannot listen on {host} port {port}: {error}.") from error
    try:
        # A restart on the same port must not wait for old connections to be forgotten.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
    except (OSError, OverflowError) as error:
        listener.close()
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise EmulatorStartError(f"Cannot listen on {host} port {port}: {reason}.") from error
    return listener


def _server(platform: Platform, relay: Relay) -> _Server:
    # Without a handler the server's complaints would go to stderr, where a dashboard paints.
    logging.getLogger("uvicorn").addHandler(logging.NullHandler())
    return _Server(
        uvicorn.Config(
            create_app(platform),
            http="h11",
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            date_header=False,
            server_header=False,
            timeout_keep_alive=_KEEP_ALIVE,
            timeout_graceful_shutdown=_LAST_ANSWERS_WITHIN,
        ),
        relay,
    )


def _reached_at(host: str, listener: socket.socket) -> tuple[str, int]:
    bound, port = listener.getsockname()[:2]
    if ipaddress.ip_address(bound).is_unspecified:
        bound = "127.0.0.1" if listener.family == socket.AF_INET else "::1"
    elif ":" not in host:
        bound = host
    return bound, port


def _base_url(host: str, listener: socket.socket) -> str:
    bound, port = _reached_at(host, listener)
    return f"http://[{bound}]:{port}" if ":" in bound else f"http://{bound}:{port}"


def _handle(
    platform: Platform,
    server: _Server,
    thread: threading.Thread,
    base_url: str,
    faults_url: str,
) -> RunningEmulator:
    return RunningEmulator(
        base_url=base_url,
        admin_url=f"{base_url}/admin",
        faults_url=faults_url,
        token=platform.personal_token(),
        trigger_token=platform.trigger_token(),
        admin_key=platform.credentials.admin_key(),
        project=platform.showcase.full_path,
        platform=platform,
        _server=server,
        _thread=thread,
    )
