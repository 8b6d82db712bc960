/* phrases.h - terms of several words, found by the sequence of their words.
 *
 * The phrases are a trie.  Its nodes are numbered; an edge leads from a node to
 * the next one by the id of a word.  Ids of words are those of a dictionary of
 * the distinct words in all phrases, or of their stems if words are stemmed.
 *
 *     new york         first[new] = 1    1 --york--> 2  "new york"
 *     new york times   first[york] = 0   2 --times--> 3 "new york times"
 *
 * Phrases with the same words are one phrase.  Its name is the first spelling,
 * folded as a whole.
 *
 * Threads    Any number of readers once all phrases are added.
 */
#ifndef COOC_PHRASES_H
#define COOC_PHRASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct cooc_err;
struct dict;
struct phrases;

#define PHRASE_NONE UINT32_MAX
#define PHRASE_WORDS_MAX 64u /* words in a phrase */
#define PHRASES_MAX 1000000u

/* The words of an entry of a list, or their stems if words are stemmed. */
struct entry_words {
    struct buf text; /* all words, concatenated */
    uint32_t ends[PHRASE_WORDS_MAX];
    size_t n;        /* may be more than PHRASE_WORDS_MAX, which are kept */
    struct buf word; /* the first word before stemming */
};

void entry_words_release(struct entry_words *w);

/* What a word of a document means for phrases. */
struct phrase_word {
    uint32_t id;   /* id of the word + 1; 0: it is in no phrase */
    uint32_t node; /* reached by this word from the root; 0: none */
    uint64_t nexts; /* the bits, by phrase_bit(), of the words by which edges
                     * lead from node */
};

/* An edge of the trie; child is 0 in an empty slot. */
struct phrase_edge {
    uint32_t node, word;    /* word is struct phrase_word.id */
    uint32_t child;
    uint32_t phrase : 31;   /* number of the phrase that ends here + 1, or 0 */
    uint32_t more : 1;      /* the child has edges */
};

struct phrases {
    struct dict *words, *names;
    uint32_t *first; /* node of each word, 0 if no phrase begins with it */
    size_t first_cap;
    uint64_t *nexts; /* by word: see struct phrase_word */
    struct phrase_edge *edges; /* open addressing */
    size_t mask, n_edges;
    uint64_t *filter; /* the bits of the hashes of all edges; it is small enough
                       * for the L2 cache and answers most lookups of edges
                       * that do not exist; NULL until phrases_finish() */
    uint64_t filter_mask; /* number of its bits - 1 */
    uint32_t n_nodes;
    uint32_t longest; /* number of words of the longest phrase */
    bool stemmed;
    struct buf stems; /* stemmed: the words of each phrase, joined by blanks */
    uint64_t *stem_ends;
    size_t stem_ends_cap;
};

int phrases_new(struct phrases **out, bool stemmed, struct cooc_err *err);
void phrases_free(struct phrases *p);

/* Add the phrase with these words, two or more, unless there is one; *phrase is
 * its number.  COOC_ELIMIT, without a message, if there are too many. */
int phrases_add(struct phrases *p, const struct entry_words *words,
                const char *name, size_t len, uint32_t *phrase,
                struct cooc_err *err);
/* All phrases have been added. */
int phrases_finish(struct phrases *p, struct cooc_err *err);

uint32_t phrases_count(const struct phrases *p);
/* The number of the phrase with these words, or PHRASE_NONE. */
uint32_t phrases_find(const struct phrases *p, const struct entry_words *words);
/* The number of the phrase with this name, or PHRASE_NONE. */
uint32_t phrases_named(const struct phrases *p, const char *name, size_t len);
const char *phrases_name(const struct phrases *p, uint32_t phrase, size_t *len);
/* The stems of the words of a phrase, joined by blanks.  Only if stemmed. */
const char *phrases_stems(const struct phrases *p, uint32_t phrase,
                          size_t *len);
/* What a word, or its stem if stemmed, means for phrases. */
struct phrase_word phrases_word(const struct phrases *p, const char *word,
                                size_t len);

static inline uint64_t phrase_hash(uint32_t node, uint32_t word)
{
    uint64_t h = ((uint64_t)node << 32 | word) * 0x9e3779b97f4a7c15u;

    return (h ^ h >> 32) * 0xd6e8feb86659fd93u >> 20;
}

/* The bit of a word that may follow the first one of a phrase. */
static inline unsigned phrase_bit(uint32_t word)
{
    return (unsigned)(word * 0x9e3779b1u) >> 26;
}

/* False only if there is no edge from node by word. */
static inline bool phrases_filter(const struct phrases *p, uint64_t hash)
{
    uint64_t bit = hash & p->filter_mask;

    return p->filter[bit >> 6] >> (bit & 63) & 1;
}

/* The edge from node by word, or NULL. */
static inline const struct phrase_edge *
phrases_edge(const struct phrases *p, uint32_t node, uint32_t word)
{
    uint64_t hash = phrase_hash(node, word);
    size_t i = hash & p->mask;

    if (!phrases_filter(p, hash))
        return NULL;
    for (; p->edges[i].child; i = (i + 1) & p->mask)
        if (p->edges[i].node == node && p->edges[i].word == word)
            return &p->edges[i];
    return NULL;
}

#endif
