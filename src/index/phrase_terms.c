/* phrase_terms.c - the part of the extractor that finds phrases.
 *
 * The name of a phrase is treated as a word, so that the rules apply to it and
 * it has a surface form.  Most words begin no phrase, which a filter tells from
 * the word that follows; they do not wait in the queue of phrase_match.h.
 *
 * Cost.  For each word, its struct phrase_word and a bit of the filter of
 * phrases; more only where a phrase may begin.
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

static int take_word(void *self, uint32_t word, struct cooc_err *err)
{
    return term_extractor_take(self, &word, 1, err);
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
    return term_extractor_take(r, &id, 1, err);
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

/* Set begins[i] to whether a phrase may begin with word i of n.  At first, only
 * the filter is asked, so that the cache misses of all edges overlap; then the
 * edges themselves, because many phrases begin with words as frequent as "of
 * the". */
static void find_begins(const struct phrases *p,
                        const struct phrase_word *words, size_t n,
                        uint8_t *begins)
{
    for (size_t i = 0; i + 1 < n; i++) {
        uint64_t hash = phrase_hash(words[i].node, words[i + 1].id);

        begins[i] = words[i].node && phrases_filter(p, hash);
        if (begins[i])
            __builtin_prefetch(&p->edges[hash & p->mask]);
    }
    begins[n - 1] = words[n - 1].node != 0;
    for (size_t i = 0; i + 2 < n; i++) {
        const struct phrase_edge *e;

        if (!begins[i])
            continue;
        e = phrases_edge(p, words[i].node, words[i + 1].id);
        begins[i] = e && (e->phrase ||
                          phrases_filter(p, phrase_hash(e->child,
                                                        words[i + 2].id)));
    }
}

/* Process words [0, n) of a batch. */
static int match(struct term_extractor *r, const uint32_t *ids,
                 const struct phrase_word *words, const uint8_t *begins,
                 size_t n, struct cooc_err *err)
{
    size_t i = 0, run;
    int rc = 0;

    while (i < n && rc == 0) {
        for (run = i; run < n && !begins[run] && !r->match.n; run++)
            ;
        if (run > i)
            rc = term_extractor_take(r, ids + i, run - i, err);
        else
            rc = phrase_match_add(&r->match, ids[i], words[i], err);
        i = run > i ? run : i + 1;
    }
    return rc;
}

int phrase_terms_take(struct term_extractor *r, struct dict *d,
                      const char *text, const uint32_t *at, size_t n,
                      struct cooc_err *err)
{
    uint32_t ids[SOME];
    struct phrase_word words[SOME];
    uint8_t begins[SOME];
    int rc = 0;

    for (; n && rc == 0;) {
        size_t some = n < SOME ? n : SOME;

        rc = dict_add_words(d, text, at, some, ids, err);
        for (size_t i = 0; i < some && rc == 0; i++, at += 2) {
            if (ids[i] == r->n_known) /* a new word gets the next id */
                rc = learn(r, ids[i], text + at[0], at[1] - at[0], err);
            if (rc == 0)
                words[i] = r->known[ids[i]];
        }
        if (rc == 0)
            find_begins(r->phrases, words, some, begins);
        if (rc == 0)
            rc = match(r, ids, words, begins, some, err);
        n -= some;
    }
    return rc;
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
