#!/usr/bin/python3
"""measures.t - every measure compared with an independent computation.

The shared library computes the values of all small tables, of tables of
realistic size and of extreme tables.  The expected values are computed here
from the definitions, with scipy where it has the measure.
"""

import ctypes
import itertools
import math
import os
import random
import subprocess
import sys
from fractions import Fraction

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from tap import BUILD, cooc, ended, ok, skip  # noqa: E402

os.environ["OPENBLAS_NUM_THREADS"] = "1"
try:
    import numpy
    from scipy import stats
except ImportError:
    skip("every measure equals its definition",
         "python3-scipy is not installed")
    ended()

INF = math.inf


class Pair(ctypes.Structure):
    _fields_ = [("x", ctypes.c_uint32), ("y", ctypes.c_uint32),
                ("count", ctypes.c_uint64), ("fx", ctypes.c_uint64),
                ("fy", ctypes.c_uint64), ("total", ctypes.c_uint64)]


class Measure(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p)]


if subprocess.run([sys.executable, "-c", "import ctypes, sys; "
                   "ctypes.CDLL(sys.argv[1])", BUILD + "/libcooc.so"],
                  stderr=subprocess.DEVNULL).returncode:
    # a sanitizer must be loaded before Python
    skip("every measure equals its definition",
         "Python cannot load the library")
    ended()
lib = ctypes.CDLL(BUILD + "/libcooc.so")
lib.cooc_measure_get.restype = ctypes.POINTER(Measure)
lib.cooc_score.restype = ctypes.c_double
lib.cooc_score.argtypes = [ctypes.POINTER(Pair), ctypes.POINTER(Measure)]


# ---- definitions: a, b, c, d are the cells of the 2x2 table

def ln(x):
    return math.log(x) if x > 0 else -INF


def over(x, y, none=0.0):
    return x / y if y else none


def expected(a, b, c, d):
    n = a + b + c + d
    return numpy.outer([a + b, c + d], [a + c, b + d]) / n


def pmi(a, b, c, d):
    if not a:
        return -INF
    return math.log2(Fraction(a * (a + b + c + d), (a + b) * (a + c)))


def g2(a, b, c, d):
    """The value of scipy if it accepts the table."""
    seen = numpy.array([[a, b], [c, d]], float)
    if not (seen.sum(0).all() and seen.sum(1).all()):
        return 0.0
    return stats.chi2_contingency(seen, correction=False,
                                  lambda_="log-likelihood")[0]


def chi2(a, b, c, d, yates=False):
    seen = numpy.array([[a, b], [c, d]], float)
    if not (seen.sum(0).all() and seen.sum(1).all()):
        return 0.0
    if not yates:
        return stats.chi2_contingency(seen, correction=False)[0]
    # scipy corrects by at most |O - E|: the same as max(0, |O - E| - 1/2)
    return stats.chi2_contingency(seen, correction=True)[0]


def fisher(a, b, c, d):
    """-log10 of the probability of a or more, in integers or sums of logs."""
    n, few, many = a + b + c + d, min(a + b, a + c), max(a + b, a + c)
    if n > 3000:
        first = math.fsum(itertools.chain(
            ln_comb(many, a), ln_comb(n - many, few - a),
            (-v for v in ln_comb(n, few))))
        term = total = 1.0
        for k in range(a, few):
            term *= (many - k) * (few - k) / ((k + 1) * (n - many - few + k +
                                                         1))
            total += term
        return -(first + math.log(total)) / math.log(10)
    ways = sum(math.comb(many, k) * math.comb(n - many, few - k)
               for k in range(a, few + 1))
    total = math.comb(n, few)
    shift = max(0, total.bit_length() - ways.bit_length())
    return -(math.log10(Fraction(ways << shift, total)) - shift *
             math.log10(2))


def ln_comb(n, k):
    """Summands of the logarithm of the binomial coefficient."""
    return (math.log((n - i) / (i + 1)) for i in range(k))


def halves(a, b, c, d, needed):
    return ([v + 0.5 for v in (a, b, c, d)] if needed else [a, b, c, d])


def odds(a, b, c, d):
    a, b, c, d = halves(a, b, c, d, not (a and b and c and d))
    return a * d / (b * c)


def risk(a, b, c, d):
    a, b, c, d = halves(a, b, c, d, not (a and c))
    return a / (a + b) / (c / (c + d))


def conservative(a, b, c, d):
    n, fx = a + b + c + d, a + b
    e = Fraction(fx * (a + c), n)
    if a == e:
        return 0.0
    if a > e:
        q = stats.beta.ppf(0.025, a, c + 1)
        return max(0.0, math.log2((n - fx) / fx * q / (1 - q)))
    q = stats.beta.ppf(0.975, a + 1, c)
    return min(0.0, math.log2((n - fx) / fx * q / (1 - q)))


def google(a, b, c, d):
    n, fx, fy = a + b + c + d, a + b, a + c
    if not a:
        return INF
    if fx == fy == a:
        return 0.0
    return (ln(max(fx, fy)) - ln(a)) / (ln(n) - ln(min(fx, fy)))


def npmi(a, b, c, d):
    n = a + b + c + d
    return -1.0 if not a else 0.0 if a == n else pmi(a, b, c, d) / -math.log2(
        a / n)


def phi(a, b, c, d):
    return over(a * d - b * c, math.sqrt((a + b) * (c + d) * (a + c) *
                                         (b + d)))


def jlh(a, b, c, d):
    p, all_ = over(a, a + b), (a + c) / (a + b + c + d)
    return (p - all_) * p / all_ if p > all_ else 0.0


def difference(a, b, c, d):
    p, q = over(a, a + b), over(c, c + d)
    return over(p - q, p + q) if c + d else 0.0


E = lambda a, b, c, d: (a + b) * (a + c) / (a + b + c + d)  # noqa: E731
N = lambda a, b, c, d: a + b + c + d                        # noqa: E731

WANT = {
    "count": lambda a, b, c, d: a,
    "support": lambda a, b, c, d: a / N(a, b, c, d),
    "confidence": lambda a, b, c, d: over(a, a + b),
    "lift": lambda a, b, c, d: over(a, E(a, b, c, d)),
    "pmi": pmi,
    "ppmi": lambda *t: max(0.0, pmi(*t)),
    "npmi": npmi,
    "mi2": lambda a, *t: pmi(a, *t) + (math.log2(a) if a else 0),
    "mi3": lambda a, *t: pmi(a, *t) + (2 * math.log2(a) if a else 0),
    "mi-like": lambda a, b, c, d: over(a ** 3, (a + b) * (a + c)),
    "local-mi": lambda a, *t: a * pmi(a, *t) if a else 0.0,
    "poisson": lambda a, *t: a * (pmi(a, *t) * math.log(2) - 1) if a else 0.0,
    "t": lambda a, *t: ((a - E(a, *t)) / math.sqrt(a) if a else
                        -INF if E(a, *t) else 0.0),
    "z": lambda a, *t: over(a - E(a, *t), math.sqrt(E(a, *t))),
    "chi2": chi2,
    "chi2-yates": lambda *t: chi2(*t, yates=True),
    "phi": phi,
    "phi2": lambda *t: chi2(*t) / N(*t),
    "llr": lambda a, *t: math.copysign(g2(a, *t), a - E(a, *t)),
    "simple-ll": lambda a, *t: 2 * ((a * pmi(a, *t) * math.log(2) if a else 0)
                                    - (a - E(a, *t))),
    "average-mi": lambda *t: g2(*t) / (2 * N(*t) * math.log(2)),
    "fisher": fisher,
    "dice": lambda a, b, c, d: over(2 * a, 2 * a + b + c),
    "logdice": lambda a, b, c, d: (14 + math.log2(2 * a / (2 * a + b + c))
                                   if a else -INF),
    "jaccard": lambda a, b, c, d: over(a, a + b + c),
    "cosine": lambda a, b, c, d: over(a, math.sqrt((a + b) * (a + c))),
    "inclusion": lambda a, b, c, d: over(a, min(a + b, a + c)),
    "min-sensitivity": lambda a, b, c, d: over(a, max(a + b, a + c)),
    "equivalence": lambda a, b, c, d: over(a * a, (a + b) * (a + c)),
    "association": lambda a, b, c, d: over(a, (a + b) * (a + c)),
    "odds-ratio": odds,
    "log-odds": lambda *t: math.log(odds(*t)),
    "yule-q": lambda a, b, c, d: over(a * d - b * c, a * d + b * c),
    "delta-p": lambda a, b, c, d: (a / (a + b) - c / (c + d)
                                   if a + b and c + d else 0.0),
    "liddell": lambda a, b, c, d: over(a * d - b * c, (a + c) * (b + d)),
    "relative-risk": risk,
    "log-ratio": lambda *t: math.log2(risk(*t)),
    "log-ratio-c": conservative,
    "difference": difference,
    "percent-diff": lambda *t: 100 * (risk(*t) - 1),
    "leverage": lambda a, *t: (a - E(a, *t)) / N(a, *t),
    "conviction": lambda a, b, c, d: (
        1.0 if not b + d else over((a + b) * (b + d), N(a, b, c, d) * b, INF)),
    "jlh": jlh,
    "google-distance": google,
    "umass": lambda a, b, c, d: math.log((a + 1) / (a + c)) if a + c else 0.0,
}


# ---- tables

def small():
    for n in range(1, 9):
        for a, b, c in itertools.product(range(n + 1), repeat=3):
            if a + b + c <= n:
                yield a, b, c, n - a - b - c


def large(seed):
    draw = random.Random(seed)
    for _ in range(600):
        n = round(10 ** draw.uniform(1, 9))
        fx = draw.randint(1, max(1, round(n ** draw.uniform(0.2, 1))))
        fy = draw.randint(1, max(1, round(n ** draw.uniform(0.2, 1))))
        low, high = max(0, fx + fy - n), min(fx, fy)
        near = round(fx * fy / n * draw.uniform(0, 4))
        a = draw.choice([low, high, draw.randint(low, high),
                         min(max(near, low), high)])
        yield a, fx - a, fy - a, n - fx - fy + a


def same(got, want, scale):
    if got == 0 and math.copysign(1, got) < 0:
        return False        # "-0" must not be printed
    if math.isinf(want) or math.isinf(got):
        return got == want
    return abs(got - want) <= 1e-9 * abs(want) + 1e-13 * scale


def room(name, table):
    """The tolerance if both sides subtract large numbers."""
    n = sum(table)
    return {"chi2": n, "chi2-yates": n, "llr": n * 100, "simple-ll": n * 100,
            "average-mi": 100, "phi2": 1, "leverage": 1,
            "log-ratio-c": 1e5, "percent-diff": 100,
            "fisher": 1e3}.get(name, 1.0)


def too_long(name, table):
    a, b, c, _ = table
    return name == "fisher" and sum(table) > 3000 and min(b, c) + a > 20000


def unsure(name, table, want):
    """Long sums lose precision where the probability is almost 1."""
    return name == "fisher" and sum(table) > 3000 and want < 1e-3


names = []
while lib.cooc_measure_get(len(names)):
    names.append(lib.cooc_measure_get(len(names)).contents.name.decode())
ok(sorted(names) == sorted(WANT), "every measure has a definition here",
   sorted(set(names) ^ set(WANT)))
listed = [line.split("\t")[0]
          for line in cooc("measures").splitlines()[1:]]
ok(listed == names, "cooc measures lists every measure", listed)

tables = list(small()) + list(large(7))
for i, name in enumerate(names):
    wrong, tried = [], 0
    for t in tables:
        a, b, c, d = t
        if too_long(name, t):
            continue
        want = WANT[name](*t)
        if unsure(name, t, want):
            continue
        tried += 1
        pair = Pair(0, 0, a, a + b, a + c, a + b + c + d)
        got = lib.cooc_score(ctypes.byref(pair), lib.cooc_measure_get(i))
        if not same(got, want, room(name, t)):
            wrong.append((t, got, want))
    ok(not wrong and tried > 800,
       f"{name} of {tried} tables equals its definition", *wrong[:5])
ended()
