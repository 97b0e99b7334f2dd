"""Jobs, the runners they ran on, and bridges to child pipelines (spec §2.3)."""

from __future__ import annotations

from typing import Annotated

from platui.models.wire.commits import Commit
from platui.models.wire.people import User
from platui.models.wire.pipelines import Pipeline
from platui.models.wire.record import (
    Flag,
    Id,
    Maybe,
    MaybeFlag,
    Moment,
    Number,
    OrElse,
    Record,
    Several,
    Text,
    Texts,
    Whole,
)


class Runner(Record):
    """The runner of a job; null until a runner picks up the job."""

    id: Annotated[Id, OrElse(0)] = 0
    description: Text = ""
    name: Text = ""
    status: Text = ""
    ip_address: Text = ""
    active: MaybeFlag = None
    is_shared: MaybeFlag = None
    online: MaybeFlag = None


class Artifact(Record):
    """A file of a job, including its log (`trace`)."""

    file_type: Text = ""
    size: Whole = None
    filename: Text = ""
    file_format: Text = ""


class ArtifactsFile(Record):
    filename: Text = ""
    size: Whole = None


class Step(Record):
    """Common fields of jobs and bridges."""

    id: Id
    name: Text = ""
    status: Text = ""
    stage: Text = ""
    ref: Text = ""
    tag: Flag = False
    coverage: Number = None
    allow_failure: Flag = False
    failure_reason: Text = ""
    """Set by GitLab-like platforms when the job failed; an open set of values."""
    created_at: Moment = None
    started_at: Moment = None
    finished_at: Moment = None
    erased_at: Moment = None
    duration: Number = None
    queued_duration: Number = None
    user: Maybe[User] = None
    commit: Maybe[Commit] = None
    pipeline: Maybe[Pipeline] = None
    web_url: Text = ""


class Job(Step):
    artifacts: Several[Artifact] = ()
    artifacts_file: Maybe[ArtifactsFile] = None
    artifacts_expire_at: Moment = None
    runner: Maybe[Runner] = None
    tag_list: Texts = ()

    @property
    def log_size(self) -> int:
        """Return the bytes of the log; 0: unknown."""
        sizes = (one.size or 0 for one in self.artifacts if one.file_type == "trace")
        return max(sizes, default=0)


class Bridge(Step):
    """A job that starts another pipeline instead of running a script."""

    downstream_pipeline: Maybe[Pipeline] = None  # None: not created
