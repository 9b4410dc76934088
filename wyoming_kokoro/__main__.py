"""`python -m wyoming_kokoro`."""

import sys

from wyoming_kokoro.cli import main

sys.exit(main())
