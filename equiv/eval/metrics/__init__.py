"""The metrics of the field, each computed from the same result records.

A metric gives a record 1, 0 or nothing (:class:`~equiv.eval.metrics.scores.Measured`);
what measures metrics (shares, agreement, gaps) takes any of them.  Each module says where its
metric is defined: paper, section, formula or table.
"""
