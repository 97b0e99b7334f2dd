"""Keys of the selected row: pipeline file, raw JSON, browser, copy."""

from __future__ import annotations

from typing import Final

from platui.ui.controller import Controller, command
from platui.ui.controllers.view_keys import view_command
from platui.ui.messages import CopyText, GoTo, OpenPage
from platui.ui.screens.parts.list_body import ListBody

VIEW_COPY: Final = "this view"
_NO_ROW: Final = "No row selected."
_NO_ADDRESS: Final = "This row has no URL."


class ReadRow(Controller[ListBody]):
    @command("p", "list.file", "Pipeline file")
    def open_file(self) -> None:
        """Open the pipeline file of this row."""
        if (route := self.body.context.file()) is not None:
            self.screen.post_message(GoTo(route))

    @command("i", "list.raw", "Raw JSON")
    def show_raw(self) -> None:
        """Show the platform's response for this row."""
        if (raw := self.body.context.raw()) is not None:
            self.screen.show_raw(*raw)

    def disabled_reason(self, command: str) -> str:
        if command == "list.raw":
            return self.body.context.missing_row_reason(_NO_ROW)
        return "" if self.body.table.cursor_key is not None else _NO_ROW


class BrowseRow(Controller[ListBody]):
    @command("o", "list.browse", "Browser")
    def browse(self) -> None:
        """Open the web page of this row."""
        if address := self._address():
            self.screen.post_message(OpenPage(address))

    def disabled_reason(self, _command: str) -> str:
        return _no_row_reason(self.body) or ("" if self._address() else _NO_ADDRESS)

    def _address(self) -> str:
        key = self.body.table.cursor_key
        return self.body.context.clean_copies(key).get("URL", "") if key else ""


class CopyMenu(Controller[ListBody]):
    @command("Y", "list.copy_menu", "Copy…")
    async def choose(self) -> None:
        """Copy id, URL, commit, or the command of the row or view."""
        body, key = self.body, self.body.table.cursor_key
        of_row = body.context.clean_copies(key) if key else {}
        copies = {VIEW_COPY: view_command(body), **of_row}
        choices = ((name, name, text) for name, text in copies.items())

        def take(name: str) -> None:
            self.screen.post_message(CopyText(copies[name]))

        await self.screen.choose("Copy", choices, take)

    def disabled_reason(self, _command: str) -> str:
        return self.body.context.unfocused_reason()


class CopyRow(Controller[ListBody]):
    @command("y", "list.copy", "Copy URL")
    def copy(self) -> None:
        """Copy the URL of this row, or of the marked rows."""
        if lines := self.body.context.copy_values(self.body.DEFAULT_COPY):
            self.screen.post_message(CopyText("\n".join(lines)))

    def disabled_reason(self, _command: str) -> str:
        has_value = self.body.context.has_copy_value(self.body.DEFAULT_COPY)
        return _no_row_reason(self.body) or ("" if has_value else _NO_ADDRESS)


def _no_row_reason(body: ListBody) -> str:
    reason = "" if body.table.cursor_key is not None else _NO_ROW
    return body.context.unfocused_reason() or reason
