"""The emulated platform for tests: real HTTP on loopback."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final, Protocol, TypedDict, Unpack
from urllib.parse import quote

import httpx

from platui.core.clock import SystemClock
from platui_emulator.server import start_emulator

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from platui.core.clock import Clock
    from platui_emulator.scenarios import Sizes
    from platui_emulator.server import RunningEmulator

SEED = 7
GENEROUS = 100_000
"""A quota that no test run spends; tests of the quota ask for their own platform."""


class PlatformOptions(TypedDict, total=False):
    """What `start_emulator` takes, by name."""

    port: int
    scenario: str
    sizes: Sizes
    seed: int
    rate_limit: int
    speed: float
    clock: Clock | None
    spec_only: bool
    faults_port: int
    faults: Sequence[Mapping[str, Any]]


class PlatformFactory(Protocol):
    """What the fixture `platform_with` is; every platform ends with the test."""

    def __call__(self, **options: Unpack[PlatformOptions]) -> RunningEmulator:
        """Start another platform."""
        ...


@contextmanager
def running_platform(**options: Unpack[PlatformOptions]) -> Iterator[RunningEmulator]:
    """Run an emulator for the length of a block; the quota is generous where none is named."""
    chosen: PlatformOptions = {"seed": SEED, "rate_limit": GENEROUS, **options}
    emulator = start_emulator(**chosen)
    try:
        yield emulator
    finally:
        emulator.stop()


@contextmanager
def api_client(platform: RunningEmulator, token: str | None = None) -> Iterator[httpx.Client]:
    """Open a plain client on the project API; an empty token sends none."""
    token = platform.token if token is None else token
    with httpx.Client(
        base_url=f"{platform.base_url}/api/v4/",
        headers={"PRIVATE-TOKEN": token} if token else {},
        trust_env=False,
        verify=False,  # noqa: S501  (see `ask`)
        timeout=20,
    ) as client:
        yield client


def in_project(platform: RunningEmulator, rest: str = "", *, project: str | None = None) -> str:
    """Return a path below a project, the showcase where none is named."""
    path = f"projects/{quote(project or platform.project, safe='')}"
    return f"{path}/{rest}" if rest else path


def failed_job(platform: RunningEmulator) -> dict[str, Any]:
    """Return a failed job of the showcase that nobody has tried again."""
    with api_client(platform) as client:
        failed = in_project(platform, "pipelines?status=failed")
        for pipeline in client.get(failed).json():
            jobs = in_project(platform, f"pipelines/{pipeline['id']}/jobs?scope[]=failed")
            for job in client.get(jobs).json():
                return dict(job)
    raise LookupError


def failed_pipeline(platform: RunningEmulator) -> int:
    """Return a failed pipeline of the showcase with a failed job, whatever others have started."""
    with api_client(platform) as client:
        for pipeline in client.get(in_project(platform, "pipelines?per_page=100")).json():
            if pipeline["status"] == "failed":
                jobs = in_project(platform, f"pipelines/{pipeline['id']}/jobs?per_page=100")
                if any(job["status"] == "failed" for job in client.get(jobs).json()):
                    return int(pipeline["id"])
    raise LookupError


def green_pipeline(platform: RunningEmulator) -> int:
    """Return a pipeline of the showcase with nothing to retry: others pass with warnings."""
    with api_client(platform) as client:
        passed = in_project(platform, "pipelines?status=success")
        for pipeline in client.get(passed).json():
            lost = "scope[]=failed&scope[]=canceled"
            jobs = in_project(platform, f"pipelines/{pipeline['id']}/jobs?{lost}")
            if not client.get(jobs).json():
                return int(pipeline["id"])
    raise LookupError


_MOVING: Final = frozenset({"created", "pending", "running", "waiting_for_resource", "preparing"})


def red_project(platform: RunningEmulator) -> str:
    """Return a project in which one thing is broken, on whatever branch.

    Which one that is, is another question every hour.
    """
    recent = (SystemClock().now() - timedelta(days=7)).isoformat()
    with api_client(platform) as client:
        every = client.get("projects", params={"membership": True, "per_page": 100}).json()
        for project in every:
            runs = client.get(f"projects/{project['id']}/pipelines", params={"per_page": 100})
            lanes: dict[tuple[str, str], list[dict[str, Any]]] = {}
            for one in runs.json():
                if one["source"] not in {"merge_request_event", "parent_pipeline"}:
                    lanes.setdefault((one["ref"], one["name"] or ""), []).append(one)
            heads = [
                next((one for one in lane if one["status"] in {"success", "failed"}), lane[0])
                for lane in lanes.values()
            ]
            red = [one for one in heads if one["status"] == "failed"]
            moving = [lane[0] for lane in lanes.values() if lane[0]["status"] in _MOVING]
            if len(red) == 1 and red[0]["created_at"] > recent and not moving:
                return str(project["path_with_namespace"])
    raise LookupError


def ask(method: str, address: str, **sent: Any) -> httpx.Response:
    """Send one request with nothing but what is said; `sent` as `httpx.request` takes it."""
    # Certificates are not looked at on loopback, and reading them would take 30 ms each time.
    sent = {"timeout": 20, "trust_env": False, "verify": False, **sent}
    return httpx.request(method, address, **sent)


def credentials(platform: RunningEmulator) -> dict[str, Any]:
    """Return a credential of every kind."""
    answer = ask("GET", f"{platform.base_url}/-/emulator/credentials")
    return dict(answer.json())
