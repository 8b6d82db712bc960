"""oracle_ask.py - random queries on a store, for oracle_check.py.

Each query uses labels that the store prints or words of the documents, and its
result is compared with that of the oracle's Collection.
"""

import json
import math

from oracle_model import DIRECTED, MEASURES, SMALL_IS_STRONG, Table

UNESCAPED = {"0": "\0", "t": "\t", "n": "\n", "r": "\r", "\\": "\\"}
UNFIT = set("\0\t\n\r\v\f")     # not allowed in an argument or a line of a list


def unescape(cell):
    out, chars = [], iter(cell)
    for c in chars:
        out.append(UNESCAPED[next(chars)] if c == "\\" else c)
    return "".join(out)


def table(lines):
    """The header and the rows of a table with tabs."""
    cells = [[unescape(c) for c in line.split("\t")] for line in lines if line]
    return cells[0], cells[1:]


def objects(data, *keys):
    """Tuples of these members of JSON lines."""
    return [tuple(json.loads(line).get(key) for key in keys)
            for line in data.decode().split("\n") if line]


def close(wanted, found):
    found = float(found)
    if math.isinf(wanted) or math.isinf(found):
        return wanted == found
    return math.isclose(wanted, found, rel_tol=1e-8, abs_tol=1e-9)


def usable(word):
    return word and not set(word) & UNFIT and len(word) < 1000


def choose(draw, model, k):
    """k different terms, each with a word that finds it."""
    found = {}
    labels = [t for t in model.terms if usable(model.label[t])]
    for term in draw.sample(labels, min(k, len(labels))):
        found[term] = model.label[term]
        forms = [f for t, f in model.forms if t == term and usable(f) and
                 model.find(f) == term]
        if forms and draw.random() < 0.4:
            found[term] = draw.choice(sorted(forms))
    return found


class Asked:
    """A store, the results that it must give, and a random generator."""

    def __init__(self, case, cooc, model, draw):
        self.case, self.cooc, self.model, self.draw = case, cooc, model, draw

    def table(self, *args):
        return table(self.cooc.run(*args).decode().split("\n"))

    def measure(self, name, x, y):
        """The value of a measure from term x to term y."""
        m = self.model
        return MEASURES[name](Table(m.count(x, y), m.df[x], m.df[y], m.n))

    # ---- rankings

    def ranked(self, what, rows, scores, limit, by):
        """rows: keys and scores as printed; scores: of every candidate."""
        sign = -1 if by in SMALL_IS_STRONG else 1
        cooc = self.cooc
        cooc.same(what + ": number of rows", min(limit or math.inf,
                                                 len(scores)), len(rows))
        for key, score in rows:
            if key not in scores or not close(scores[key], score):
                cooc.differ(what + " by " + by, (key, scores.get(key)),
                            (key, score))
        cooc.same(what + ": different rows", len({k for k, _ in rows}),
                  len(rows))
        values = [sign * float(score) for _, score in rows]
        for one, two in zip(values, values[1:]):
            if two > one and not close(one, two):
                cooc.differ(what + ": order", f"{one} not before {two}", rows)
        left = set(scores) - {key for key, _ in rows}
        best = max((sign * scores[key] for key in left), default=-math.inf)
        if rows and best > values[-1] and not close(best, values[-1]):
            cooc.differ(what + ": what is left out", best, values[-1])

    def top(self):
        m, draw = self.model, self.draw
        words = choose(draw, m, draw.choice((1, 1, 1, 2, 3)))
        if not words:
            return
        any_of = len(words) > 1 and draw.random() < 0.5
        by = draw.choice(sorted(MEASURES))
        limit, least = draw.choice((0, 3, 10)), draw.choice((1, 1, 2))
        args = ["top", "s.cooc", "-n", str(limit), "--by", by, "--min-count",
                str(least)] + (["--any"] if any_of else [])
        holders = m.holders(words, any_of)
        reverse = by in DIRECTED and draw.random() < 0.5
        tune = by in ("pmi", "ppmi") and not reverse and draw.random() < 0.5
        args += ["--reverse"] if reverse else []
        args += ["--smoothing", "0.75", "--shift", "2"] if tune else []
        scores, more = {}, {}
        for term, n in m.partners(holders, words).items():
            if n < least:
                continue
            fx, fy = len(holders), m.df[term]
            value = MEASURES[by](Table(n, fy, fx, m.n) if reverse else
                                 Table(n, fx, fy, m.n))
            if tune:
                share = sum(m.df.values()) / sum(f ** .75
                                                 for f in m.df.values())
                value = math.log2(n * m.n / (fx * fy ** .75 * share)) - 1
                value = max(0.0, value) if by == "ppmi" else value
            scores[m.label[term]] = value
            more[m.label[term]] = [str(n), str(fy)]
        rows = self.table(*args, "--", *words.values())[1]
        self.cooc.same("top: count and df", [more.get(r[0]) for r in rows],
                       [r[1:3] for r in rows])
        at = 1 if by == "count" else 3
        self.ranked("top", [(r[0], r[at]) for r in rows], scores, limit, by)
        if by == "count":
            order = sorted(scores, key=lambda label: (
                -scores[label], m.ids[m.by_label[label]]))
            self.cooc.same("top: equal counts", order[:limit or None],
                           [r[0] for r in rows])

    def pairs(self):
        m, draw = self.model, self.draw
        if self.case["plan"] == "index":
            return
        by = draw.choice(sorted(MEASURES))
        limit, least = draw.choice((0, 5, 20)), draw.choice((1, 1, 2))
        rows = self.table("pairs", "s.cooc", "-n", str(limit), "--by", by,
                          "--min-count", str(least))[1]
        scores = {(m.label[x], m.label[y]): self.measure(by, x, y)
                  for (x, y), n in m.pairs.items() if n >= least}
        at = 2 if by == "count" else 5
        self.ranked("pairs", [((r[0], r[1]), r[at]) for r in rows], scores,
                    limit, by)

    # ---- single queries

    def pair(self):
        m = self.model
        words = choose(self.draw, m, 2)
        if len(words) < 2:
            return
        (x, a), (y, b) = words.items()
        found = dict(self.table("pair", "s.cooc", "--all", "--", a, b)[1])
        count = m.count(x, y)
        wanted = {"documents": m.n, "df1": m.df[x], "df2": m.df[y],
                  "count": count, "only1": m.df[x] - count,
                  "only2": m.df[y] - count,
                  "neither": m.n - m.df[x] - m.df[y] + count}
        self.cooc.same("pair", {k: str(v) for k, v in wanted.items()},
                       {k: found.get(k) for k in wanted})
        for name in MEASURES:
            value = self.measure(name, x, y)
            if name in found and not close(value, found[name]):
                self.cooc.differ("pair: " + name, value, found[name])

    def docs(self):
        m, draw = self.model, self.draw
        words = choose(draw, m, draw.randint(1, 3))
        if not words:
            return
        any_of = draw.random() < 0.4
        lines = self.cooc.run("docs", "s.cooc", "--json",
                              *(["--any"] if any_of else []), "--",
                              *words.values())
        self.cooc.same("docs", [(m.names[i],) for i in
                                sorted(m.holders(words, any_of))],
                       objects(lines, "document"))

    def row(self):
        m, draw = self.model, self.draw
        for term, word in choose(draw, m, 1).items():
            by = draw.choice(sorted(set(MEASURES) - {"count"}))
            rows = self.table("row", "s.cooc", "--measures", by, "--order",
                              draw.choice(("df", "name")), "--", word)[1]
            wanted = {m.label[t]: (n, m.df[t]) for t, n in m.partners(
                m.where[term], {term}).items()}
            self.cooc.same("row", wanted, {r[0]: (int(r[1]), int(r[2]))
                                           for r in rows})
            for r in rows:
                value = self.measure(by, term, m.by_label[r[0]])
                if not close(value, r[3]):
                    self.cooc.differ("row: " + by, (r[0], value), r)

    def between(self):
        m, draw = self.model, self.draw
        lists = []
        for name in ("one.txt", "two.txt"):
            words = {t: w for t, w in choose(draw, m, 5).items()
                     if w[0] != "#" and w.strip() == w and w[0] != "\ufeff"}
            if not words:
                return
            lists.append(words)
            with open(f"{self.cooc.directory}/{name}", "wb") as f:
                f.write("".join(w + "\n" for w in words.values()).encode())
        by = draw.choice(sorted(set(MEASURES) - {"count"}))
        rows = self.table("between", "s.cooc", "one.txt", "two.txt",
                          "--measures", by)[1]
        wanted = []
        for x in lists[0]:
            for y in lists[1]:
                a = m.count(x, y)
                if x != y:
                    wanted.append([m.label[x], m.label[y]] + [str(n) for n in (
                        a, m.df[x] - a, m.df[y] - a,
                        m.n - m.df[x] - m.df[y] + a)])
        self.cooc.same("between", wanted, [r[:6] for r in rows])
        for r in rows:
            value = self.measure(by, m.by_label[r[0]], m.by_label[r[1]])
            if not close(value, r[7]):
                self.cooc.differ("between: " + by, (r[:2], value), r)

    def terms(self):
        m, draw = self.model, self.draw
        least, limit = draw.randint(1, 4), draw.randint(1, 9)
        lines = self.cooc.run("terms", "s.cooc", "--json", "--min-df",
                              str(least), "-n", str(limit))
        self.cooc.same("terms -n", [(m.label[t], m.df[t]) for t in m.terms
                                    if m.df[t] >= least][:limit],
                       objects(lines, "term", "df"))


QUESTIONS = ("top", "top", "pair", "pairs", "docs", "docs", "between", "row",
             "terms")


def ask(case, cooc, model, draw):
    """Run some random queries."""
    asked = Asked(case, cooc, model, draw)
    for name in draw.sample(QUESTIONS, 5):
        getattr(asked, name)()
