"""``python -m wuhan_sim`` is the command ``wuhan``."""

import sys

from .cli import main

sys.exit(main())
