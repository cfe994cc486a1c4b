"""Work in processes that can be killed.

Everything that may run long, exhaust memory or crash is a task of a :class:`~equiv.workers.lanes.Lane`: a
worker process with one task after the other.  :mod:`equiv.workers.scheduler` gives lanes their tasks.
Who has workers, and what becomes of a task that is lost with one:

- ``equiv.check``: one for the process, which the command line starts early; TIMEOUT or RESOURCE;
- ``Checker``, ``check_many``: one a checker, started by its first pair; it ends with the checker; the same;
- ``eval``: ``workers`` of them share out the gold queries; the same, but a pair whose worker somebody else
  killed is tried once more; or the same on the machines of Ray;
- execution accuracy: ``workers``, each gold query always on the same; not measured;
- further facts after ``eval``, and ``gold``: ``workers`` share out misses and gold queries; it is told;
- judge, metrics and the makers of mutants: one aside; no answer;
- ``suite``: one a database, each waited for by a thread; the query that cost it is left out;
- ``rewards`` and ``serve``: ``workers``, each gold query always on the same; before those of the service a
  bounded line of pairs; TIMEOUT or RESOURCE;
- ``fuzz`` and the attacks: ``workers`` of them share out batches of pairs; counted, and done by a rerun.

A task that overstays its time, or whose worker dies, is killed and becomes a value, ``Timeout`` or
``Crashed``; the next one finds a new worker.

Workers ignore Ctrl-C, which the parent handles: as it leaves its lanes they are killed, what is written
stays, and a rerun resumes. Workers of a parent that is killed see its end of the pipe close, and the kernel
ends one that does not look. A fork inherits no worker.

Threads are those that wait for a lane, and those of the judge, which wait for the network and run no SQL;
the service has one event loop. :mod:`equiv.workers.lanes` waits without missing Ctrl-C.
"""
