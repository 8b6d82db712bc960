/* phrase_terms.c - the part of the extractor that finds phrases.
 *
 * The name of a phrase is treated as a word, so that the rules apply to it and
 * it has a surface form.  Most words begin no phrase, which a filter tells from
 * the word that follows; they do not wait in the queue of phrase_match.h.
 *
 * Cost.  For each word, its struct phrase_word; more only where a phrase may
 * begin.
 */
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "index/term_extractor.h"
#include "read/read.h"

#define SOME 256 /* words looked up at a time */

/* Learn the word with the next id of the dictionary. */
static int learn(struct term_extractor *r, uint32_t id, const char *word,
                 size_t len, struct cooc_err *err)
{
    int rc = array_grow(&r->known, &r->known_cap, (size_t)id + 1,
                        sizeof *r->known, err);

    if (rc == 0)
        rc = tokeniser_phrase_word(r->tok, word, len, &r->known[id], err);
    if (rc == 0)
        rc = term_extractor_learn(r, id, word, len, err);
    r->n_known += rc == 0;
    return rc;
}

/* Note the occurrences of all words and phrases that have left. */
static int flush(struct term_extractor *r, struct cooc_err *err)
{
    size_t n = r->n_left;

    r->n_left = 0;
    return term_extractor_take(r, r->left, n, err);
}

static int take_word(void *self, uint32_t word, struct cooc_err *err)
{
    struct term_extractor *r = self;

    r->left[r->n_left++] = word;
    return r->n_left < TERMS_LEFT_MAX ? 0 : flush(r, err);
}

static int take_phrase(void *self, uint32_t phrase, struct cooc_err *err)
{
    struct term_extractor *r = self;
    uint32_t id = r->phrase_ids[phrase];

    r->n_phrases++;
    if (id == DICT_NONE) {
        struct dict *d = r->words ? r->words : r->terms;
        size_t len;
        const char *name = phrases_name(r->phrases, phrase, &len);
        int rc = dict_add(d, name, len, &id, err);

        if (rc == 0 && id == r->n_known)
            rc = learn(r, id, name, len, err);
        if (rc < 0)
            return rc;
        r->phrase_ids[phrase] = id;
    }
    return take_word(r, id, err);
}

int phrase_terms_init(struct term_extractor *r, const struct rules *rules,
                      struct cooc_err *err)
{
    r->phrases = rules_phrases(rules);
    r->match.phrases = r->phrases;
    r->match.keep = rules_keep_phrase_words(rules);
    r->match.out = (struct phrase_sink){ take_word, take_phrase, r };
    r->phrase_ids = mem_array(phrases_count(r->phrases),
                              sizeof *r->phrase_ids);
    if (!r->phrase_ids)
        return err_nomem(err);
    phrase_terms_clear(r);
    return 0;
}

void phrase_terms_release(struct term_extractor *r)
{
    mem_free(r->known);
    mem_free(r->phrase_ids);
}

void phrase_terms_clear(struct term_extractor *r)
{
    r->n_known = 0;
    for (uint32_t i = 0; i < phrases_count(r->phrases); i++)
        r->phrase_ids[i] = DICT_NONE;
}

/* Learn new words of n, and write the numbers of words with which a phrase may
 * begin to begins; *m is how many there are.  Only the 64 bits that each word
 * has for its successors are asked, without a branch. */
static int find_begins(struct term_extractor *r, const char *text,
                       const uint32_t *at, const uint32_t *ids, size_t n,
                       uint16_t *begins, size_t *m, struct cooc_err *err)
{
    uint64_t nexts = 0;
    int rc = 0;

    *m = 0;
    for (size_t i = 0; i < n && rc == 0; i++, at += 2) {
        if (ids[i] == r->n_known) /* a new word gets the next id */
            rc = learn(r, ids[i], text + at[0], at[1] - at[0], err);
        if (rc == 0) {
            begins[*m] = (uint16_t)(i - 1);
            *m += nexts >> phrase_bit(r->known[ids[i]].id) & 1;
            nexts = r->known[ids[i]].nexts;
        }
    }
    if (nexts && rc == 0)
        begins[(*m)++] = (uint16_t)(n - 1);
    return rc;
}

/* Keep those of m words with which a phrase does begin as far as the next two
 * words tell: at first by the filter, then by the edges, prefetched so that
 * their cache misses overlap, because many phrases begin with words as frequent
 * as "of the".  Returns how many there are. */
static size_t check_begins(const struct term_extractor *r, const uint32_t *ids,
                           size_t n, uint16_t *begins, size_t m)
{
    const struct phrases *p = r->phrases;
    const struct phrase_word *known = r->known;
    size_t kept = 0, all;

    for (size_t i = 0; i < m; i++) {
        size_t at = begins[i];
        uint64_t hash;
        size_t maybe;

        begins[kept] = begins[i];
        if (at + 1 == n) {
            kept++;
            continue;
        }
        hash = phrase_hash(known[ids[at]].node, known[ids[at + 1]].id);
        maybe = phrases_filter(p, hash);
        __builtin_prefetch(&p->edges[hash & p->mask & (0 - maybe)]);
        kept += maybe;
    }
    all = kept;
    kept = 0;
    for (size_t i = 0; i < all; i++) {
        size_t at = begins[i];
        const struct phrase_edge *e;

        begins[kept] = begins[i];
        if (at + 2 >= n) {
            kept++;
            continue;
        }
        e = phrases_edge(p, known[ids[at]].node, known[ids[at + 1]].id);
        if (e && e->phrase)
            __builtin_prefetch(&r->phrase_ids[e->phrase - 1]);
        kept += e && (e->phrase ||
                      phrases_filter(p, phrase_hash(e->child,
                                                    known[ids[at + 2]].id)));
    }
    return kept;
}

/* Process the words of a batch; a phrase may begin with m of them. */
static int match(struct term_extractor *r, const uint32_t *ids, size_t n,
                 uint16_t *begins, size_t m, struct cooc_err *err)
{
    size_t b = 0, i = 0;
    int rc = 0;

    begins[m] = (uint16_t)n;
    while (i < n && rc == 0) {
        while (begins[b] < i)
            b++;
        if (r->match.n || begins[b] == i) {
            rc = phrase_match_add(&r->match, ids[i], r->known[ids[i]], err);
            i++;
            continue;
        }
        if (r->n_left + begins[b] - i >= TERMS_LEFT_MAX)
            rc = flush(r, err); /* take_word() needs room for one */
        memcpy(r->left + r->n_left, ids + i, (begins[b] - i) * sizeof *ids);
        r->n_left += begins[b] - i;
        i = begins[b];
    }
    return rc < 0 ? rc : flush(r, err);
}

int phrase_terms_take(struct term_extractor *r, struct dict *d,
                      const char *text, const uint32_t *at, size_t n,
                      struct cooc_err *err)
{
    uint32_t ids[SOME];
    uint16_t begins[SOME + 1];
    size_t m = 0;
    int rc = 0;

    for (; n && rc == 0;) {
        size_t some = n < SOME ? n : SOME;

        rc = dict_add_words(d, text, at, some, ids, err);
        if (rc == 0)
            rc = find_begins(r, text, at, ids, some, begins, &m, err);
        if (rc == 0)
            m = check_begins(r, ids, some, begins, m);
        if (rc == 0)
            rc = match(r, ids, some, begins, m, err);
        at += 2 * some;
        n -= some;
    }
    return rc;
}

int phrase_terms_end(struct term_extractor *r, struct cooc_err *err)
{
    int rc = phrase_match_end(&r->match, err);

    return rc < 0 ? rc : flush(r, err);
}

/* ---- paragraphs ---------------------------------------------------------- */

/* The number of bytes up to and including the first empty line, or len.  A line
 * is empty if it has white space at most. */
static size_t to_empty_line(const char *text, size_t len)
{
    const char *end = text + len, *p = text;

    while ((p = memchr(p, '\n', (size_t)(end - p))) != NULL) {
        const char *line = ++p;

        while (p < end && *p != '\n' && ascii_space(*p))
            p++;
        if (p < end && *p == '\n')
            return (size_t)(p + 1 - text);
        p = line;
    }
    return len;
}

size_t phrase_terms_paragraph(const struct document *doc, size_t start,
                              size_t *end)
{
    size_t stop = doc->text_len;

    while (*end < doc->n_ends &&
           (!doc->ends[*end].paragraph || doc->ends[*end].at <= start))
        ++*end;
    if (*end < doc->n_ends && doc->ends[*end].at < stop)
        stop = doc->ends[*end].at;
    return to_empty_line(doc->text + start, stop - start);
}
