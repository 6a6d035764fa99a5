"""For all tests: each of the parallel test processes computes on one thread.

With more, they would take the cores from each other and wait. Set before NumPy and PyTorch
are loaded, and inherited by every process that a test starts.
"""

from __future__ import annotations

import os
import sys

assert not {"numpy", "torch"} & set(sys.modules), "too late: they have read it"
os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
