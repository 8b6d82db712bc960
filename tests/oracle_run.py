"""oracle_run.py - compare cooc with the oracle on random cases, in parallel.

    run(seed, cases)    cases seed, seed + 1, ...; one test per format

A case that fails is shrunk and printed as shell commands, with both results.
ORACLE_SEED and ORACLE_CASES repeat cases: the number of a case is its seed, so
ORACLE_SEED=4711 ORACLE_CASES=1 is case 4711 alone.
"""

import collections
import multiprocessing
import os
import time
import traceback

import tap

try:
    import oracle_case
    import oracle_check
    MISSING = None
except ImportError as e:
    MISSING = f"python3-{'icu' if e.name == 'icu' else e.name} is not installed"

SHRINK = 2          # number of failures of one kind that each worker shrinks
TOLD = 5            # number of failures per format that are printed
_shrunk = collections.Counter()


def try_case(number):
    """(format, number of commands, None or the mismatch)."""
    directory = f"{tap.WORK}/worker{os.getpid()}"
    case = oracle_case.make(number)

    def failure(of):
        try:
            return None, oracle_check.check(of, directory)
        except oracle_check.Mismatch as e:
            return e, e.ran

    try:
        mismatch, ran = failure(case)
    except Exception:       # for example output that is not a table
        return case["format"], 0, f"case {number}: {traceback.format_exc()}"
    if not mismatch:
        return case["format"], ran, None
    kind = mismatch.what
    _shrunk[kind] += 1
    if _shrunk[kind] > SHRINK:
        return case["format"], ran, f"case {number}: {kind}"

    def still(small):
        try:
            found = failure(small)[0]
        except Exception:           # the case cannot be made
            return False
        return found is not None and found.what == kind

    small = oracle_case.shrink(case, still)
    again = failure(small)[0]
    return case["format"], ran, oracle_check.tell(
        small, again or mismatch, directory)


def run(seed, cases):
    if MISSING:
        tap.skip("random collections agree with the oracle", MISSING)
        tap.ended()
    seed = int(os.environ.get("ORACLE_SEED") or seed)
    cases = int(os.environ.get("ORACLE_CASES") or cases)
    print(f"# ORACLE_SEED={seed} ORACLE_CASES={cases}", flush=True)
    start = time.monotonic()
    count, wrong = collections.Counter(), collections.defaultdict(list)
    commands = 0
    with multiprocessing.Pool(os.cpu_count()) as pool:
        for name, ran, told in pool.imap_unordered(
                try_case, range(seed, seed + cases)):
            count[name] += 1
            commands += ran
            if told:
                wrong[name].append(told)
                print("# " + told.replace("\n", "\n# "), flush=True)
    for name in sorted(count):
        tap.ok(not wrong[name], f"{count[name]} random collections as {name}: "
               "every result agrees with the oracle",
               f"{len(wrong[name])} of {count[name]} differ", *sorted(
                   wrong[name], key=len, reverse=True)[:TOLD])
    print(f"# {cases} collections, {commands} commands, "
          f"{time.monotonic() - start:.0f} s")
    tap.ended()
