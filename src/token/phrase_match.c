/* phrase_match.c - walk the trie of phrases along the words of a text.
 *
 * The waiting words are the path from the root to the current node.  If it
 * cannot be continued, either the longest phrase on it leaves, or else its
 * first word; the words that remain are walked again from the root:
 *
 *     phrases   a b, a b c d, b c x
 *     text      a b c x
 *     wait      a b c         no edge by x: the longest phrase is "a b"
 *     leave     "a b"         walk again from c
 *
 * Cost.  One lookup per waiting word; after a failed match of n words, up to n
 * lookups more.
 */
#include "token/phrase_match.h"

#include <string.h>

/* The longest phrase at the beginning of the queue leaves, or the first word if
 * there is none. */
static int leave(struct phrase_match *m, struct cooc_err *err)
{
    uint32_t n = m->best ? m->best : 1;
    int rc = m->best ? m->out.phrase(m->out.self, m->phrase, err) : 0;

    for (uint32_t i = 0; i < n && rc == 0 && (!m->best || m->keep); i++)
        rc = m->out.word(m->out.self, m->queue[i].tag, err);
    m->n -= n;
    memmove(m->queue, m->queue + n, m->n * sizeof *m->queue);
    m->depth = m->best = 0;
    return rc;
}

/* Walk along all waiting words. */
static int walk(struct phrase_match *m, struct cooc_err *err)
{
    int rc = 0;

    while (rc == 0 && m->depth < m->n) {
        const struct phrase_word *w = &m->queue[m->depth].word;
        const struct phrase_edge *e = NULL;

        if (m->depth == 0 && w->node) {
            m->node = w->node;
            m->depth = 1;
            continue;
        }
        if (m->depth && w->id)
            e = phrases_edge(m->phrases, m->node, w->id);
        if (e) {
            m->node = e->child;
            m->depth++;
        }
        if (e && e->phrase) {
            m->best = m->depth;
            m->phrase = e->phrase - 1u;
        }
        if (!e || !e->more)
            rc = leave(m, err);
    }
    return rc;
}

int phrase_match_add(struct phrase_match *m, uint32_t tag,
                     struct phrase_word word, struct cooc_err *err)
{
    m->queue[m->n].tag = tag;
    m->queue[m->n++].word = word;
    return walk(m, err);
}

int phrase_match_end(struct phrase_match *m, struct cooc_err *err)
{
    int rc = 0;

    while (rc == 0 && m->n) {
        rc = leave(m, err);
        if (rc == 0)
            rc = walk(m, err);
    }
    return rc;
}
