"""Training of the neural player by playing itself; needs ``pip install 'foretold[train]'``.

`course.train` is the whole of it; docs/training.md tells the method.
"""

from foretold.extras import need

need("train")
