"""oracle_words.py - from bytes to terms, as docs/COUNTS.md defines it.

Half of the oracle of tests/abuse/oracle.t.  It uses no code of cooc: word
boundaries are those of PyICU, folding and NFC those of Python, stems those of
the snowballstemmer package, and everything else is written from
docs/COUNTS.md.

    words(bytes, rules) -> folded words in the order of the text
    Rules.term(word)    -> (term, form) or None if the word is dropped

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

    options: tokens, keep_case, numbers, min_length, max_length, stem, and the
    bytes of the lists stop and thesaurus; reduced: the input has terms.
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
        self.stop, self.preferred = set(), {}
        for line in list_lines(options.get("stop", b"")):
            self.stop.update(self.words(line.strip(LIST_BLANKS)))
        self._read_thesaurus(options.get("thesaurus", b""))

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

    def _read_thesaurus(self, data):
        for number, line in enumerate(list_lines(data)):
            variant, preferred = line.split("\t")
            if not self.reduced:
                variant = variant.strip(LIST_BLANKS)
                preferred = preferred.strip(LIST_BLANKS)
            if number == 0 and (variant.lower(), preferred.lower()) == (
                    "label", "replace by"):
                continue
            [variant] = self.words(variant)
            self.preferred[variant] = self.fold(preferred)

    def _stem(self, form, parts):
        """The stem of form, which has been split into parts."""
        if not self.stemmer:
            return form
        return " ".join(self.stemmer.stemWord(part) for part in parts)

    def _term(self, word):
        if len(word.encode()) > TERM_MAX:
            return None
        if self.drop_numbers and is_number(word):
            return None
        if len(word) < self.min_length or \
                (self.max_length and len(word) > self.max_length):
            return None
        if word in self.stop:
            return None
        if word not in self.preferred:
            return self._stem(word, [word]), word
        return self.preferred_term(self._end(word))

    def _end(self, form):
        while self.preferred.get(form, form) != form:
            form = self.preferred[form]
        return form

    def preferred_term(self, form):
        """(term, form) of a preferred form, or None for an empty one."""
        parts = [form] if self.reduced else [p for p in form.split(" ") if p]
        return (self._stem(form, parts), form) if form else None

    def listed(self, line):
        """(term, form) of the words of a line of --terms, or of the whole line
        if it is a preferred form."""
        form = self.fold(line)
        if form and form in {self._end(word) for word in self.preferred}:
            return [self.preferred_term(form)]
        return [self.term(word) for word in self.words(line)]

    def term(self, word):
        """The result for a folded word: (term, form), or None."""
        if word not in self.known:
            self.known[word] = self._term(word)
        return self.known[word]
