"""The views of the dashboard, from which keys, commands, palette, addresses and help follow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from platui.ui.view import GENERIC_LIST, LIST, TABLE, View

_TEXT: Final = (("platui.ui.widgets.log_view:LogView",),)
_FORM: Final = tuple(
    (widget, "platui.ui.widgets.form:Form")
    for widget in ("platui.ui.widgets.form_view:FormView", "platui.ui.widgets.text_pane:TextPane")
)
_DEEPEST: Final = 5

_LISTENERS: Final[list[Callable[[], None]]] = []


def register(view: View) -> None:
    """Add a view. Raises ValueError on a clash, or if it has neither table nor screen."""
    from platui.ui.verbs import BY_WORD  # noqa: PLC0415  (not for a first frame)

    for other in _VIEWS.values():
        same_key = view.key == other.key != "" or view.number == other.number != ""
        if same_key or view.id == other.id or {*view.words} & {*other.words}:
            raise ValueError(f"{view.id} clashes with {other.id}")
    # The command of such a view always has a `field=value`, unlike a verb.
    has_fields = view.always_written or {*view.required_fields} - {"project", "pipeline"}
    words = view.words or (() if has_fields else (view.id,))
    if not BY_WORD.keys().isdisjoint(words):
        raise ValueError(f"{view.id} clashes with a verb")
    if view.screen == GENERIC_LIST and not (view.resource and view.table):
        raise ValueError(f"{view.id} needs a resource and a table, or its own screen")
    _VIEWS[view.id] = view
    _notify()


def unregister(view: View) -> None:
    del _VIEWS[view.id]
    _notify()


def _notify() -> None:
    for listener in _LISTENERS:
        listener()


def on_change(listener: Callable[[], None]) -> None:
    _LISTENERS.append(listener)


def all_views() -> tuple[View, ...]:
    return tuple(_VIEWS.values())


def find(name: str) -> View | None:
    return _VIEWS.get(name)


def get(name: str) -> View:
    return _VIEWS[name]


_BUILT_IN: Final = (
    View(
        "triage",
        title="Triage",
        screen="platui.ui.screens.triage.screen:TriageScreen",
        summary="Incidents of all watched projects",
        key="1",
        usage_help="incidents of all watched projects, filtered",
        aliases=("tr",),
        depth=-1,  # above the projects, but not a parent
    ),
    View(
        "projects",
        title="Projects",
        screen="platui.ui.screens.projects.body:ProjectsScreen",
        summary="All projects",
        key="2",
        usage="projects",
        aliases=("pr",),
    ),
    View(
        "pipelines",
        title="Pipelines",
        screen="platui.ui.screens.pipelines:PipelinesScreen",
        summary="Pipelines of this project",
        key="3",
        usage_help="pipelines of a project, filtered",
        aliases=("pl",),
        parent="projects",
        required_fields=("project",),
        addresses=("",),
        filter_params=("ref", "status"),
    ),
    View(
        "jobs",
        title="Jobs",
        screen="platui.ui.screens.jobs:JobsScreen",
        summary="Jobs of this pipeline or project",
        key="4",
        usage="jobs PROJECT #PIPELINE",
        usage_help="jobs of a pipeline, or of the project",
        number="pipeline",
        number_help="a pipeline of this project; #NUMBER does the same",
        parent="pipelines",
        required_fields=("project",),
        optional_fields=("pipeline",),
        addresses=("pipelines/{pipeline}", "jobs"),
        filter_params=("ref", "status"),
    ),
    View(
        "log",
        title="Log",
        screen="platui.ui.screens.logs.log:LogScreen",
        number="job",
        number_help="the log of a job of this project",
        parent="jobs",
        saved_as="jobs",
        required_fields=("project", "job"),
        optional_fields=("pipeline", "line", "search", "is_regex"),
        addresses=("jobs/{job}",),
        panes=_TEXT,
    ),
    View(
        "compare",
        title="Comparison of two logs",
        screen="platui.ui.screens.logs.compare:CompareScreen",
        parent="log",
        returns_to_previous=True,
        depth=2.7,  # above a log, which opens from here
        saved_as="jobs",
        required_fields=("project", "job"),
        panes=(("platui.ui.widgets.compare_view:CompareView",),),
    ),
    View(
        "many",
        title="All logs of a pipeline",
        screen="platui.ui.screens.logs.many_logs:ManyLogsScreen",
        parent="jobs",
        returns_to_previous=True,
        saved_as="jobs",
        required_fields=("project", "pipeline"),
        panes=_TEXT,
    ),
    View(
        "search",
        title="Search in all logs of a pipeline",
        screen="platui.ui.screens.pipeline_search:PipelineSearchScreen",
        parent="jobs",
        returns_to_previous=True,
        saved_as="jobs",
        required_fields=("project", "pipeline"),
        panes=(TABLE,),
    ),
    View(
        "tests",
        title="Failed tests",
        screen="platui.ui.screens.tests:FailedTestsScreen",
        parent="jobs",
        returns_to_previous=True,
        saved_as="jobs",
        required_fields=("project", "pipeline"),
    ),
    View(
        "test",
        title="Output of a test",
        screen="platui.ui.screens.tests:TestOutputScreen",
        label="Test",
        parent="tests",
        returns_to_previous=True,
        saved_as="jobs",
        required_fields=("project", "pipeline", "path"),
        panes=_TEXT,
    ),
    View(
        "artifacts",
        title="Files of an archive of artifacts",
        screen="platui.ui.screens.files.artifacts:ArtifactsScreen",
        label="Artifacts",
        parent="jobs",
        returns_to_previous=True,
        depth=4,  # below a log, too
        saved_as="jobs",
        required_fields=("project", "job"),
        optional_fields=("pipeline",),
        addresses=("jobs/{job}/artifacts",),
        panes=(TABLE,),
    ),
    View(
        "artifact",
        title="File of an archive",
        screen="platui.ui.screens.files.artifacts:ArtifactScreen",
        label="Artifact",
        parent="artifacts",
        returns_to_previous=True,
        saved_as="jobs",
        required_fields=("project", "job", "path"),
        optional_fields=("pipeline",),
        panes=_TEXT,
    ),
    View(
        "since",
        title="Broken since",
        screen="platui.ui.screens.broken_since.body:BrokenSinceScreen",
        parent="pipelines",
        returns_to_previous=True,
        required_fields=("project", "pipeline"),
        panes=(TABLE,),
    ),
    View(
        "file",
        title="File",
        screen="platui.ui.screens.files.file:FileScreen",
        parent="jobs",
        parent_of_project="pipelines",
        tab_group="file",
        depth=4,  # below a log, too
        saved_as="above",
        required_fields=("project",),
        optional_fields=("line",),
        always_written="path",
        addresses=tuple(f"{page}/{{ref}}/{{path}}" for page in ("blob", "raw", "blame", "edit")),
        panes=_TEXT,
    ),
    View(
        "commits",
        title="Changed since the last success",
        screen="platui.ui.screens.files.commits:CommitsScreen",
        label="Changes",
        parent="pipelines",
        returns_to_previous=True,
        depth=4,  # below "broken since"
        saved_as="above",
        required_fields=("project", "ref"),
        optional_fields=("pipeline",),
        always_written="ref",
        addresses=("compare/{ref}",),
        panes=LIST,
    ),
    View(
        "diff",
        title="Diff",
        screen="platui.ui.screens.files.diff:DiffScreen",
        parent="commits",
        returns_to_previous=True,
        saved_as="above",
        required_fields=("project", "ref"),
        optional_fields=("pipeline", "line"),
        always_written="ref",
        panes=_TEXT,
    ),
    View(
        "schedules",
        title="Schedules",
        screen="platui.ui.screens.schedules.body:SchedulesScreen",
        summary="Schedules of this project",
        key="5",
        usage_help="schedules of a project, filtered",
        aliases=("sc",),
        parent="projects",
        depth=1.2,  # below pipelines, above jobs
        required_fields=("project",),
        addresses=("pipeline_schedules",),
    ),
    View(
        "access",
        title="Access: people",
        screen="platui.ui.screens.access.people:PeopleScreen",
        summary="Access report: members and access levels",
        label="Access",
        key="6",
        usage="access /TERMS",
        usage_help="access report, searched: /level:owner state:blocked",
        aliases=("report", "people"),
        parent="projects",
        returns_to_previous=True,
        tab_group="access",
        panes=(*LIST, (*TABLE, "platui.ui.screens.access.people:FacetPane")),
    ),
    View(
        "groups",
        title="Access: groups and projects",
        screen="platui.ui.screens.access.places:PlacesScreen",
        summary="Groups and projects of the access report, as a tree",
        label="Access: groups",
        usage="groups /TERMS",
        usage_help="groups and projects of the report, searched: /user:jane kind:project",
        parent="projects",
        returns_to_previous=True,
        tab_group="access",
    ),
    View(
        "changes",
        title="Access: changes",
        screen="platui.ui.screens.access.changes:ChangesScreen",
        summary="Changes since an earlier access report",
        parent="projects",
        returns_to_previous=True,
        tab_group="access",
    ),
    View(
        "person",
        title="Access: one person",
        screen="platui.ui.screens.access.person:PersonScreen",
        parent="access",
        returns_to_previous=True,
        required_fields=("entry",),
    ),
    View(
        "members",
        title="Access: members",
        screen="platui.ui.screens.access.members:MembersScreen",
        parent="groups",
        returns_to_previous=True,
        required_fields=("entry",),
    ),
    View(
        "run",
        title="Run form",
        screen="platui.ui.screens.run.body:RunScreen",
        parent="jobs",
        parent_of_project="pipelines",
        returns_to_previous=True,
        depth=_DEEPEST,
        saved_as="above",
        required_fields=("project",),
        always_written="ref",
        panes=_FORM,
    ),
    View(
        "requests",
        title="Requests",
        screen="platui.ui.screens.requests:RequestsScreen",
        summary="Requests sent to the platform",
        usage="requests",
        parent="projects",
        returns_to_previous=True,
        depth=_DEEPEST,
        panes=(TABLE,),
    ),
)
_VIEWS: Final = {view.id: view for view in _BUILT_IN}

SAVED_LOG: Final = View(
    "saved-log",
    title="A saved log",
    screen="platui.ui.screens.logs.log_file:LogFileScreen",
    panes=_TEXT,
    app="platui.ui.log_file_app:LogFileApp",
)
RAW: Final = View(
    "raw",
    title="Raw JSON of a record",
    screen="platui.ui.dialogs.raw:RawDialog",
    panes=(("platui.ui.widgets.raw_view:RawView",),),
)


def keyed() -> dict[str, View]:
    """Return all views that have keys, including a saved log and raw JSON."""
    return {view.id: view for view in (*_VIEWS.values(), SAVED_LOG, RAW)}
