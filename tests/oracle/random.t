#!/usr/bin/python3
"""random.t - the short form of tests/abuse/oracle.t: the same 40 random cases
each time, compared with an oracle that shares no code with cooc.

    ORACLE_SEED=4711 ORACLE_CASES=1 tests/run build oracle/random
"""

import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
import oracle_run  # noqa: E402

oracle_run.run(20070809, 40)
