"""Exact document co-occurrence counts for every pair of terms.

>>> import cooc
>>> store = cooc.count(["black coffee", "black tea", "green tea and coffee"],
...                    "drinks.cooc")
>>> store["coffee", "tea"]
1
>>> store.close()

cooc.count() counts documents in memory, cooc.index() and cooc.count_store()
count documents in files, and cooc.open() opens a store for queries.
cooc.distributed counts with the workers of a Dask cluster.
"""

from . import _abi
from ._lib import Progress
from .build import check, count, count_part, count_store, index
from .errors import (BusyError, CancelledError, CoocError, DiskFullError,
                     ExistsError, FormatError, InvalidError, LimitError,
                     NotCountedError, NotFoundError, OutOfMemoryError,
                     SystemRefusedError, UnknownTermError, VersionError)
from .grow import add, merge
from .measures import Measure, measure, measures
from .records import Info, Lengths, Pair
from .store import Store, open

__version__ = _abi.VERSION
__all__ = ["BusyError", "CancelledError", "CoocError", "DiskFullError",
           "ExistsError", "FormatError", "Info", "InvalidError", "Lengths",
           "LimitError", "Measure", "NotCountedError", "NotFoundError",
           "OutOfMemoryError", "Pair", "Progress", "Store",
           "SystemRefusedError", "UnknownTermError", "VersionError", "add",
           "check", "count", "count_part", "count_store", "index", "measure",
           "measures", "merge", "open"]
