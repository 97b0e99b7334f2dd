"""What the HTTP half shows of the company: everything, the bare spec, or all of it as an attack."""

from platui_emulator.http.variants.hostile import Hostile
from platui_emulator.http.variants.spec_only import SpecOnly
from platui_emulator.http.variants.variant import Layers, Variant

__all__ = ["Hostile", "Layers", "SpecOnly", "Variant"]
