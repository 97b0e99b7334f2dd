"""`python -m platui`."""

from __future__ import annotations

import sys

from platui.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
