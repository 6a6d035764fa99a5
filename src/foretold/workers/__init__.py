"""Processes that think: starting them, asking them, and going on when one fails.

Bots, hints and other long work run in processes of their own: there a bot may print, hang or crash
without harm to whoever asked it.

- `starting`, `answering`, `frames`: how a process is started, its end of the pipes, the messages
- `failures`: what can become of a question
- `process`, `crew`: asked by a plain call; several that work through jobs (arena)
- `calls`: calls of a plain function, spread over several (training, benchmarks)
- `loop_process`, `pool`, `fair_queue`: asked from an event loop; several with one queue (server)
- `marks`: what a process is at within a long piece of work, and how long that may take
- `bots`, `bot_worker`: decisions of bots, with the simple bot in the place of one that fails

May import `bots`, and what is below them. A process ends with the one that started it, even if that
is killed.
"""
