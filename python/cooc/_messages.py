"""What to add to a message of the library: the parameter that helps.

The library says what is wrong and where, and names the field of an options
struct that is wrong or would help.  The command line appends its option, this
package its parameter.
"""

from __future__ import annotations

from . import _abi

_ADVICE = {
    ("replace", 0): " with replace=True",
    ("recount", 0): "; use recount=True to count them again",
    ("rows", _abi.COOC_EFULL):
        "; free some space, move the store to another disk, use "
        'rows="compact", or count anyway with ignore_space=True',
    ("min_df", _abi.COOC_EFULL):
        "; free some space, move the store to another disk, index fewer terms "
        "(min_df), or count anyway with ignore_space=True",
    ("ignore_space", 0):
        "; free some space, name another directory with tmpdir=, allow more "
        "memory=, or count anyway with ignore_space=True",
    ("tmpdir", _abi.COOC_EFULL):
        "; free some space or name another directory with tmpdir=",
    ("like", _abi.COOC_EINVAL):
        "; store.terms_like() lists the terms that match it",
    ("per_node", _abi.COOC_ELIMIT): " (per_node, memory)",
    ("top_edges", _abi.COOC_ELIMIT): " (top_edges, memory)",
    ("rarer", 0): " (rarer, commoner)",
    ("scoring", 0): " (by, shift, smoothing)",
}
PARAMETERS = {"from": "pairs_from", "max_df_share": "max_df",
              "merge_terms_file": "merge_terms", "phrases_file": "phrases",
              "stop_file": "stop", "terms_file": "terms",
              "thesaurus_file": "thesaurus"}


def advice(option: str, code: int) -> str:
    """The end of a message about this field of an options struct.

    >>> advice("replace", _abi.COOC_EEXISTS)
    ' with replace=True'
    >>> advice("terms_file", _abi.COOC_EINVAL)
    ' (terms)'
    >>> advice("", _abi.COOC_ENOTCOUNTED)
    '; call cooc.count_store()'
    """
    if code == _abi.COOC_ENOTCOUNTED:
        return "; call cooc.count_store()"
    if not option:
        return ""
    known = _ADVICE.get((option, code)) or _ADVICE.get((option, 0))
    return known or f" ({PARAMETERS.get(option, option)})"
