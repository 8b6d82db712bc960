/* reduce.c - from text to distinct terms.
 *
 * Cost.  A token is found and folded (token/), looked up (dict/) and its
 * tally touched: the tally remembers the last document that had the term,
 * which removes repetitions without sorting.  The look-up in a large
 * vocabulary waits for memory, so words are prepared a few ahead.  Where
 * words are dropped, stemmed or renamed, the answer is worked out once for
 * each distinct word and remembered (struct fate), so that rules cost next
 * to nothing.
 */
#include "index/reduce.h"

#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/watch.h"
#include "dict/dict.h"

#define ASK_EVERY 65536u /* tokens */

_Static_assert(DICT_WORD_MAX <= WORD_SLACK, "dict_prepare() reads that far");

/* What a worker knows of a term of its run. */
struct tally {
    uint32_t last; /* the last document that had it, from 1 */
    uint32_t df;
};

/* What becomes of a word, remembered when the rules are not plain. */
struct fate {
    enum token_verdict verdict;
    uint32_t term;
};

int reducer_init(struct reducer *r, const struct rules *rules, uint32_t cap,
                 struct cooc_err *err)
{
    int rc;

    *r = (struct reducer){ .cap = cap, .stems = rules_stem(rules) };
    rc = tokeniser_new(&r->tok, rules, err);
    if (rc == 0)
        rc = dict_new(&r->terms, err);
    if (rc == 0 && !rules_are_plain(rules))
        rc = dict_new(&r->words, err);
    return rc;
}

void reducer_release(struct reducer *r)
{
    tokeniser_free(r->tok);
    dict_free(r->terms);
    dict_free(r->words);
    mem_free(r->tally);
    mem_free(r->fates);
    mem_free(r->tokens);
    mem_free(r->ids);
    *r = (struct reducer){ 0 };
}

void reducer_clear(struct reducer *r)
{
    dict_clear(r->terms);
    if (r->words)
        dict_clear(r->words);
    r->n_fates = 0;
    if (r->tally)
        memset(r->tally, 0, r->tally_cap * sizeof *r->tally);
    r->doc = 0;
}

uint64_t reducer_memory(const struct reducer *r)
{
    uint64_t used = dict_memory(r->terms) + r->tally_cap * sizeof *r->tally;

    if (r->words)
        used += dict_memory(r->words) + r->fates_cap * sizeof *r->fates +
                r->tokens_cap * sizeof *r->tokens;
    return used;
}

int reducer_df(const struct reducer *r, uint32_t **df, struct cooc_err *err)
{
    uint32_t n = dict_size(r->terms);

    *df = mem_array(n, sizeof **df);
    if (!*df)
        return err_nomem(err);
    for (uint32_t i = 0; i < n; i++) /* a capped term may have no tally */
        (*df)[i] = i < r->tally_cap ? r->tally[i].df : 0;
    return 0;
}

bool reducer_form(const struct reducer *r, uint32_t word,
                  struct word_form *out)
{
    const struct fate *f = &r->fates[word];
    size_t len;
    const char *text = dict_term(r->words, word, &len);

    if (f->verdict > TOKEN_MERGED || !r->tokens[word])
        return false;
    *out = (struct word_form){ .is_preferred = f->verdict == TOKEN_MERGED,
                               .term = f->term, .tokens = r->tokens[word] };
    tokeniser_form(r->tok, text, len, &out->form, &out->len);
    return true;
}

void reducer_report(const struct reducer *r, struct cooc_index_report *out)
{
    const struct cooc_index_report *s = &r->sums;

    out->tokens += s->tokens;
    out->dropped_stop += s->dropped_stop;
    out->dropped_short += s->dropped_short;
    out->dropped_long += s->dropped_long;
    out->dropped_numbers += s->dropped_numbers;
    out->dropped_thesaurus += s->dropped_thesaurus;
    out->merged_thesaurus += s->merged_thesaurus;
    out->capped_documents += s->capped_documents;
    out->capped_tokens += s->capped_tokens;
    if (r->tok)
        out->invalid_bytes += tokeniser_invalid_bytes(r->tok);
}

/* Find out what becomes of a word that is new to this run. */
static int new_fate(struct reducer *r, uint32_t id, const char *word,
                    size_t len, struct cooc_err *err)
{
    struct fate f = { 0 };
    const char *term;
    size_t term_len;
    int rc = array_grow(&r->fates, &r->fates_cap, (size_t)id + 1,
                        sizeof *r->fates, err);

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
    r->fates[id] = f;
    if (r->stems)
        r->tokens[id] = 0;
    return 0;
}

/* From the number of a word to that of its term; 1 if it is dropped. */
static int term_of_word(struct reducer *r, uint32_t *id, const char *word,
                        size_t len, struct cooc_err *err)
{
    struct fate f;

    if (*id == r->n_fates) { /* words are numbered as they come */
        int rc = new_fate(r, *id, word, len, err);

        if (rc < 0)
            return rc;
        r->n_fates++;
    }
    f = r->fates[*id];
    *id = f.term;
    switch (f.verdict) {
    case TOKEN_KEPT:
    case TOKEN_RENAMED:
        return 0;
    case TOKEN_MERGED:
        r->sums.merged_thesaurus++;
        return 0;
    case TOKEN_STOP:
        r->sums.dropped_stop++;
        return 1;
    case TOKEN_SHORT:
        r->sums.dropped_short++;
        return 1;
    case TOKEN_LONG:
        r->sums.dropped_long++;
        return 1;
    case TOKEN_NUMBER:
        r->sums.dropped_numbers++;
        return 1;
    case TOKEN_UNWANTED:
        r->sums.dropped_thesaurus++;
        return 1;
    }
    return 1;
}

static int grow_tally(struct reducer *r, uint32_t id, struct cooc_err *err)
{
    size_t old = r->tally_cap;
    int rc = array_grow(&r->tally, &r->tally_cap, (size_t)id + 1,
                        sizeof *r->tally, err);

    if (rc == 0)
        memset(r->tally + old, 0, (r->tally_cap - old) * sizeof *r->tally);
    return rc;
}

/* The document has this term, perhaps not for the first time. */
static inline int have_term(struct reducer *r, uint32_t id,
                            struct cooc_err *err)
{
    int rc;

    if (id >= r->tally_cap && (rc = grow_tally(r, id, err)) < 0)
        return rc;
    if (r->tally[id].last == r->doc)
        return 0;
    if (r->cap && r->n_ids - r->doc_start >= r->cap) {
        r->sums.capped_tokens++;
        r->capped = true;
        return 0;
    }
    r->tally[id].last = r->doc;
    r->tally[id].df++;
    if (r->n_ids == r->ids_cap &&
        (rc = array_grow(&r->ids, &r->ids_cap, r->ids_cap + 1,
                         sizeof *r->ids, err)) < 0)
        return rc;
    r->ids[r->n_ids++] = id;
    return 0;
}

/* The document has this word, which is numbered in words or, if the rules are
 * plain, in terms. */
static inline int have_word(struct reducer *r, uint32_t word, const char *text,
                            size_t len, struct cooc_err *err)
{
    uint32_t id = word;
    uint64_t capped = r->sums.capped_tokens;
    int rc;

    if (!r->words)
        return have_term(r, id, err);
    rc = term_of_word(r, &id, text, len, err);
    if (rc)
        return rc < 0 ? rc : 0;
    rc = have_term(r, id, err);
    if (r->stems && r->sums.capped_tokens == capped)
        r->tokens[word]++;
    return rc;
}

/* The oldest of the words ahead has its turn. */
static inline int take_ahead(struct reducer *r, struct cooc_err *err)
{
    const struct dict_word *w = &r->ahead[r->ahead_first];
    uint64_t text[2] = { w->first, w->last };
    uint32_t id;
    int rc = dict_add_prepared(r->words ? r->words : r->terms, w, &id, err);

    r->ahead_first = (r->ahead_first + 1) % WORDS_AHEAD;
    r->n_ahead--;
    return rc < 0 ? rc : have_word(r, id, (const char *)text, w->len, err);
}

static int take_all_ahead(struct reducer *r, struct cooc_err *err)
{
    int rc = 0;

    while (r->n_ahead && rc == 0)
        rc = take_ahead(r, err);
    return rc;
}

/* A word too long to go ahead. */
static int take_long(struct reducer *r, const char *word, size_t len,
                     struct cooc_err *err)
{
    uint32_t id;
    int rc = take_all_ahead(r, err); /* words keep their order */

    if (rc < 0)
        return rc;
    if (len > TERM_MAX) {
        r->sums.dropped_long++;
        return 0;
    }
    rc = dict_add(r->words ? r->words : r->terms, word, len, &id, err);
    return rc < 0 ? rc : have_word(r, id, word, len, err);
}

int reducer_add(struct reducer *r, const char *text, size_t len,
                struct cooc_err *err)
{
    struct dict *dict = r->words ? r->words : r->terms;
    const char *word;
    size_t n;
    int rc;

    r->doc++;
    r->doc_start = r->n_ids;
    r->capped = false;
    r->n_ahead = 0;
    tokeniser_start(r->tok, text, len);
    while ((rc = tokeniser_next(r->tok, &word, &n, err)) > 0) {
        r->sums.tokens++;
        if (n > DICT_WORD_MAX) {
            rc = take_long(r, word, n, err);
        } else {
            rc = r->n_ahead == WORDS_AHEAD ? take_ahead(r, err) : 0;
            dict_prepare(dict, word, n,
                         &r->ahead[(r->ahead_first + r->n_ahead++) %
                                   WORDS_AHEAD]);
        }
        if (rc == 0 && r->sums.tokens % ASK_EVERY == 0 && r->watch)
            rc = watch_add(r->watch, 0, 0, 0, err);
        if (rc < 0)
            return rc;
    }
    if (rc == 0)
        rc = take_all_ahead(r, err);
    r->sums.capped_documents += r->capped;
    return rc;
}
