"""oracle_model.py - the store that a collection must give, by brute force.

Half of the oracle of tests/abuse/oracle.t; docs/COUNTS.md is its definition.
A Collection has every number that a store can report: documents, terms in the
order of their ids, df, labels, and the count of every pair.
"""

import collections
import fractions
import itertools
import math

from oracle_words import LIST_BLANKS, list_lines


def max_df(limit, n):
    """The largest df that --max-df N or P% of n documents keeps."""
    if limit.endswith("%"):
        return math.floor(fractions.Fraction(limit[:-1]) * n / 100)
    return int(limit)


class Collection:
    """documents: for each, its name, the number of its words, and its words
    and phrases."""

    def __init__(self, documents, rules, options):
        self.rules = rules
        self.names = [document[0] for document in documents]
        self.docs, self.forms = [], collections.Counter()
        cap = options.get("max-doc-terms") or math.inf
        self.tokens = 0
        for _, words, units in documents:
            terms = {}
            self.tokens += words
            found = [t for t in map(rules.term, units) if t]
            for term, _ in found:
                if len(terms) < cap:
                    terms[term] = True
            self.docs.append(set(terms))
            self.forms.update(t for t in found if t[0] in terms)
        self.n = len(self.docs)
        self._filter(options)
        self._count()
        self._label()

    def _filter(self, options):
        df = collections.Counter(itertools.chain.from_iterable(self.docs))
        left = set(df)
        if "terms" in options:
            wanted = (found for line in list_lines(options["terms"])
                      for found in self.rules.listed(line.strip(LIST_BLANKS)))
            left &= {found[0] for found in wanted if found}
        most = max_df(options.get("max-df", f"{self.n}"), self.n)
        left = {t for t in left if options.get("min-df", 1) <= df[t] <= most}
        self.terms = sorted(left, key=lambda t: (-df[t], t.encode()))
        del self.terms[options.get("top-terms", len(self.terms)):]
        self.ids = {term: i for i, term in enumerate(self.terms)}
        self.df = {term: df[term] for term in self.terms}
        self.docs = [doc & self.df.keys() for doc in self.docs]

    def _count(self):
        self.where = collections.defaultdict(set)
        for i, doc in enumerate(self.docs):
            for term in doc:
                self.where[term].add(i)
        pairs = collections.Counter()
        for doc in self.docs:
            pairs.update(itertools.combinations(
                sorted(doc, key=self.ids.__getitem__), 2))
        self.pairs = dict(pairs)    # the more frequent term first

    def _label(self):
        """The most frequent form of each term; if tied, the shortest, then
        the first in byte order."""
        forms = collections.defaultdict(list)
        for (term, form), n in self.forms.items():
            forms[term].append((-n, len(form.encode()), form.encode(), form))
        self.label = {term: min(forms[term])[3] for term in self.terms}
        self.by_label = {self.label[term]: term for term in self.terms}

    # ---- queries

    def count(self, x, y):
        if x == y:
            return self.df[x]
        if self.ids[x] > self.ids[y]:
            x, y = y, x
        return self.pairs.get((x, y), 0)

    def find(self, word):
        """The term that a query word denotes, or None."""
        if word in self.by_label:
            return self.by_label[word]
        words = self.rules.words(word)
        unit = words[0] if len(words) == 1 else \
            self.rules.phrases.get(self.rules.key(words))
        found = self.rules.term(unit) if unit else None
        return found[0] if found and found[0] in self.ids else None

    def holders(self, terms, any_of=False):
        """Numbers of the documents that contain all, or any, of the terms."""
        sets = [self.where[term] for term in terms]
        return set.union(*sets) if any_of else set.intersection(*sets)

    def partners(self, holders, but):
        """Each other term of these documents, with its count in them."""
        found = collections.Counter(itertools.chain.from_iterable(
            self.docs[i] for i in holders))
        return {t: n for t, n in found.items() if t not in but}


# ---- measures, after the formulas that 'cooc measures' prints

class Table:
    """The four cells of a pair."""

    def __init__(self, a, fx, fy, n):
        self.a, self.fx, self.fy, self.n = a, fx, fy, n
        self.b, self.c, self.d = fx - a, fy - a, n - fx - fy + a
        self.e = fx * fy / n

    def cells(self):
        """Observed and expected count of each of the four cells."""
        gx, gy = self.n - self.fx, self.n - self.fy
        return ((self.a, self.e), (self.b, self.fx * gy / self.n),
                (self.c, gx * self.fy / self.n), (self.d, gx * gy / self.n))


def _pmi(t):
    return math.log2(t.a * t.n / (t.fx * t.fy)) if t.a else -math.inf


def _npmi(t):
    if not t.a:
        return -1.0
    return 0.0 if t.a == t.n else _pmi(t) / -math.log2(t.a / t.n)


def _llr(t):
    g2 = 2 * sum(o * math.log(o / e) for o, e in t.cells() if o)
    return -g2 if t.a * t.n < t.fx * t.fy else g2


def _chi2(t):
    under = t.fx * t.fy * (t.n - t.fx) * (t.n - t.fy)
    return t.n * (t.a * t.d - t.b * t.c) ** 2 / under if under else 0.0


def _odds(t):
    a, b, c, d = t.a, t.b, t.c, t.d
    if 0 in (a, b, c, d):
        a, b, c, d = a + 0.5, b + 0.5, c + 0.5, d + 0.5
    return a * d / (b * c)


def _delta_p(t):
    return t.a / t.fx - t.c / (t.n - t.fx) if t.fx < t.n else 0.0


def _fisher(t):
    if not t.a:
        return 0.0
    ways = sum(math.comb(t.fx, k) * math.comb(t.n - t.fx, t.fy - k)
               for k in range(t.a, min(t.fx, t.fy) + 1))
    return math.log10(math.comb(t.n, t.fy)) - math.log10(ways)


def _google(t):
    if not t.a:
        return math.inf
    if t.a == max(t.fx, t.fy):
        return 0.0
    return (math.log(max(t.fx, t.fy)) - math.log(t.a)) / \
        (math.log(t.n) - math.log(min(t.fx, t.fy)))


def _conviction(t):
    if t.fy == t.n:
        return 1.0
    return t.fx * (t.n - t.fy) / (t.n * t.b) if t.b else math.inf


MEASURES = {
    "count": lambda t: t.a,
    "support": lambda t: t.a / t.n,
    "confidence": lambda t: t.a / t.fx,
    "lift": lambda t: t.a / t.e,
    "pmi": _pmi,
    "ppmi": lambda t: max(0.0, _pmi(t)),
    "npmi": _npmi,
    "mi3": lambda t: math.log2(t.a ** 3 / t.e) if t.a else -math.inf,
    "t": lambda t: (t.a - t.e) / math.sqrt(t.a) if t.a else -math.inf,
    "z": lambda t: (t.a - t.e) / math.sqrt(t.e),
    "chi2": _chi2,
    "llr": _llr,
    "fisher": _fisher,
    "dice": lambda t: 2 * t.a / (t.fx + t.fy),
    "logdice": lambda t: 14 + math.log2(2 * t.a / (t.fx + t.fy))
    if t.a else -math.inf,
    "jaccard": lambda t: t.a / (t.a + t.b + t.c),
    "cosine": lambda t: t.a / math.sqrt(t.fx * t.fy),
    "inclusion": lambda t: t.a / min(t.fx, t.fy),
    "odds-ratio": _odds,
    "delta-p": _delta_p,
    "leverage": lambda t: t.a / t.n - t.fx * t.fy / t.n ** 2,
    "conviction": _conviction,
    "google-distance": _google,
    "umass": lambda t: math.log((t.a + 1) / t.fy),
}
SMALL_IS_STRONG = {"google-distance"}
DIRECTED = {"confidence", "delta-p", "conviction", "umass"}
