"""Stores the frame that the next start shows first, as terminal output."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Final

from textual.widgets._toast import ToastRack

from platui.config.load import config_file
from platui.core.last_frame import LastFrame, state_of
from platui.present.chrome import as_of
from platui.ui.controller import AppController
from platui.ui.screens.parts.list_body import ListBody
from platui.ui.terminal.detection import Colours
from platui.ui.terminal.driver import TerminalDriver
from platui.ui.terminal.frame_record import FrameRecord
from platui.ui.terminal.frames import has_pending_layout, lay_out_now, whole_frame
from platui.ui.themes import user_theme_file

if TYPE_CHECKING:
    from textual._compositor import LayoutUpdate
    from textual.timer import Timer

    from platui.ui.app import PlatuiApp
    from platui.ui.screens.parts.view_screen import ViewScreen

_EVERY: Final = 60.0  # Seconds after which a changed frame is stored, in case the program is killed
_FIRST: Final = 2.0  # Seconds after which the first one is, for a quick exit


class FrameKeeper(AppController):
    _app: PlatuiApp

    def __init__(self, app: PlatuiApp) -> None:
        super().__init__(app)
        self._config = app.settings.file or config_file()
        self._config_state = state_of(str(self._config))
        self._timer: Timer | None = None
        self._pause = _FIRST

    @cached_property
    def _record(self) -> FrameRecord:
        return FrameRecord(self._app.output)

    def start(self) -> None:
        """Store the first frame soon, later ones a minute after a change; `keep_last` at exit.

        A change of an age is one, too: rows do not know which of their cells are ages.
        """
        if self._app.last_frames is not None:
            self._app.output.written = self._schedule
            # A key that runs a command at once waits until its row was visible.
            self._app.output.released = self._app.write_keys.screen_changed

    def _schedule(self) -> None:
        if self._timer is None:
            self._timer = self._app.set_timer(self._pause, self._keep)
            self._pause = _EVERY

    def _keep(self) -> None:
        """Store what is shown, in case the program is killed."""
        self._timer = None
        app = self._app
        screen = app.navigation.opens_next
        if screen is None or screen is not app.screen:
            return
        body = self._body_that_fits(screen)
        if body is None or not self._is_as_at_start(screen, body):
            return
        frame = _frame(screen, body)
        if not self._record.has(frame, app.size):  # else only the header has changed
            app.navigation.keep()
            self._store(frame)

    def keep_last(self) -> None:
        """Store what the next start shows of the view that it opens, instead of the older frame."""
        app = self._app
        frames, screen = app.last_frames, app.navigation.opens_next
        if frames is None or screen is None or app.small_terminal.is_shown:
            return
        if (body := self._body_that_fits(screen)) is None:
            app.service.local_state.delete_frame(frames, self._size)
            return
        app.output.shows_last_frame = True  # what is changed here is not for this terminal
        if screen.is_shown:
            screen.stop()
        if not self._is_as_at_start(screen, body):
            for rack in screen.query(ToastRack):
                rack.display = False
            screen.footer_line.show()
            body.wraps = False
            body.preview.forget()
            for _ in range(2):  # the height of the preview depends on that of the list
                lay_out_now(screen)
                if body.STARTS_AT_TOP:
                    body.table.action_top()
                body.draw()
        self._store(_frame(screen, body))

    def _is_as_at_start(self, screen: ViewScreen, body: ListBody) -> bool:
        """Return whether the screen shows what a start with its saved state shows."""
        has_toasts = bool(self._app._notifications)  # noqa: SLF001  (no public access)
        is_at_row = body.table.is_at_top or not body.STARTS_AT_TOP
        return is_at_row and not (body.wraps or has_toasts or has_pending_layout(screen))

    @property
    def _size(self) -> tuple[int, int]:
        return self._app.size.width, self._app.size.height

    def _body_that_fits(self, screen: ViewScreen) -> ListBody | None:
        """Return the list if the next start shows the same rows, in the same colours."""
        app, body = self._app, screen.body
        saved = body.context.saved_state() if screen.is_whole else None
        fits = (
            saved is not None
            and bool(saved.rows)
            and body.error is None
            and screen.size == app.size
            and not body.context.filter_text()
            and not screen.prompt.is_open
            and app.service.writes_open_until.value is None
            and app.theme_switcher.name == app.settings.theme
            and app.terminal.colours is not Colours.NONE
            and not app.terminal.whole_frames
            and state_of(str(self._config)) == self._config_state
        )
        return body if fits and isinstance(body, ListBody) else None

    def _store(self, frame: LayoutUpdate) -> None:
        app, driver = self._app, self._app._driver  # noqa: SLF001  (no public access)
        if app.last_frames is None or not isinstance(driver, TerminalDriver):
            return
        output, cells = self._record.take(frame, app.size)
        shown, restored = f"{driver.modes}{output}", driver.restore_sequence
        stored = LastFrame(
            shown.encode(), restored.encode(), cells, dark=app.theme_switcher.is_dark
        )
        theme = user_theme_file(app.theme)
        files = [self._config, *([] if theme is None else [theme])]
        if app.settings.start != "triage":  # another dashboard may end in another view
            files.append(app.service.local_state.route_file)
        app.service.local_state.save_frame(app.last_frames, self._size, stored, files)


def _frame(screen: ViewScreen, body: ListBody) -> LayoutUpdate:
    fetched_at = datetime.fromtimestamp(body.context.rows_fetched_at(), UTC)
    return whole_frame(screen, screen.header.line_with(as_of(fetched_at, utc=body.utc)))
