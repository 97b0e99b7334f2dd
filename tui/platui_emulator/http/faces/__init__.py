"""What the HTTP half shows of the company: everything, the bare spec, or all of it as an attack."""

from platui_emulator.http.faces.face import Face, Layers
from platui_emulator.http.faces.hostile import Hostile
from platui_emulator.http.faces.narrow import Narrow

__all__ = ["Face", "Hostile", "Layers", "Narrow"]
