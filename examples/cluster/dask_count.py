#!/usr/bin/env python3
"""dask_count.py - count a collection with the workers of a Dask cluster.

Set the values below, then run: python3 dask_count.py
A part of which the worker dies is repeated by another worker.  If the program
stops while it counts, run it again: finished parts are kept.  A store that is
counted is only verified.
"""

import os

from dask.distributed import Client

import cooc.distributed

# ---- what to set ----------------------------------------------------------
SCHEDULER = "tcp://scheduler:8786"      # the address of the Dask scheduler
INPUTS = ["/shared/letters"]            # files or folders, seen by all workers
STORE = "/shared/letters.cooc"          # the store to make, seen by all workers
PARTS = 64                              # at least 4 per worker
OPTIONS = {}                            # such as {"stem": "english"}
# ---------------------------------------------------------------------------

if __name__ == "__main__":
    with Client(SCHEDULER) as client:
        how = {"client": client, "parts": PARTS, "progress": True}
        if not os.path.exists(STORE):
            cooc.distributed.index(INPUTS, STORE, **how, **OPTIONS)
        with cooc.open(STORE) as store:
            counted = store.info.counted
        if not counted:
            cooc.distributed.count_store(STORE, **how)
    print(cooc.open(STORE))
    print(cooc.check(STORE))
