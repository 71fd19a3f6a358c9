"""`python -m sfumato` is the command line."""

import sys

from sfumato.cli import main

sys.exit(main())
