"""The algebra as text for people: ``Σ e ∈ EMP, d ∈ DEPT [e.DEPTNO = d.DEPTNO] → (e.ENAME)``.

Certificates, explanations and pages of the documentation show it; nothing reads it back.
"""
