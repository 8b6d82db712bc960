#!/usr/bin/python3
"""oracle.t - random combinations of all options compared with an oracle.

    make abuse ABUSE=oracle
    ORACLE_SEED=4711 ORACLE_CASES=1 make abuse ABUSE=oracle    repeat a case

Each case draws documents in many scripts, a format, options for words and
terms, lists, a way to make the store (index, count, merge, add; method,
threads, memory, rows), and queries.  tests/oracle_words.py and oracle_model.py
compute the expected answers from docs/COUNTS.md, with PyICU and Snowball's
Python stemmers and without any code of cooc.
"""

import os
import random
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
import oracle_run  # noqa: E402

oracle_run.run(random.randrange(10 ** 9), 2000)
