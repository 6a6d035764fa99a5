"""For all tests: each of the processes that test side by side calculates on one thread.

Several would take the cores from each other, waiting for one another. Set before NumPy and PyTorch
are loaded, and handed on to every process that a test starts.
"""

from __future__ import annotations

import os
import sys

assert not {"numpy", "torch"} & set(sys.modules), "too late: they have read it"
os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
