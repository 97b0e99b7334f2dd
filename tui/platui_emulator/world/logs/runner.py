"""What the runner itself writes before and after a script."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui_emulator.world import causes
from platui_emulator.world.logs.writing import ESC, RESET, Draft, Kind
from platui_emulator.world.pipeline_yaml import IMAGE
from platui_emulator.world.views import RUNNERS

if TYPE_CHECKING:
    from random import Random

    from platui_emulator.world.causes import Cause
    from platui_emulator.world.plans import Attempt, Run

_RED: Final = f"{ESC}[31;1m"
_GREEN: Final = f"{ESC}[32;1m"
_VERSION: Final = "17.5.3 (12030cf4)"


def prepare_executor(draft: Draft, dice: Random, attempt: Attempt) -> None:
    """Write who runs the job, and in which image."""
    draft.place = draft.before
    runner = RUNNERS[attempt.runner]
    digest = f"{dice.getrandbits(256):064x}"
    draft.runner(f"Running with gitlab-runner {_VERSION}", 0.05)
    draft.runner(f"  on {runner.description} {_short(attempt)}, system ID: s_{digest[9:21]}", 0.01)
    draft.begin("prepare_executor", 'Preparing the "docker" executor')
    draft.runner(f"Using Docker executor with image {IMAGE} ...", 0.2)
    draft.runner("Authenticating with credentials from job payload (GitLab Registry)", 0.1)
    draft.runner(f"Pulling docker image {IMAGE} ...", 0.8)
    draft.runner(
        f"Using docker image sha256:{digest} for {IMAGE} with digest "
        f"{IMAGE.partition(':')[0]}@sha256:{digest[::-1]} ...",
        1.6,
    )
    draft.end("prepare_executor")


def prepare_script(draft: Draft, dice: Random, run: Run, attempt: Attempt) -> None:
    draft.begin("prepare_script", "Preparing environment")
    draft.runner(
        f"Running on runner-{_short(attempt)}-project-{run.blueprint.id}-concurrent-"
        f"{dice.randrange(4)} via {RUNNERS[attempt.runner].description}.internal...",
        0.6,
    )
    draft.end("prepare_script")


def _short(attempt: Attempt) -> str:
    return f"t1_{RUNNERS[attempt.runner].id * 2_654_435_761 % (1 << 36):09x}"


def get_sources(draft: Draft, dice: Random, run: Run) -> None:
    """Write how the sources are fetched and the cache is restored."""
    path = run.blueprint.record.full_path
    draft.begin("get_sources", "Getting source from Git repository")
    draft.runner(f"{_GREEN}Fetching changes with git depth set to 20...{RESET}", 0.3)
    draft.add(f"Initialized empty Git repository in /builds/{path}/.git/", 0.1)
    draft.runner(f"{_GREEN}Created fresh repository.{RESET}", 0.6)
    draft.runner(
        f"{_GREEN}Checking out {run.commit.sha[:8]} as detached HEAD (ref is {run.ref})...{RESET}",
        0.4,
    )
    draft.add("", 0.01)
    draft.runner(f"{_GREEN}Skipping Git submodules setup{RESET}", 0.1)
    draft.end("get_sources")
    draft.begin("restore_cache", "Restoring cache")
    draft.runner(f"{_GREEN}Checking cache for {run.blueprint.package}-dbt-packages...{RESET}", 0.3)
    size = dice.randint(900, 9000) / 100
    states = (f"Downloading cache.zip {share}% of {size} MiB" for share in (12, 48, 81, 100))
    draft.add("\r".join(states), 0.4, Kind.PROGRESS)
    draft.runner(f"{_GREEN}Successfully extracted cache{RESET}", 0.2)
    draft.end("restore_cache")
    draft.begin("step_script", 'Executing "step_script" stage of the job script')
    draft.runner(f"Using docker image {IMAGE} ...", 0.1)


def finish(draft: Draft, attempt: Attempt) -> None:
    draft.place = draft.after
    good = attempt.outcome == "success"
    draft.end("step_script", 0.02)
    if attempt.outcome != "canceled":
        _after_script(draft, attempt, good=good)
    draft.begin("cleanup_file_variables", "Cleaning up project directory and file based variables")
    draft.end("cleanup_file_variables", 0.2)
    if good:
        draft.runner(f"{_GREEN}Job succeeded{RESET}")
    else:
        draft.runner(f"{_RED}{_verdict(attempt)}{RESET}")


def be_stopped(draft: Draft) -> None:
    """Write the runner's output for a canceled job."""
    draft.place = draft.after
    draft.begin("cleanup_file_variables", "Cleaning up project directory and file based variables")
    draft.end("cleanup_file_variables", 0.2)
    draft.runner(f"{_RED}ERROR: Job failed: canceled{RESET}")


def fail_to_prepare(draft: Draft, dice: Random, cause: Cause) -> None:
    """Write how the runner fails before any script."""
    draft.begin("prepare_script", "Preparing environment")
    if cause is causes.NETWORK_OUTAGE:
        _find_no_registry(draft, dice)
        return
    pod = f"runner-{dice.getrandbits(36):09x}-concurrent-0-{dice.getrandbits(24):06x}"
    for _ in range(12):
        draft.runner(f"Waiting for pod data/{pod} to be running, status is Pending", 3.0)
        draft.runner('\tContainersNotReady: "containers with unready status: [build helper]"', 0.02)
    draft.runner(
        f"{ESC}[0;33mWARNING: Event retrieved from the cluster: 0/14 nodes are available: "
        f"14 Insufficient memory. preemption: 0/14 nodes are available.{RESET}",
        0.5,
    )
    draft.end("prepare_script")
    draft.runner(
        f"{_RED}ERROR: Job failed (system failure): prepare environment: waiting for pod running: "
        f"timed out waiting for pod to start. Check "
        f"https://docs.gitlab.com/runner/shells/#shell-profile-loading for more information{RESET}"
    )


def _find_no_registry(draft: Draft, dice: Random) -> None:
    host = f"10.20.{dice.randrange(1, 9)}.{dice.randrange(11, 240)}"
    image = f"registry.acme.example/data/runtime@sha256:{dice.getrandbits(256):064x}"
    for attempt in range(3):
        port = dice.randrange(32_768, 61_000)
        draft.runner(
            f'{ESC}[0;33mWARNING: Failed to pull image with policy "if-not-present": '
            f"read tcp {host}:{port + attempt}->10.96.14.2:443: i/o timeout "
            f"(manager.go:238:{dice.randrange(9, 31)}s){RESET}",
            4.0,
        )
    draft.end("prepare_script")
    draft.runner(
        f'{_RED}ERROR: Job failed (system failure): failed to pull image "{image}" with specified '
        f"policies [if-not-present]: dial tcp 10.96.14.2:443: i/o timeout "
        f"(manager.go:238:{dice.randrange(9, 31)}s){RESET}"
    )


def _after_script(draft: Draft, attempt: Attempt, *, good: bool) -> None:
    draft.begin("after_script", "Running after_script")
    draft.runner(f"{_GREEN}Running after script...{RESET}", 0.05)
    draft.command("python scripts/report_metrics.py --job $CI_JOB_ID || true")
    draft.add(f"reported 14 metrics of {attempt.spec.name}", 0.4)
    draft.end("after_script")
    if attempt.spec.work in {"dbt_run", "docs", "train"} and good:
        draft.begin("upload_artifacts_on_success", "Uploading artifacts for successful job")
        draft.runner(f"{_GREEN}Uploading artifacts...{RESET}", 0.2)
        draft.add("target/: found 412 matching artifact files and directories", 0.2)
        draft.add(
            'Uploading artifacts as "archive" to coordinator... 201 Created  '
            f"{ESC}[0;m  id{RESET}=0 responseStatus{RESET}=201 Created token{RESET}=glcbt-64",
            0.5,
        )
        draft.end("upload_artifacts_on_success")


def _verdict(attempt: Attempt) -> str:
    if attempt.outcome == "canceled":
        return "ERROR: Job failed: canceled"
    cause = attempt.cause
    if cause is not None and cause.reason == "job_execution_timeout":
        return "ERROR: Job failed: execution took longer than 15m0s seconds"
    return f"ERROR: Job failed: exit code {cause.exit_code if cause else 1}"
