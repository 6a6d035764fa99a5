"""Training of the neural player by playing itself; needs ``pip install 'foretold[train]'``.

`run.run` is the whole of it; docs/training.md describes the method.

- `vector_env`, `seating`, `opponents`, `variety`: games of many rules, and who plays in them
- `selfplay`, `outcomes`, `learner`: decisions, what came of them, what is learned from them
- `training_loop`, `checkpoint`, `settings`: the whole run, which can be resumed at any time
- `duel`, `strength`, `curves`: how strong a network is
- `watching`, `imitation`: networks that decide as some bot does

May import `workers`, and what is below it.
"""

from foretold.extras import need

need("train")
