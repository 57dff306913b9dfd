"""``python -m wuhan_command`` is the command ``wuhan``."""

import sys

from . import main

sys.exit(main())
