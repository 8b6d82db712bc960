"""oracle_case.py - random cases for tests/abuse/oracle.t, and smaller ones.

A case is a dict of plain values, made from one number: documents, options for
words and terms, lists, how the documents are split over files and stores, and
how the pairs are counted.  shrink() removes everything that is not needed for
a case to fail.
"""

import copy
import random
import time

import oracle_texts
from oracle_formats import (ENCODINGS, JSON_OPTIONS, NUMBERED, REDUCED, TEXT)
from oracle_words import STEMMERS, Rules

LISTS = ("phrases", "stop", "thesaurus", "terms")
PLAIN = ("lines", "files", "tsv")   # formats without marks of paragraphs
TERM_FILTERS = ("min-df", "max-df", "top-terms")
SHARES = ("50%", "33.3%", "66.7%", "12.5%", "99.99%", "40%", "70%", "29%",
          "57%", "0.1%", "33.33333333%", "100%")
BREAKS = b"\t\n\r\0"


# ---- documents

def reduced_terms(draw, words, odd):
    """Terms without line ends, and without tabs in triples."""
    terms = []
    for word in words:
        term = oracle_texts.odd_case(draw, word).encode()
        term = b"".join(bytes([c]) for c in term if c not in BREAKS)
        if odd and draw.random() < 0.2:
            term = b"x" + draw.choice(odd)
        if len(term) < 60000:
            terms.append(term)
    terms += [b"New York", b"12", b"3.14", b"a  b"]
    return [t for t in terms if t]


def bag(draw, case, terms):
    """The pieces of a document of a reduced format."""
    n = draw.choice((0, 1, draw.randint(1, 25), draw.randint(1, 25)))
    if case["format"] in NUMBERED:
        chosen = draw.sample(range(len(terms)), min(n, len(terms)))
        return [(i, draw.choice(("1", "1", "2", "17", "0"))) for i in chosen]
    return [(draw.choice(terms), draw.choice(("", "1", "5", "0"))
             if case["format"] == "triples" else "") for _ in range(n)]


def make_documents(draw, case, words, odd):
    count = draw.choice((0, 1, 2, 5, 12, 30, 30, 60, 120))
    longest = draw.choice((5, 15, 40))
    if case["format"] in REDUCED:
        terms = reduced_terms(draw, words, odd)
        if case["format"] == "transactions":
            terms = items(case, terms)
        if case["format"] in NUMBERED:
            terms = [t.strip() for t in terms if t.strip()]
            case["vocab"] = terms if draw.random() < 0.7 else None
    for i in range(count):
        pieces = bag(draw, case, terms) if case["format"] in REDUCED else \
            oracle_texts.text(draw, words, odd, longest)
        case["docs"].append({"id": f"d{i}", "pieces": pieces,
                             "deco": draw.randrange(1 << 20)})


def items(case, terms):
    """Terms as items of transactions, after trimming and splitting."""
    left = []
    for term in terms:
        for separator in case["options"].get("separators", " \t,"):
            term = term.replace(separator.encode(), b"")
        if term.strip(b" \t\v\f"):
            left.append(term.strip(b" \t\v\f"))
    return left


def recode(case):
    """Remove characters that the encoding does not have."""
    encoding = ENCODINGS[case["options"]["encoding"]]

    def clean(data):
        text = data.decode("utf-8", "replace")
        return text.encode(encoding, "ignore").decode(encoding).encode()

    for doc in case["docs"]:
        if case["format"] in REDUCED:
            doc["pieces"] = [(clean(t), w) for t, w in doc["pieces"]
                             if clean(t).strip()]
        else:
            doc["pieces"] = [clean(p) for p in doc["pieces"]]


# ---- options

def some_words(draw, case, words, least=0):
    """Words that a list can contain: each is one word by the rules."""
    rules = Rules({k: v for k, v in case["options"].items()
                   if k in ("tokens", "keep-case")},
                  case["format"] in REDUCED)
    good = [w for w in words if len(rules.words(w)) == 1 and len(w) < 200 and
            w.strip() == w and not set(w) & set("\t\n\r\0\v\f\ufeff") and
            w[0] != "#"]
    good += [w.upper() for w in good if len(rules.words(w.upper())) == 1]
    chosen = draw.sample(good, min(len(good), draw.randint(least, 12)))
    return chosen, good, rules


def some_phrases(draw, case):
    """Phrases that occur in documents, and some that do not."""
    if case["format"] not in PLAIN:
        return []
    _, _, rules = some_words(draw, case, [])
    found = ["New-York", "a b c", "x  y"]
    for doc in draw.sample(case["docs"], min(len(case["docs"]), 12)):
        words = rules.words(b"".join(doc["pieces"]).decode("utf-8", "replace"))
        i, n = draw.randrange(len(words) + 1), draw.choice((2, 2, 3, 5))
        entry = draw.choice((" ", " ", "  ", "-")).join(words[i:i + n])
        if len(entry) < 200 and not set(entry) & set("\t\n\r\0\v\f\ufeff") \
                and entry[:1] != "#" and entry.strip() == entry and \
                rules.words(entry) == words[i:i + n] and len(words[i:]) > 1:
            found.append(entry)
    return draw.sample(found, draw.randint(1, len(found)))


def make_phrases(draw, case, words):
    phrases = some_phrases(draw, case)
    if any(len(p.split()) > 1 for p in phrases) and draw.random() < 0.3:
        case["options"]["phrase-words"] = "keep"
    return ["# phrases"] + phrases + some_words(draw, case, words)[0][:2]


def make_stop(draw, case, words):
    chosen, _, _ = some_words(draw, case, words)
    return ["# a comment", "", "#"] + chosen + some_phrases(draw, case)[:2]


def make_thesaurus(draw, case, words):
    """Ordered variants; a preferred form is a later variant, or empty."""
    chosen, good, rules = some_words(draw, case, words)
    variants = {rules.words(word)[0]: word for word in chosen}
    names = list(variants)
    plain = [w for w in good if rules.words(w) == [rules.fold(w)]]
    end = [w for w in plain if rules.fold(w) not in variants] + ["Neues"]
    lines = ["label\tReplace By"] if draw.random() < 0.2 else []
    for i, name in enumerate(names):
        how = draw.randrange(8)
        later = [variants[v] for v in names[i + 1:]
                 if rules.fold(variants[v]) == v]
        if how == 0:
            preferred = ""
        elif how == 1 and not (case["format"] in REDUCED and
                               "stem" in case["options"]):
            preferred = f"{draw.choice(end)} {draw.choice(end)}"
        elif how <= 3 and later:
            preferred = draw.choice(later)
        elif how == 4 and rules.fold(variants[name]) == name:
            preferred = variants[name]
        else:
            preferred = draw.choice(end)
        lines.append(f"{variants[name]}\t{preferred}")
    seen = {tuple(rules.words(line.split("\t")[1])) for line in lines}
    for phrase in some_phrases(draw, case):
        key = tuple(w.casefold() for w in rules.words(phrase))
        if len(key) > 1 and key not in seen and "stem" not in case["options"]:
            seen.add(key)
            lines.append(f"{phrase}\t{draw.choice(end)}")
    return lines


def make_terms(draw, case, words):
    chosen = some_words(draw, case, words, 1)[0] + \
        some_phrases(draw, case)[:4]
    return chosen or ["none"]


def make_word_options(draw, case):
    options = case["options"]
    if draw.random() < 0.3 and case["format"] not in REDUCED:
        options["tokens"] = draw.choice(("whitespace", "whitespace", "words"))
    if draw.random() < 0.2:
        options["keep-case"] = True
    if draw.random() < 0.25:
        options["numbers"] = draw.choice(("drop", "drop", "keep"))
    if draw.random() < 0.15:
        options["min-length"] = draw.randint(1, 4)
    if draw.random() < 0.15:
        options["max-length"] = draw.randint(4, 12)
    if draw.random() < 0.4:
        options["stem"] = draw.choice(["english"] * 8 + STEMMERS)
    if draw.random() < 0.15:
        options["max-doc-terms"] = draw.randint(1, 15)


def make_filters(draw, case):
    options = case["options"]
    if draw.random() < 0.2:
        options["min-df"] = draw.randint(1, 4)
    if draw.random() < 0.3:
        options["max-df"] = draw.choice(SHARES) if draw.random() < 0.7 \
            else str(draw.randint(1, 20))
    if draw.random() < 0.2:
        options["top-terms"] = draw.randint(1, 20)


def make_format_options(draw, case):
    name, options = case["format"], case["options"]
    if name == "jsonl":
        case["json"] = draw.randrange(3)
        options.update(JSON_OPTIONS[case["json"]])
    elif name == "trec" and draw.random() < 0.3:
        options["text-field"] = draw.choice(("TEXT", "HEADLINE,TEXT", "LP"))
    elif name == "svmlight" and draw.random() < 0.3:
        options["zero-based"] = True
    elif name == "transactions" and draw.random() < 0.5:
        options["separators"] = draw.choice((";", "|", ", ", ";\t"))
    if name not in NUMBERED + ("trec", "html") and draw.random() < 0.12:
        options["encoding"] = draw.choice(sorted(ENCODINGS))


# ---- counting

def rows(draw):
    how = draw.randrange(4)
    return ([], [], ["--rows", "compact"],
            ["--rows", "compact", "--compact-df", str(draw.randint(0, 9))])[how]


def method(draw):
    return draw.choice((
        [], ["--method", "bit-scan", "--head-terms", str(draw.randint(0, 40))],
        ["--kernel", "scalar"], ["--method", "list-scan"],
        ["--method", "list-blocks", "--block-terms", str(draw.randint(1, 30))],
        ["--method", "list-pairs"],
        ["--method", "multi-scan", "--accumulators", str(draw.randint(1, 30))],
        ["--method", "naive", "--flush-pairs", str(draw.randint(1, 500))]))


def running(draw):
    how = [] if draw.random() < 0.5 else ["-j", str(draw.randint(1, 4))]
    if draw.random() < 0.4:
        how += ["--memory", draw.choice(("64M", "100M", "1G"))]
    return how


def merging(draw):
    how = draw.choice(([], ["--pairs-from", "rows"],
                       ["--pairs-from", "documents"]))
    if "rows" in how and draw.random() < 0.3:
        how = how + ["--batch-pairs", str(draw.randint(1, 200))]
    if "documents" in how and draw.random() < 0.3:
        how = how + ["--batch-postings", str(draw.randint(1, 200))]
    return how


def make_plan(draw, case):
    case["plan"] = draw.choice(("count", "index", "index count", "merge",
                                "merge", "add", "add"))
    case["rows"] = rows(draw)
    case["counting"] = method(draw)
    if draw.random() < 0.3 and "naive" not in case["counting"]:
        case["counting"] += ["--batch-postings", str(draw.randint(1, 300))]
    case["running"], case["merging"] = running(draw), merging(draw)
    case["again"] = method(draw) + running(draw)
    parts = draw.randint(2, 4) if case["plan"] in ("merge", "add") else \
        draw.choice((1, 1, 2, 3))
    n = len(case["docs"])
    cuts = sorted(draw.randint(0, n) for _ in range(parts - 1))
    case["cuts"] = [0] + cuts + [n]


def make(number):
    """The case with this number, always the same."""
    draw = random.Random(number)
    case = {"number": number, "docs": [], "options": {}, "vocab": None,
            "json": 0, "deco": draw.randrange(8), "named": False,
            "gzip": draw.random() < 0.1, "ask": draw.randrange(1 << 30)}
    case["format"] = draw.choice(TEXT + TEXT + ("lines",) * 8 + REDUCED)
    case["named"] = case["format"] == "files" and draw.random() < 0.4
    make_format_options(draw, case)
    make_word_options(draw, case)
    words, odd = oracle_texts.vocabulary(draw)
    make_documents(draw, case, words, odd)
    if "encoding" in case["options"]:
        recode(case)
    make_plan(draw, case)
    if case["plan"] not in ("merge", "add"):
        make_filters(draw, case)
    case["lists"] = {}
    for name, how in (("stop", make_stop), ("thesaurus", make_thesaurus),
                      ("terms", make_terms)):
        if draw.random() < 0.2:
            case["lists"][name] = how(draw, case, words)
    if case["format"] in PLAIN and draw.random() < 0.4:
        case["lists"]["phrases"] = make_phrases(draw, case, words)
    return case


def all_options(case):
    """The options, with the bytes of the lists."""
    return dict(case["options"], **{
        name: "".join(line + "\n" for line in lines).encode()
        for name, lines in case["lists"].items()})


# ---- shrinking

def without(case, at, i, n):
    """The case without entries i to i + n of the list found by at."""
    small = copy.deepcopy(case)
    entries = at(small)
    del entries[i:i + n]
    n_docs = len(small["docs"])
    small["cuts"] = [min(c, n_docs) for c in small["cuts"][:-1]] + [n_docs]
    return small


def simpler(case):
    """The case with one of its settings simplified."""
    for key, plain in (("plan", "count"), ("gzip", False), ("deco", 0),
                       ("merging", []), ("counting", []), ("running", []),
                       ("again", []), ("rows", []),
                       ("cuts", [0, len(case["docs"])])):
        if case[key] != plain and not (
                key == "cuts" and case["plan"] in ("merge", "add")):
            yield dict(copy.deepcopy(case), **{key: plain})
    keep = ("encoding", "separators", "zero-based", "text-field", "id-field")
    for kind in ("options", "lists"):
        for name in case[kind]:
            if name not in keep:
                small = copy.deepcopy(case)
                del small[kind][name]
                yield small


def lists_of(case):
    """Functions that find each list of a case that can be shortened."""
    yield lambda c: c["docs"]
    for i in range(len(case["docs"])):
        yield lambda c, i=i: c["docs"][i]["pieces"]
    for name in case["lists"]:
        yield lambda c, name=name: c["lists"][name]


def shrink(case, fails, seconds=60):
    """A small case that still fails; fails() tests a case."""
    end = time.monotonic() + seconds
    again = True
    while again and time.monotonic() < end:
        again = False
        for small in simpler(case):
            if time.monotonic() < end and fails(small):
                case, again = small, True
                break
        for at in list(lists_of(case)):
            step = max(1, len(at(case)) // 2) if _has(at, case) else 0
            while step:
                i = 0
                while _has(at, case) and i < len(at(case)) and \
                        time.monotonic() < end:
                    small = without(case, at, i, step)
                    if fails(small):
                        case, again = small, True
                    else:
                        i += step
                step //= 2
    return case


def _has(at, case):
    try:
        return bool(at(case))
    except IndexError:      # a removed document
        return False
