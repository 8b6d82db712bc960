/* phrase_match.h - find phrases in the words of a paragraph: the longest one at
 * the leftmost place, then on after its end.
 *
 * Words that may belong to a phrase wait until that is decided, so words and
 * phrases leave in the order of the text.
 */
#ifndef COOC_PHRASE_MATCH_H
#define COOC_PHRASE_MATCH_H

#include "token/phrases.h"

/* Where words and phrases go.  tag identifies a word to the caller. */
struct phrase_sink {
    int (*word)(void *self, uint32_t tag, struct cooc_err *err);
    int (*phrase)(void *self, uint32_t phrase, struct cooc_err *err);
    void *self;
};

struct phrase_match {
    const struct phrases *phrases;
    struct phrase_sink out;
    bool keep; /* the words of a phrase leave as well, after it */
    uint32_t n;     /* waiting words */
    uint32_t depth; /* words on the path from the root; n between calls */
    uint32_t node;
    uint32_t best;  /* number of words of the longest phrase so far, or 0 */
    uint32_t phrase;
    struct {
        uint32_t tag;
        struct phrase_word word;
    } queue[PHRASE_WORDS_MAX];
};

/* Take the next word. */
int phrase_match_add(struct phrase_match *m, uint32_t tag,
                     struct phrase_word word, struct cooc_err *err);
/* The paragraph ends: no word is left waiting. */
int phrase_match_end(struct phrase_match *m, struct cooc_err *err);

#endif
