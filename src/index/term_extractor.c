/* term_extractor.c - from text to distinct terms.
 *
 * Cost.  For each token: find and fold it (token/), look it up (dict/) and
 * update its tally.  The tally of a term contains the last document with
 * this term, so repetitions are removed without sorting.  A lookup in a
 * large vocabulary is a cache miss, so a few words are prefetched ahead.
 * If the rules drop, stem or rename words, the result is computed once for
 * each distinct word and cached (struct word_result), so that rules cost
 * next to nothing.
 */
#include "index/term_extractor.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/watch.h"
#include "cooc_build.h"
#include "index/ingest.h"

#define ASK_EVERY 65536u /* tokens */

_Static_assert(DICT_WORD_MAX <= WORD_SLACK, "dict_prepare() reads that far");

/* What a worker stores about a term. */
struct tally {
    uint32_t last; /* last document that contains it, from 1 */
    uint32_t df;
};

/* The cached result of the rules for a word, unless the rules are plain. */
struct word_result {
    enum token_verdict verdict;
    uint32_t term;
};

int term_extractor_init(struct term_extractor *r, const struct index_job *job,
                        struct buf *ids, struct cooc_err *err)
{
    int rc;

    *r = (struct term_extractor){ .ids = ids, .cap = job->max_doc_terms,
                                  .stems = rules_stem(job->rules),
                                  .watch = job->watch };
    rc = tokeniser_new(&r->tok, job->rules, err);
    if (rc == 0)
        rc = dict_new(&r->terms, err);
    if (rc == 0 && !rules_are_plain(job->rules))
        rc = dict_new(&r->words, err);
    return rc;
}

void term_extractor_release(struct term_extractor *r)
{
    tokeniser_free(r->tok);
    dict_free(r->terms);
    dict_free(r->words);
    mem_free(r->tally);
    mem_free(r->results);
    mem_free(r->tokens);
}

void term_extractor_clear(struct term_extractor *r)
{
    dict_clear(r->terms);
    if (r->words)
        dict_clear(r->words);
    r->n_results = 0;
    if (r->tally)
        memset(r->tally, 0, r->tally_cap * sizeof *r->tally);
    r->doc = 0;
}

uint64_t term_extractor_memory(const struct term_extractor *r)
{
    uint64_t used = dict_memory(r->terms) + r->tally_cap * sizeof *r->tally;

    if (r->words)
        used += dict_memory(r->words) + r->results_cap * sizeof *r->results +
                r->tokens_cap * sizeof *r->tokens;
    return used;
}

int term_extractor_df(void *self, struct name_record *rec, struct cooc_err *err)
{
    const struct term_extractor *r = self;

    (void)err;
    rec->number = rec->id < r->tally_cap ? r->tally[rec->id].df
                                         : 0; /* never counted */
    return 1;
}

bool term_extractor_form(const struct term_extractor *r,
                         struct name_record *rec, bool *preferred)
{
    const struct word_result *f = &r->results[rec->id];

    rec->number = r->tokens[rec->id];
    if (f->verdict > TOKEN_MERGED || !rec->number)
        return false;
    rec->id = f->term;
    *preferred = f->verdict == TOKEN_MERGED;
    tokeniser_form(r->tok, rec->name, rec->len, &rec->name, &rec->len);
    return true;
}

void term_extractor_report(const struct term_extractor *r,
                           struct cooc_index_report *out)
{
    out->tokens += r->n_tokens;
    out->merged_thesaurus += r->verdicts[TOKEN_MERGED];
    out->dropped_stop += r->verdicts[TOKEN_STOP];
    out->dropped_short += r->verdicts[TOKEN_SHORT];
    out->dropped_long += r->verdicts[TOKEN_LONG];
    out->dropped_numbers += r->verdicts[TOKEN_NUMBER];
    out->dropped_thesaurus += r->verdicts[TOKEN_UNWANTED];
    out->capped_documents += r->capped_documents;
    out->capped_tokens += r->capped_tokens;
    if (r->tok)
        out->invalid_bytes += tokeniser_invalid_bytes(r->tok);
}

/* Apply the rules to a new word and cache the result. */
static int resolve_word(struct term_extractor *r, uint32_t id, const char *word,
                        size_t len, struct cooc_err *err)
{
    struct word_result f = { 0 };
    const char *term;
    size_t term_len;
    int rc = array_grow(&r->results, &r->results_cap, (size_t)id + 1,
                        sizeof *r->results, err);

    if (rc == 0 && r->stems)
        rc = array_grow(&r->tokens, &r->tokens_cap, (size_t)id + 1,
                        sizeof *r->tokens, err);
    if (rc == 0)
        rc = tokeniser_term(r->tok, word, len, &f.verdict, &term, &term_len,
                            err);
    if (rc == 0 && f.verdict <= TOKEN_MERGED)
        rc = dict_add(r->terms, term, term_len, &f.term, err);
    if (rc < 0)
        return rc;
    r->results[id] = f;
    if (r->stems)
        r->tokens[id] = 0;
    return 0;
}

/* Replace the id of a word by the id of its term.  Returns 1 if the
 * word is dropped. */
static int term_of_word(struct term_extractor *r, uint32_t *id,
                        const char *word, size_t len, struct cooc_err *err)
{
    struct word_result f;

    if (*id == r->n_results) { /* a new word gets the next id */
        int rc = resolve_word(r, *id, word, len, err);

        if (rc < 0)
            return rc;
        r->n_results++;
    }
    f = r->results[*id];
    *id = f.term;
    r->verdicts[f.verdict]++;
    return f.verdict > TOKEN_MERGED;
}

static int grow_tally(struct term_extractor *r, uint32_t id,
                      struct cooc_err *err)
{
    size_t old = r->tally_cap;
    int rc = array_grow(&r->tally, &r->tally_cap, (size_t)id + 1,
                        sizeof *r->tally, err);

    if (rc == 0)
        memset(r->tally + old, 0, (r->tally_cap - old) * sizeof *r->tally);
    return rc;
}

/* Number of distinct terms in the current document so far. */
static uint32_t doc_terms(const struct term_extractor *r)
{
    return (uint32_t)((r->ids->len - r->doc_start) / sizeof(uint32_t));
}

/* Note an occurrence of a term in the current document. */
static inline int have_term(struct term_extractor *r, uint32_t id,
                            struct cooc_err *err)
{
    int rc;

    if (id >= r->tally_cap && (rc = grow_tally(r, id, err)) < 0)
        return rc;
    if (r->tally[id].last == r->doc)
        return 0;
    if (r->cap && doc_terms(r) >= r->cap) {
        r->capped_tokens++;
        return 0;
    }
    r->tally[id].last = r->doc;
    r->tally[id].df++;
    if (r->ids->cap - r->ids->len < sizeof id &&
        (rc = buf_reserve(r->ids, sizeof id, err)) < 0)
        return rc;
    memcpy(r->ids->data + r->ids->len, &id, sizeof id);
    r->ids->len += sizeof id;
    return 0;
}

/* Note an occurrence of a word in the current document.  The word is an id of
 * r->words or, if the rules are plain, of r->terms. */
static inline int have_word(struct term_extractor *r, uint32_t word,
                            const char *text, size_t len, struct cooc_err *err)
{
    uint32_t id = word;
    uint64_t capped = r->capped_tokens;
    int rc;

    if (!r->words)
        return have_term(r, id, err);
    rc = term_of_word(r, &id, text, len, err);
    if (rc)
        return rc < 0 ? rc : 0;
    rc = have_term(r, id, err);
    if (r->stems && r->capped_tokens == capped)
        r->tokens[word]++;
    return rc;
}

/* Process the oldest word of the look-ahead. */
static inline int take_pending(struct term_extractor *r, struct cooc_err *err)
{
    const struct dict_word *w = &r->pending[r->pending_first];
    uint64_t text[2] = { w->first, w->last };
    uint32_t id;
    int rc = dict_add_prepared(r->words ? r->words : r->terms, w, &id, err);

    r->pending_first = (r->pending_first + 1) % WORDS_PENDING;
    r->n_pending--;
    return rc < 0 ? rc : have_word(r, id, (const char *)text, w->len, err);
}

static int take_all_pending(struct term_extractor *r, struct cooc_err *err)
{
    int rc = 0;

    while (r->n_pending && rc == 0)
        rc = take_pending(r, err);
    return rc;
}

/* Process a word that is too long for the look-ahead. */
static int take_long(struct term_extractor *r, const char *word, size_t len,
                     struct cooc_err *err)
{
    uint32_t id;
    int rc = take_all_pending(r, err); /* keep the order of words */

    if (rc < 0)
        return rc;
    if (len > TERM_MAX) {
        r->verdicts[TOKEN_LONG]++;
        return 0;
    }
    rc = dict_add(r->words ? r->words : r->terms, word, len, &id, err);
    return rc < 0 ? rc : have_word(r, id, word, len, err);
}

int term_extractor_add(struct term_extractor *r, const char *text, size_t len,
                       struct cooc_err *err)
{
    struct dict *dict = r->words ? r->words : r->terms;
    uint64_t capped = r->capped_tokens;
    const char *word;
    size_t n;
    int rc;

    r->doc++;
    r->doc_start = r->ids->len;
    r->n_pending = 0;
    tokeniser_start(r->tok, text, len);
    while ((rc = tokeniser_next(r->tok, &word, &n, err)) > 0) {
        r->n_tokens++;
        if (n > DICT_WORD_MAX) {
            rc = take_long(r, word, n, err);
        } else {
            rc = r->n_pending == WORDS_PENDING ? take_pending(r, err) : 0;
            dict_prepare(dict, word, n,
                         &r->pending[(r->pending_first + r->n_pending++) %
                                     WORDS_PENDING]);
        }
        if (rc == 0 && r->n_tokens % ASK_EVERY == 0)
            rc = watch_add(r->watch, 0, 0, 0, err);
        if (rc < 0)
            return rc;
    }
    if (rc == 0)
        rc = take_all_pending(r, err);
    r->doc_terms = doc_terms(r);
    r->capped_documents += r->capped_tokens > capped;
    return rc;
}
