"""Work in processes that can be killed.

Everything that may run long, exhaust memory or crash is a task of a :class:`~equiv.workers.lanes.Lane`: a
worker process with one task after the other.  Who has lanes:

- ``equiv.check``: one for the process, which the command line starts early;
- ``Checker``, ``check_many``: one a checker, started by its first pair; it ends with the checker;
- ``eval``: one for each of ``workers``, with a course of gold queries, and one aside where further facts are
  looked for; or the same on the machines of Ray;
- execution accuracy, judge and ``gold``: one for each of ``workers``, one aside, one a group of small tasks;
- ``suite``: one a database, each waited for by a thread;
- ``rewards`` and ``serve``: one for each of ``workers``, each gold query always on the same; before those of
  the service a bounded line of pairs;
- ``fuzz`` and the attacks: one for each of ``workers``, with a batch of pairs at a time.

A task that overstays its time, or whose worker dies, is killed and becomes a value, ``Timeout`` or
``Crashed``; the next one finds a new worker.  Evaluation tries a pair once more whose worker somebody else
killed; checkers, rewards and service say TIMEOUT or RESOURCE; an attack counts the task as lost, and a
rerun does it.

Workers ignore Ctrl-C, which the parent handles: as it leaves its lanes they are killed, what is written
stays, and a rerun resumes. Workers of a parent that is killed see its end of the pipe close, and the kernel
ends one that does not look. A fork inherits no worker.

Threads are those that wait for a lane, and those of the judge, which wait for the network and run no SQL;
the service has one event loop. :mod:`equiv.workers.lanes` waits without missing Ctrl-C.
"""
