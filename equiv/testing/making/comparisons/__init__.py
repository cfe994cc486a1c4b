"""Questions in several ways whose answers hang on the collation and affinity of the operands compared.

Neither stands in the text of an expression: ``CASE WHEN 1 THEN n END`` has the value of ``n``, no collation;
``+n`` has its collation and no affinity; IN, GROUP BY, UNION, USING and row values each ask another operand.
"""
