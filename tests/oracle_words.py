"""oracle_words.py - from bytes to terms, as docs/COUNTS.md defines it.

Half of the oracle of tests/abuse/oracle.t.  It uses no code of cooc: word
boundaries are those of PyICU, folding and NFC those of Python, stems those of
the snowballstemmer package, and everything else is written from
docs/COUNTS.md.

    Rules.words(text)   -> folded words in the order of the text
    Rules.units(text)   -> the same, with the name of each phrase in place of
                           its words
    Rules.term(unit)    -> (term, form) or None if the unit is dropped

The form is the word before stemming; without a stemmer it is the term itself.
"""

import re
import unicodedata

import icu
import snowballstemmer

TERM_MAX = 65535    # bytes; longer words are dropped
WHITE = "\t\n\v\f\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
NOT_WHITE = re.compile(f"[^{WHITE}]+")
# ICU joins an ASCII blank or U+FFFD to a pictograph after a joiner (WB3c); for
# cooc the word begins after it.
BLANK = re.compile("[\t\n\v\f\r \ufffd]")
# Characters that join two digits to one number.
JOINS = icu.UnicodeSet("[[:WB=MidNum:][:WB=MidNumLet:][:WB=Single_Quote:]"
                       "[:WB=ExtendNumLet:][[:WB=Numeric:]-[:Nd:]]\\:]")
EMPTY_LINE = re.compile("\n[ \t\v\f\r]*\n")  # the end of a paragraph
LETTER_OR_DIGIT = icu.UnicodeSet("[[:Alphabetic:][:Nd:]]")
LIST_BLANKS = " \t\n\v\f\r"
STEMMERS = sorted(snowballstemmer.algorithms())


def fold(text, keep_case):
    """Full default case folding, then NFC."""
    if not keep_case:
        text = text.casefold()
    return unicodedata.normalize("NFC", text)


class Cutter:
    """Words by the rules of Unicode; caches the words of texts."""

    def __init__(self):
        self.iterator = icu.BreakIterator.createWordInstance(
            icu.Locale.getRoot())

    def cut(self, text):
        """The segments of text that are words, not folded."""
        units = icu.UnicodeString(text)
        self.iterator.setText(units)
        at = 0
        for end in self.iterator:
            if self.iterator.getRuleStatus() >= 100:
                word = BLANK.split(str(units[at:end]))[-1]
                if any(LETTER_OR_DIGIT.contains(c) for c in word):
                    yield word
            at = end


CUTTER = Cutter()
# ICU splits the first prolonged sound mark of a process differently from all
# later ones; the later ones are right.
for _ in range(2):
    list(CUTTER.cut("\u30fc\u3005"))


def is_number(word):
    """Decimal digits after an optional sign, with at most one joining
    character between two of them."""
    if word[:1] in ("+", "-", "\u2212"):
        word = word[1:]
    digits = [unicodedata.category(c) == "Nd" for c in word]
    if not digits or not digits[0] or not digits[-1]:
        return False
    return all(digit or (JOINS.contains(c) and before)
               for c, digit, before in zip(word, digits, [True] + digits))


def list_lines(data):
    """The lines of a user's list without comments and empty lines."""
    if data.startswith(b"\xef\xbb\xbf"):
        data = data[3:]
    for line in data.split(b"\n"):
        line = line[:-1] if line.endswith(b"\r") else line
        text = line.decode("utf-8", "replace")
        if not text.strip(LIST_BLANKS):
            continue
        if text[0] == "#" and (len(text) == 1 or text[1] in LIST_BLANKS):
            continue
        yield text


class Rules:
    """The options for words, and their effect on a word.

    options: tokens, keep_case, numbers, min_length, max_length, stem,
    phrase-words, and the bytes of the lists phrases, terms, stop and
    thesaurus; reduced: the input has terms.
    """

    def __init__(self, options, reduced):
        self.reduced = reduced
        self.white = options.get("tokens") == "whitespace"
        self.keep_case = bool(options.get("keep-case"))
        self.drop_numbers = options.get("numbers") == "drop"
        self.min_length = options.get("min-length", 0)
        self.max_length = options.get("max-length", 0)
        stem = options.get("stem")
        self.stemmer = snowballstemmer.stemmer(stem) if stem else None
        self.known = {}
        self.keep_words = options.get("phrase-words") == "keep"
        self.phrases = {}   # the words of a phrase, stemmed -> its name
        self.stems = {}     # the name of a phrase -> its words, stemmed
        self.stop, self.preferred = set(), {}
        for name in ("phrases", "terms", "stop"):
            for line in list_lines(options.get(name, b"")):
                unit = self.entry(line.strip(LIST_BLANKS))
                if unit is not None and name == "stop":
                    self.stop.add(unit)
        self._read_thesaurus(options.get("thesaurus", b""))
        self.longest = max(map(len, self.phrases), default=0)

    def fold(self, text):
        if self.reduced or (self.white and self.keep_case):
            return text
        return fold(text, self.keep_case)

    def words(self, text):
        """The folded words of a text, or the one term of reduced input."""
        if self.reduced:
            return [text] if text else []
        cut = NOT_WHITE.findall(text) if self.white else CUTTER.cut(text)
        return [self.fold(word) for word in cut]

    def key(self, words):
        return tuple(self._stem(w, [w]) for w in words)

    def entry(self, text):
        """The word of an entry of a list, or the name of the phrase, which is
        new unless there is one with the same words; None without a word."""
        words = self.words(text)
        if len(words) < 2:
            return words[0] if words else None
        key = self.key(words)
        if key not in self.phrases:
            name = self.fold(" ".join(NOT_WHITE.findall(text)))
            self.phrases[key] = name
            self.stems.setdefault(name, key)
        return self.phrases[key]

    def units(self, text):
        """Words and names of phrases, in the order of the text."""
        if self.reduced or not self.phrases:
            return self.words(text)
        units = []
        for paragraph in EMPTY_LINE.split(text):
            units += self._units(self.words(paragraph))
        return units

    def _units(self, words):
        keys, units, i = self.key(words), [], 0
        while i < len(words):
            n = next((n for n in range(self.longest, 1, -1)
                      if keys[i:i + n] in self.phrases), 0)
            if n:
                units.append(self.phrases[keys[i:i + n]])
            if not n or self.keep_words:
                units += words[i:i + max(n, 1)]
            i += max(n, 1)
        return units

    def _read_thesaurus(self, data):
        for number, line in enumerate(list_lines(data)):
            variant, preferred = line.split("\t")
            if not self.reduced:
                variant = variant.strip(LIST_BLANKS)
                preferred = preferred.strip(LIST_BLANKS)
            if number == 0 and (variant.lower(), preferred.lower()) == (
                    "label", "replace by"):
                continue
            variant = self.entry(variant)
            several = not self.reduced and len(self.words(preferred)) > 1
            self.preferred[variant] = self.entry(preferred) if several \
                else self.fold(preferred)

    def _stem(self, form, parts):
        """The stem of form, which has been split into parts."""
        if not self.stemmer:
            return form
        return " ".join(self.stemmer.stemWord(part) for part in parts)

    def _term(self, word):
        if len(word.encode()) > TERM_MAX:
            return None
        if word not in self.stems:
            if self.drop_numbers and is_number(word):
                return None
            if len(word) < self.min_length or \
                    (self.max_length and len(word) > self.max_length):
                return None
        if word in self.stop:
            return None
        if word in self.stems and word not in self.preferred:
            return self.preferred_term(word)
        if word not in self.preferred:
            return self._stem(word, [word]), word
        return self.preferred_term(self._end(word))

    def _end(self, form):
        while self.preferred.get(form, form) != form:
            form = self.preferred[form]
        return form

    def preferred_term(self, form):
        """(term, form) of a preferred form, or None for an empty one."""
        if form in self.stems:
            return (" ".join(self.stems[form]) if self.stemmer else form, form)
        parts = [form] if self.reduced else [p for p in form.split(" ") if p]
        return (self._stem(form, parts), form) if form else None

    def listed(self, line):
        """(term, form) of the word or phrase of a line of --terms, or of the
        whole line if it is a preferred form."""
        form = self.fold(line)
        if form and form in {self._end(word) for word in self.preferred}:
            return [self.preferred_term(form)]
        unit = self.entry(line)
        return [] if unit is None else [self.term(unit)]

    def term(self, word):
        """The result for a folded word: (term, form), or None."""
        if word not in self.known:
            self.known[word] = self._term(word)
        return self.known[word]
