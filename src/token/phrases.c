/* phrases.c - build the trie of phrases.
 *
 * All edges are in one hash table, keyed by node and word, so that a step costs
 * one cache miss whatever the number of edges of a node.  An edge also says
 * whether a phrase ends at its child and whether the child has edges itself,
 * so that a match ends without another lookup.
 *
 * Cost.  16 bytes per slot, at most half of which are used; per phrase, its
 * name, and per distinct word, the word.  A hundred thousand phrases take about
 * 15 MB.
 */
#include "token/phrases.h"

#include <string.h>

#include "base/dict.h"
#include "base/err.h"
#include "base/mem.h"

#define FIRST_EDGES 64u
#define FILTER_BITS 10u /* per edge, at least */

void entry_words_release(struct entry_words *w)
{
    buf_release(&w->text);
    buf_release(&w->word);
}

int phrases_new(struct phrases **out, bool stemmed, struct cooc_err *err)
{
    struct phrases *p = mem_zarray(1, sizeof *p);
    int rc = p ? 0 : err_nomem(err);

    *out = NULL;
    if (rc < 0)
        return rc;
    p->stemmed = stemmed;
    p->mask = FIRST_EDGES - 1;
    p->edges = mem_table(FIRST_EDGES, sizeof *p->edges);
    if (!p->edges)
        rc = err_nomem(err);
    if (rc == 0)
        rc = dict_new(&p->words, err);
    if (rc == 0)
        rc = dict_new(&p->names, err);
    if (rc < 0)
        phrases_free(p);
    else
        *out = p;
    return rc;
}

void phrases_free(struct phrases *p)
{
    if (!p)
        return;
    dict_free(p->words);
    dict_free(p->names);
    mem_free(p->first);
    mem_free(p->nexts);
    mem_free(p->edges);
    mem_free(p->filter);
    buf_release(&p->stems);
    mem_free(p->stem_ends);
    mem_free(p);
}

uint32_t phrases_count(const struct phrases *p)
{
    return p ? dict_size(p->names) : 0;
}

/* ---- edges -------------------------------------------------------------- */

/* The slot of an edge, which is empty if there is no such edge. */
static struct phrase_edge *slot(struct phrase_edge *edges, size_t mask,
                                uint32_t node, uint32_t word)
{
    size_t i = phrase_hash(node, word) & mask;

    while (edges[i].child && (edges[i].node != node || edges[i].word != word))
        i = (i + 1) & mask;
    return &edges[i];
}

/* Make room for one more edge. */
static int grow(struct phrases *p, struct cooc_err *err)
{
    size_t mask = p->mask * 2 + 1;
    struct phrase_edge *edges;

    if (p->n_edges + 1 <= (p->mask + 1) / 2)
        return 0;
    edges = mem_table(mask + 1, sizeof *edges);
    if (!edges)
        return err_nomem(err);
    for (size_t i = 0; i <= p->mask; i++)
        if (p->edges[i].child)
            *slot(edges, mask, p->edges[i].node, p->edges[i].word) =
                p->edges[i];
    mem_free(p->edges);
    p->edges = edges;
    p->mask = mask;
    return 0;
}

/* Set *id to the id of a word of phrases plus 1. */
static int add_word(struct phrases *p, const char *word, size_t len,
                    uint32_t *id, struct cooc_err *err)
{
    size_t old = p->first_cap;
    int rc = dict_add(p->words, word, len, id, err);

    if (rc < 0)
        return rc;
    rc = array_grow(&p->first, &p->first_cap, (size_t)*id + 1,
                    sizeof *p->first, err);
    if (rc == 0 && p->first_cap > old)
        memset(p->first + old, 0, (p->first_cap - old) * sizeof *p->first);
    ++*id;
    return rc;
}

/* Go from *node by a word; add the edge if there is none. */
static int walk(struct phrases *p, uint32_t *node, uint32_t word,
                struct phrase_edge **edge, struct cooc_err *err)
{
    struct phrase_edge *e;
    int rc = grow(p, err);

    if (rc < 0)
        return rc;
    e = slot(p->edges, p->mask, *node, word);
    if (!e->child) {
        *e = (struct phrase_edge){ .node = *node, .word = word,
                                   .child = ++p->n_nodes };
        p->n_edges++;
    }
    *node = e->child;
    *edge = e;
    return 0;
}

/* ---- phrases ------------------------------------------------------------ */

/* Word i of an entry. */
static const char *word_at(const struct entry_words *w, size_t i, size_t *len)
{
    uint32_t start = i ? w->ends[i - 1] : 0;

    *len = w->ends[i] - start;
    return w->text.data + start;
}

/* Append the words of the next phrase to stems. */
static int add_stems(struct phrases *p, const struct entry_words *w,
                     uint32_t phrase, struct cooc_err *err)
{
    int rc = array_grow(&p->stem_ends, &p->stem_ends_cap, (size_t)phrase + 1,
                        sizeof *p->stem_ends, err);

    for (size_t i = 0; i < w->n && rc == 0; i++) {
        size_t len;
        const char *word = word_at(w, i, &len);

        if (i)
            rc = buf_byte(&p->stems, ' ', err);
        if (rc == 0)
            rc = buf_add(&p->stems, word, len, err);
    }
    if (rc == 0)
        p->stem_ends[phrase] = p->stems.len;
    return rc;
}

/* Number a name.  Should two entries with different words have the same name,
 * they are the same phrase. */
static int add_name(struct phrases *p, const char *name, size_t len,
                    uint32_t *phrase, struct cooc_err *err)
{
    if (dict_size(p->names) >= PHRASES_MAX)
        return COOC_ELIMIT;
    return dict_add(p->names, name, len, phrase, err);
}

int phrases_add(struct phrases *p, const struct entry_words *words,
                const char *name, size_t len, uint32_t *phrase,
                struct cooc_err *err)
{
    uint32_t node = 0, before = phrases_count(p);
    struct phrase_edge *edge = NULL;
    int rc = 0;

    for (size_t i = 0; i < words->n && rc == 0; i++) {
        size_t n;
        const char *word = word_at(words, i, &n);
        uint32_t id;

        rc = add_word(p, word, n, &id, err);
        if (rc == 0 && i == 0) {
            if (!p->first[id - 1])
                p->first[id - 1] = ++p->n_nodes;
            node = p->first[id - 1];
        } else if (rc == 0) {
            uint32_t from = edge ? edge->node : 0, by = edge ? edge->word : 0;

            rc = walk(p, &node, id, &edge, err);
            if (rc == 0 && from)
                slot(p->edges, p->mask, from, by)->more = 1;
        }
    }
    if (rc == 0 && !edge->phrase) {
        rc = add_name(p, name, len, phrase, err);
        if (rc == 0 && *phrase == before && p->stemmed)
            rc = add_stems(p, words, *phrase, err);
        if (rc == 0)
            edge->phrase = (*phrase + 1) & INT32_MAX;
    }
    if (rc == 0)
        *phrase = edge->phrase - 1u;
    if (rc == 0 && words->n > p->longest)
        p->longest = (uint32_t)words->n;
    return rc;
}

int phrases_finish(struct phrases *p, struct cooc_err *err)
{
    uint64_t *nexts; /* by node */
    size_t n = 64;

    while (n < p->n_edges * FILTER_BITS)
        n *= 2;
    p->filter_mask = n - 1;
    p->filter = mem_table(n / 64, sizeof *p->filter);
    p->nexts = mem_zarray(dict_size(p->words), sizeof *p->nexts);
    nexts = mem_zarray((size_t)p->n_nodes + 1, sizeof *nexts);
    if (!p->filter || !p->nexts || !nexts) {
        mem_free(nexts);
        return err_nomem(err);
    }
    for (size_t i = 0; i <= p->mask; i++) {
        const struct phrase_edge *e = &p->edges[i];
        uint64_t bit = phrase_hash(e->node, e->word) & p->filter_mask;

        if (!e->child)
            continue;
        p->filter[bit >> 6] |= (uint64_t)1 << (bit & 63);
        nexts[e->node] |= (uint64_t)1 << phrase_bit(e->word);
    }
    for (uint32_t i = 0; i < dict_size(p->words); i++)
        p->nexts[i] = nexts[p->first[i]];
    mem_free(nexts);
    return 0;
}

uint32_t phrases_find(const struct phrases *p, const struct entry_words *words)
{
    const struct phrase_edge *e = NULL;
    struct phrase_word w;
    uint32_t node = 0;

    if (!phrases_count(p) || words->n < 2 || words->n > p->longest)
        return PHRASE_NONE;
    for (size_t i = 0; i < words->n; i++) {
        size_t len;
        const char *word = word_at(words, i, &len);

        w = phrases_word(p, word, len);
        if (i)
            e = phrases_edge(p, node, w.id);
        if (!w.id || (i ? !e : !w.node))
            return PHRASE_NONE;
        node = i ? e->child : w.node;
    }
    return e->phrase - 1u; /* 0 - 1 is PHRASE_NONE */
}

uint32_t phrases_named(const struct phrases *p, const char *name, size_t len)
{
    return phrases_count(p) ? dict_find(p->names, name, len) : PHRASE_NONE;
}

const char *phrases_name(const struct phrases *p, uint32_t phrase, size_t *len)
{
    return dict_term(p->names, phrase, len);
}

const char *phrases_stems(const struct phrases *p, uint32_t phrase,
                          size_t *len)
{
    uint64_t start = phrase ? p->stem_ends[phrase - 1] : 0;

    *len = (size_t)(p->stem_ends[phrase] - start);
    return p->stems.data + start;
}

struct phrase_word phrases_word(const struct phrases *p, const char *word,
                                size_t len)
{
    uint32_t id = dict_find(p->words, word, len);

    if (id == DICT_NONE)
        return (struct phrase_word){ 0 };
    return (struct phrase_word){ .id = id + 1, .node = p->first[id],
                                 .nexts = p->nexts[id] };
}
