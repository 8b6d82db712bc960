"""Messages of the library, in the words of Python.

The library explains errors in terms of the command line: --min-df, "cooc
merge".  Here they become parameters and functions of this package.
"""

from __future__ import annotations

import re

from . import _abi

_OPTIONS = {"text-field": "text_fields", "id": "id_field",
            "vocab": "vocab_file", "numbers drop": "drop_numbers=True",
            "numbers": "drop_numbers", "keep-case": "keep_case=True",
            "zero-based": "zero_based=True",
            "accept-rules": "accept_rules=True", "terms FILE": "terms",
            "rows compact": 'rows="compact"', "rows costly": 'rows="compact"',
            "rows full": 'rows="full"', "rows all": 'rows="full"',
            "tokens whitespace": 'tokens="whitespace"',
            "tokens words": 'tokens="words"', "costly-df": "compact_df",
            "from": "pairs_from"}
_FUNCTIONS = {"count": "count_store"}
_OPTION = re.compile(
    r"(?<![^\s(])(?P<with>with )?--(?P<name>(?:" + "|".join(_OPTIONS) +
    r")\b(?!-)|[a-z]+(?:-[a-z]+)*)(?: (?P<number>[0-9][0-9.]*\b)"
    r"(?P<percent>%)?)?")
_TERMS = re.compile(r"(?:(?:type|run|with):? )?cooc terms NAME\.cooc --like "
                    r"('[^']*')")
_STEM = re.compile(r"(?<![^\s(])--stem (?!and |or )([a-z]+)")
_COMMAND = re.compile(
    r"(?<![^\s(])(?P<verb>type: |run: |run |with: )?(?<![^\s(])cooc "
    r"(?P<name>add|check|count|index|merge)\b"
    r"(?P<force> --force\b.*)?(?: INPUT| -o NAME\.cooc)*"
    r"(?P<path> (?:[^\s,;]+\.cooc\b/?|.+?(?=, or count)))?")


def _function(match: re.Match, force: str) -> str:
    verb = match["verb"] or ""
    verb = "with " if verb.startswith("with") else "call " if verb else ""
    if match["force"]:
        return verb + force
    path = repr(match["path"][1:]) if match["path"] else ""
    name = _FUNCTIONS.get(match["name"], match["name"])
    return f"{verb}cooc.{name}({path})"


def _parameter(match: re.Match) -> str:
    name = match["name"]
    name = _OPTIONS.get(name) or name.replace("-", "_")
    value = match["number"] or ""
    if match["percent"]:
        value = f'"{value}%"'
    equals = "=" if "=" not in name and (value or match["with"]) else ""
    return f"{match['with'] or ''}{name}{equals}{value}"


def in_python(text: str, code: int = 0) -> str:
    """The message with parameters of Python instead of options.

    >>> in_python("index with --tokens whitespace, or see --zero-based")
    'index with tokens="whitespace", or see zero_based=True'
    >>> in_python("made with --max-df 12.5%; choose with --text-field")
    'made with max_df="12.5%"; choose with text_fields='
    >>> in_python("pairs are not counted yet; run: cooc count")
    'pairs are not counted yet; call cooc.count_store()'
    >>> in_python("choose another name or replace it with --force",
    ...           _abi.COOC_EEXISTS)
    'choose another name or replace it with replace=True'
    """
    force = "ignore_space=True"
    if code == _abi.COOC_EEXISTS:
        force = "recount=True" if "counted already" in text else "replace=True"
    text = _TERMS.sub(r"call store.terms_like(\1)", text)
    text = _COMMAND.sub(lambda m: _function(m, force), text)
    text = re.sub(r"(?<![^\s(])--force\b", force, text)
    text = _STEM.sub(r'stem="\1"', text)
    return _OPTION.sub(_parameter, text)
