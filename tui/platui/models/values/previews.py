"""The preview of a row of a list: a log, the jobs of a pipeline, or a text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.core.dataclass import dataclass
from platui.core.named_tuple import NamedTuple

if TYPE_CHECKING:
    from platui.core.errors import PlatuiError
    from platui.models.values.log import LogDocument
    from platui.models.values.queries import ProjectRef
    from platui.models.values.routes import Route
    from platui.models.wire import Job

LOG: Final = "log"
JOBS: Final = "jobs"
DOCUMENT: Final = "text"
HIDDEN: Final = "hidden"
LEAST_LINES: Final = 6  # Lines of a useful preview


class PreviewTarget(NamedTuple):
    """A job with its log; a pipeline: its jobs, and the log of one of them; or a text."""

    project: ProjectRef
    title: str  # Clean
    status: str
    pipeline: int | None = None
    job: int | None = None
    line: int | None = None  # Of the log, from 0; None: at the error
    note: str = ""  # A sentence that replaces the preview; nothing is read
    size: int = 0  # Bytes of the log; 0: unknown
    rounds: int = 9  # Polls of the list per poll of a running preview
    route: Route | None = None  # Of a text that is shown from its beginning


@dataclass(frozen=True, slots=True)
class RowPreview:
    """What has been read of a preview so far."""

    jobs: tuple[Job, ...] = ()
    job: Job | None = None  # Of a pipeline: the job with the log
    document: LogDocument | None = None
    is_tail: bool = False  # Whether `document` has only the last lines of the log
    line: int | None = None  # Of the error; None: the log is shown at its end
    error: PlatuiError | None = None
    is_complete: bool = False  # Whether nothing more will be read
    is_too_long: bool = False  # Whether the log is long, and only the whole of it can be read
