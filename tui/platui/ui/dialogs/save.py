"""Save a log, an export or a handoff to a file; a second enter replaces an existing file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, Protocol

from textual import on
from textual.widgets import Input

from platui.core.errors import NameTakenError, PlatuiError
from platui.core.named_tuple import NamedTuple
from platui.core.paths import absolute_path, current_folder, user_path
from platui.core.text import clean, shorten
from platui.models.values.feeds import Progress
from platui.models.values.reports import ExportFormat
from platui.present.counts import counted, human_bytes
from platui.present.files.artifacts import name_in_file, progress_line
from platui.service.cancellation import in_thread
from platui.service.files.whole_file import whole_file
from platui.service.logs.saving import raw_pieces, save_log, text_pieces
from platui.ui.active_keys import bind
from platui.ui.dialogs.box import box, keys_line
from platui.ui.dialogs.file_write import FileWriteDialog
from platui.ui.widgets.bar import Bar

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from platui.models.values.log import LogDocument
    from platui.present.chrome import Pieces
    from platui.service.files.archives import JobArchive
    from platui.service.logs.saving import LogPieces

READING: Final = 0.3  # Seconds to read the question before a key counts
_WHOLE: Final = 1000  # Steps of the progress


class WriteFile(Protocol):
    async def __call__(
        self, target: Path, note: Callable[[Progress], None], *, replace: bool
    ) -> str:
        """Return the success message; `replace` overwrites an existing file."""


class Format(NamedTuple):
    label: str  # The label of the input, with the format
    write: WriteFile
    switch: str = ""  # The hint of `tab`
    suffix: str = ""  # The file suffix


class SaveDialog(FileWriteDialog):
    """Asks for a name; an existing file is replaced only by a second enter."""

    BINDINGS = [
        bind("escape", "save.leave", "Cancel"),
        bind("tab", "save.switch", "Other format", priority=True),
    ]

    def __init__(
        self,
        title: Pieces,
        name: str,
        formats: tuple[Format, ...],
        *,
        room: int = 44,
        waiting: str = " Writing …",
    ) -> None:
        super().__init__()
        self._heading = title
        self._name_offered = name
        self._formats = formats
        self._room = room  # Characters of the folder's name that are shown
        self._waiting = waiting  # Shown before any progress
        self._tried: Path | None = None  # The last requested file
        self._to_replace: Path | None = None  # The file that the next enter replaces
        self._asked_at = 0.0

    def compose(self) -> ComposeResult:
        yield box(self._heading, *self.ask_name(self._name_offered), Bar(id="how"))

    def on_mount(self) -> None:
        self.set_focus(self.query_one(Input))
        self._ask()

    def _ask(self) -> None:
        folder = shorten(current_folder(), self._room)
        self.question.show(((f" {self._formats[0].label}   (in {folder})", "muted"),))
        self.show_keys()

    async def write(self, name: str) -> str:
        target = self._tried = absolute_path(user_path(name))
        return await self._formats[0].write(target, self.note, replace=target == self._to_replace)

    def keys(self) -> Pieces:
        enter = ("enter", "save" if self._to_replace is None else "replace")
        switch = [("tab", self._formats[0].switch)] if self._formats[0].switch else []
        return keys_line(enter, *switch, ("esc", "cancel"))

    def progress_text(self, progress: Progress | None) -> Pieces:
        if progress is None:
            return ((self._waiting, "muted"),) if self._waiting else ()
        bar, rest, percent, *_ = progress_line(progress, 0.0)
        return ((" ", "text"), bar, rest, percent)

    @on(Input.Changed)
    def _keep_existing(self) -> None:
        if self._to_replace is not None:
            self._to_replace = None
            self.show_keys()

    @on(Input.Submitted)
    def _answer(self, event: Input.Submitted) -> None:
        """Ignore an enter that was pressed before the user could read the question."""
        if self._to_replace is not None and monotonic() - self._asked_at < READING:
            event.stop()
            event.prevent_default()

    def show_error(self, error: PlatuiError) -> None:
        if not isinstance(error, NameTakenError):
            super().show_error(error)
            return
        self._to_replace, self._asked_at = self._tried, monotonic()
        self.show_state(
            ((" File exists. ", "warning"), ("enter", "key"), (" replaces it.", "muted")),
            of_name=True,
        )  # fmt: skip

    def action_switch(self) -> None:
        if self.is_writing:
            return
        before, *others = self._formats
        self._formats = (*others, before)
        typed = self.query_one(Input)
        if before.suffix and typed.value.endswith(before.suffix):
            typed.value = typed.value.removesuffix(before.suffix) + self._formats[0].suffix
        self._ask()


def save_log_dialog(document: LogDocument, name: str, *, is_whole: bool) -> SaveDialog:
    def writing(read: Callable[[LogDocument], LogPieces]) -> WriteFile:
        async def write(target: Path, note: Callable[[Progress], None], *, replace: bool) -> str:
            size = await save_log(read(document), target, note, replace=replace)
            return f"Saved {target} ({human_bytes(size)})."

        return write

    text, raw = "plain text", "raw bytes"
    formats = (
        Format(f"Save {text} as", writing(text_pieces), raw),
        Format(f"Save {raw} as", writing(raw_pieces), text),
    )
    part: Pieces = () if is_whole else ((": only the part loaded so far", "warning"),)
    return SaveDialog(((" Save the log", "strong"), *part), name, formats, waiting="")


def archive_file_dialog(archive: JobArchive, path: str) -> SaveDialog:
    """Return the dialog that saves a file of an archive; its folders are not used."""

    async def write(target: Path, note: Callable[[Progress], None], *, replace: bool) -> str:
        def save(report: Callable[[Progress], None]) -> int:
            return archive.save(path, target, replace=replace, report=report)

        size = await in_thread(save, note)
        return f"Saved {target} ({human_bytes(size)})."

    name = name_in_file(path.rpartition("/")[2]) or "artifact"
    title = ((" Save a file of the archive", "strong"),)
    return SaveDialog(title, name, (Format("Save the file as", write),))


def handoff_dialog(text: str, name: str) -> SaveDialog:
    async def write(target: Path, note: Callable[[Progress], None], *, replace: bool) -> str:
        def write_whole(report: Callable[[Progress], None]) -> None:
            with whole_file(target, replace=replace) as file:
                size = file.write(text.encode())
                report(Progress(size, size))

        await in_thread(write_whole, note)
        return f"Saved {target}."

    formats = (Format("Save the Markdown as", write),)
    return SaveDialog(((" Handoff", "strong"),), name, formats)


_FORMS: Final = {
    ExportFormat.CSV: "CSV, for spreadsheets",
    ExportFormat.JSON_LINES: "JSON lines, for programs",
    ExportFormat.MARKDOWN: "Markdown, for people",
}


def export_dialog(what: str, name: str, make: Callable[[], Any]) -> SaveDialog:
    """Return the dialog that exports a part of the access report; `name` has no suffix."""
    from platui.service.access.export import save_export  # noqa: PLC0415  (on first use)

    def writing(form: ExportFormat) -> WriteFile:
        async def write(target: Path, note: Callable[[Progress], None], *, replace: bool) -> str:
            def report_progress(share: float) -> None:
                note(Progress(int(share * _WHOLE), _WHOLE))

            rows = await save_export(make, form, target, report_progress, replace=replace)
            return f"Saved {target} ({counted(rows, 'row')})."

        return write

    formats = tuple(
        Format(label, writing(form), "other format", f".{form.value}")
        for form, label in _FORMS.items()
    )
    title = ((" Export  ", "strong"), (clean(what), "text"))
    return SaveDialog(title, name + formats[0].suffix, formats, room=40)
