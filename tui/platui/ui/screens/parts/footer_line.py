"""The footer of a place: its keys, each as it is bound and possible now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.present.chrome import KeyHint
from platui.ui.reaction import WRITE_KEYS

if TYPE_CHECKING:
    from textual.binding import ActiveBinding

    from platui.ui.screens.parts.view_screen import ViewScreen


class FooterLine:
    """Shows the keys once what is under way has settled; many askings are one."""

    def __init__(self, screen: ViewScreen) -> None:
        self._screen = screen
        self._is_asked = False

    def show_soon(self) -> None:
        if not self._is_asked:
            self._is_asked = True
            self._screen.call_after_refresh(self._show_asked)

    def _show_asked(self) -> None:
        self._is_asked = False
        if self._screen.is_whole:
            self._screen.tell_footer()

    def show(self) -> None:
        """Show the keys that the screen names; while something is typed, those that end it."""
        screen = self._screen
        hints = screen.prompt.hints if screen.prompt.is_open else screen.body.typing_hints()
        if hints:
            screen.footer.tell(hints)
            return
        active: dict[str, ActiveBinding] = {}
        for item in screen.active_bindings.values():
            if item.binding.id:
                active.setdefault(item.binding.id, item)
        names = (*screen.footer_keys(), "app.help")
        screen.footer.tell(
            [self._hint(active[name]) for name in names if self._is_on(name, active)]
        )

    def _is_on(self, name: str, active: dict[str, ActiveBinding]) -> bool:
        """Return whether a key is named: none that writes where nothing is to be written."""
        is_off = name.startswith(WRITE_KEYS) and self._screen.service.writes == "off"
        return name in active and not is_off

    def _hint(self, active: ActiveBinding) -> KeyHint:
        binding = active.binding
        return KeyHint(
            self._screen.app.get_key_display(binding).split(" ", maxsplit=1)[0],
            self._screen.footer_label(binding),
            active.enabled,
        )
