/* reduce.c - from text to distinct terms.
 *
 * Cost.  A token is found and folded (token/), looked up (dict/) and its
 * tally touched: the tally remembers the last document that had the term,
 * which removes repetitions without sorting.  Where words are dropped,
 * stemmed or renamed, the answer is worked out once for each distinct word
 * and remembered (struct fate), so that rules cost next to nothing.
 */
#include "index/reduce.h"

#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "dict/dict.h"

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

    *r = (struct reducer){ .cap = cap };
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
    mem_free(r->ids);
    *r = (struct reducer){ 0 };
}

void reducer_clear(struct reducer *r)
{
    dict_clear(r->terms);
    if (r->words)
        dict_clear(r->words);
    if (r->tally)
        memset(r->tally, 0, r->tally_cap * sizeof *r->tally);
    r->doc = 0;
}

uint64_t reducer_memory(const struct reducer *r)
{
    uint64_t used = dict_memory(r->terms) + r->tally_cap * sizeof *r->tally;

    if (r->words)
        used += dict_memory(r->words) + r->fates_cap * sizeof *r->fates;
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

void reducer_report(const struct reducer *r, struct cooc_index_report *out)
{
    const struct cooc_index_report *s = &r->sums;

    out->tokens += s->tokens;
    out->dropped_stop += s->dropped_stop;
    out->dropped_short += s->dropped_short;
    out->dropped_long += s->dropped_long;
    out->dropped_numbers += s->dropped_numbers;
    out->merged_thesaurus += s->merged_thesaurus;
    out->capped_documents += s->capped_documents;
    out->capped_tokens += s->capped_tokens;
    if (r->tok)
        out->invalid_bytes += tokeniser_invalid_bytes(r->tok);
}

static int fate_of(struct reducer *r, const char *word, size_t len,
                   struct fate *fate, struct cooc_err *err)
{
    uint32_t id, known = dict_size(r->words);
    int rc = dict_add_word(r->words, word, len, &id, err);

    if (rc < 0)
        return rc;
    if (id == known) {
        struct fate f = { 0 };
        const char *term;
        size_t term_len;

        rc = array_grow(&r->fates, &r->fates_cap, (size_t)id + 1,
                        sizeof *r->fates, err);
        if (rc == 0)
            rc = tokeniser_term(r->tok, word, len, &f.verdict, &term,
                                &term_len, err);
        if (rc == 0 && f.verdict <= TOKEN_MERGED)
            rc = dict_add(r->terms, term, term_len, &f.term, err);
        if (rc < 0)
            return rc;
        r->fates[id] = f;
    }
    *fate = r->fates[id];
    return 0;
}

/* The term of a word, in *id; 1 if the word is dropped. */
static int term_of(struct reducer *r, const char *word, size_t len,
                   uint32_t *id, struct cooc_err *err)
{
    struct fate f;
    int rc;

    if (len > TERM_MAX) {
        r->sums.dropped_long++;
        return 1;
    }
    if (!r->words)
        return dict_add_word(r->terms, word, len, id, err);
    rc = fate_of(r, word, len, &f, err);
    if (rc < 0)
        return rc;
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

int reducer_add(struct reducer *r, const char *text, size_t len,
                struct cooc_err *err)
{
    uint64_t start = r->n_ids;
    uint32_t cap = r->cap, doc = ++r->doc, id = 0;
    bool capped = false;
    const char *word;
    size_t n;
    int rc;

    tokeniser_start(r->tok, text, len);
    while ((rc = tokeniser_next(r->tok, &word, &n, err)) > 0) {
        r->sums.tokens++;
        rc = term_of(r, word, n, &id, err);
        if (rc < 0)
            return rc;
        if (rc > 0)
            continue;
        if (id >= r->tally_cap && (rc = grow_tally(r, id, err)) < 0)
            return rc;
        if (r->tally[id].last == doc)
            continue;
        if (cap && r->n_ids - start >= cap) {
            r->sums.capped_tokens++;
            capped = true;
            continue;
        }
        r->tally[id].last = doc;
        r->tally[id].df++;
        if (r->n_ids == r->ids_cap &&
            (rc = array_grow(&r->ids, &r->ids_cap, r->ids_cap + 1,
                             sizeof *r->ids, err)) < 0)
            return rc;
        r->ids[r->n_ids++] = id;
    }
    r->sums.capped_documents += capped;
    return rc;
}
