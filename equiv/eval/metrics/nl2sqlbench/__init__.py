"""NL2SQLBench: the modules of a system measured one by one, in its three steps.

Source: NL2SQLBench, sections 3.1 (metrics) and 3.2 (collect, post-process, benchmark), appendix A.1 (the
form in which results are collected).
"""
