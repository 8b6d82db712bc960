/* term_extractor.c - from text to distinct terms.
 *
 * Cost.  For each token: find and fold it (token/), look it up (base/dict.h).
 * Words come in batches, so that the cache misses of their lookups overlap, and
 * the slot of a term contains the last document with this term, so repetitions
 * are removed without sorting.
 *
 * If the rules drop, stem or rename words, the result is computed once for each
 * distinct word and cached (struct word_result), and the last document of each
 * term is in a table of its own (struct tally); so, too, if the number of terms
 * per document is limited.
 */
#include "index/term_extractor.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/watch.h"
#include "cooc_build.h"
#include "index/ingest.h"
#include "read/read.h"

#define ASK_EVERY 65536u /* tokens */

#define SOME 256 /* words looked up at a time if marks are not enough */

_Static_assert(DICT_SLACK <= WORD_SLACK, "dict_mark_words() reads that far");

/* What a worker stores about a term, unless its mark and number in the
 * dictionary are enough; there, too, once the dictionary is finished. */
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
                                  .marks = rules_are_plain(job->rules) &&
                                           !job->max_doc_terms,
                                  .watch = job->watch };
    rc = tokeniser_new(&r->tok, job->rules, err);
    if (rc == 0)
        rc = dict_new(&r->terms, err);
    if (rc == 0 && !rules_keep_words(job->rules))
        rc = dict_new(&r->words, err);
    if (rc == 0 && rules_phrases(job->rules))
        rc = phrase_terms_init(r, job->rules, err);
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
    phrase_terms_release(r);
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
    if (r->phrases)
        phrase_terms_clear(r);
}

uint64_t term_extractor_memory(const struct term_extractor *r)
{
    uint64_t tallies = r->marks ? dict_size(r->terms) : r->tally_cap;
    uint64_t used = dict_memory(r->terms) + tallies * sizeof *r->tally;

    if (r->words)
        used += dict_memory(r->words) + r->results_cap * sizeof *r->results +
                r->tokens_cap * sizeof *r->tokens;
    return used + r->known_cap * sizeof *r->known;
}

static int grow_tally(struct term_extractor *r, size_t need,
                      struct cooc_err *err)
{
    size_t old = r->tally_cap;
    int rc = array_grow(&r->tally, &r->tally_cap, need, sizeof *r->tally, err);

    if (rc == 0 && r->tally_cap > old)
        memset(r->tally + old, 0, (r->tally_cap - old) * sizeof *r->tally);
    return rc;
}

int term_extractor_finish(struct term_extractor *r, struct cooc_err *err)
{
    size_t n = dict_size(r->terms);
    uint32_t *numbers;
    int rc;

    if (!r->marks)
        return 0;
    numbers = mem_array(n, sizeof *numbers);
    rc = numbers ? grow_tally(r, n, err) : err_nomem(err);
    if (rc == 0)
        dict_numbers(r->terms, numbers);
    for (size_t i = 0; i < n && rc == 0; i++)
        r->tally[i].df = numbers[i];
    mem_free(numbers);
    return rc;
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
    out->phrases += r->n_phrases;
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

int term_extractor_learn(struct term_extractor *r, uint32_t id,
                         const char *word, size_t len, struct cooc_err *err)
{
    int rc = r->words ? resolve_word(r, id, word, len, err) : 0;

    if (rc == 0 && r->words)
        r->n_results++;
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

    if (id >= r->tally_cap && (rc = grow_tally(r, (size_t)id + 1, err)) < 0)
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
 * r->words or, if the rules keep words, of r->terms. */
static inline int have_word(struct term_extractor *r, uint32_t word,
                            struct cooc_err *err)
{
    uint64_t capped = r->capped_tokens;
    struct word_result f;
    int rc;

    if (!r->words)
        return have_term(r, word, err);
    f = r->results[word];
    r->verdicts[f.verdict]++;
    if (f.verdict > TOKEN_MERGED)
        return 0;
    rc = have_term(r, f.term, err);
    if (r->stems && r->capped_tokens == capped)
        r->tokens[word]++;
    return rc;
}

/* The same for terms if none are dropped.  Without a branch: whether a term is
 * repeated cannot be predicted. */
static int have_terms(struct term_extractor *r, const uint32_t *terms,
                      size_t n, struct cooc_err *err)
{
    int rc = buf_reserve(r->ids, n * sizeof *terms, err);
    size_t size = dict_size(r->terms), m = 0;
    uint32_t *out;

    if (rc == 0 && size > r->tally_cap)
        rc = grow_tally(r, size, err);
    if (rc < 0)
        return rc;
    out = (uint32_t *)(void *)(r->ids->data + r->ids->len);
    for (size_t i = 0; i < n; i++) {
        struct tally *t = &r->tally[terms[i]];
        bool first = t->last != r->doc;

        out[m] = terms[i];
        m += first;
        t->df += first;
        t->last = r->doc;
    }
    r->ids->len += m * sizeof *terms;
    return 0;
}

int term_extractor_take(struct term_extractor *r, const uint32_t *words,
                        size_t n, struct cooc_err *err)
{
    int rc = 0;

    if (!r->words && !r->cap)
        return have_terms(r, words, n, err);
    for (size_t i = 0; i < n && rc == 0; i++)
        rc = have_word(r, words[i], err);
    return rc;
}

/* The same for a word that may be new. */
static inline int have_new_word(struct term_extractor *r, uint32_t word,
                                const char *text, size_t len,
                                struct cooc_err *err)
{
    int rc = 0;

    if (r->words && word == r->n_results) /* a new word gets the next id */
        rc = term_extractor_learn(r, word, text, len, err);
    return rc < 0 ? rc : have_word(r, word, err);
}

/* Process words of at most TERM_MAX bytes. */
static int take_words(struct term_extractor *r, const char *text,
                      const uint32_t *at, size_t n, struct cooc_err *err)
{
    struct dict *d = r->words ? r->words : r->terms;
    uint32_t ids[SOME];
    size_t n_ids;
    int rc = 0;

    if (r->marks) {
        rc = buf_reserve(r->ids, n * sizeof *ids, err);
        if (rc < 0)
            return rc;
        rc = dict_mark_words(d, text, at, n, r->doc,
                             (uint32_t *)(void *)(r->ids->data + r->ids->len),
                             &n_ids, err);
        r->ids->len += n_ids * sizeof *ids;
        return rc;
    }
    if (r->phrases)
        return phrase_terms_take(r, d, text, at, n, err);
    for (; n && rc == 0;) {
        size_t some = n < SOME ? n : SOME;

        rc = dict_add_words(d, text, at, some, ids, err);
        for (size_t i = 0; i < some && rc == 0; i++, at += 2)
            rc = have_new_word(r, ids[i], text + at[0], at[1] - at[0], err);
        n -= some;
    }
    return rc;
}

/* Process words, and drop those that are too long. */
static int take_batch(struct term_extractor *r, const struct words *w,
                      struct cooc_err *err)
{
    size_t from = 0, to = 0;
    int rc = 0;

    if (!w->may_be_long)
        return take_words(r, w->text, w->at, w->n, err);
    for (; to < w->n && rc == 0; to++) {
        if (w->at[2 * to + 1] - w->at[2 * to] <= TERM_MAX)
            continue;
        rc = take_words(r, w->text, w->at + 2 * from, to - from, err);
        r->verdicts[TOKEN_LONG]++;
        from = to + 1;
        if (rc == 0 && r->phrases)
            rc = phrase_terms_end(r, err);
    }
    return rc < 0 ? rc
                  : take_words(r, w->text, w->at + 2 * from, to - from, err);
}

/* Process a document, or a paragraph of it if there are phrases. */
static int take_text(struct term_extractor *r, const char *text, size_t len,
                     struct cooc_err *err)
{
    uint64_t asked = r->n_tokens;
    struct words w;
    int rc;

    tokeniser_start(r->tok, text, len);
    while ((rc = tokeniser_words(r->tok, &w, err)) > 0) {
        r->n_tokens += w.n;
        rc = take_batch(r, &w, err);
        if (rc == 0 && r->n_tokens - asked >= ASK_EVERY) {
            asked = r->n_tokens;
            rc = watch_add(r->watch, 0, 0, 0, err);
        }
        if (rc < 0)
            return rc;
    }
    return rc;
}

int term_extractor_add(struct term_extractor *r, const struct document *doc,
                       struct cooc_err *err)
{
    uint64_t capped = r->capped_tokens;
    size_t at = 0, end = 0;
    int rc = 0;

    r->doc++;
    r->doc_start = r->ids->len;
    if (!r->phrases)
        rc = take_text(r, doc->text, doc->text_len, err);
    while (r->phrases && at < doc->text_len && rc == 0) {
        size_t len = phrase_terms_paragraph(doc, at, &end);

        rc = take_text(r, doc->text + at, len, err);
        if (rc == 0)
            rc = phrase_terms_end(r, err);
        at += len;
    }
    if (rc < 0)
        return rc;
    r->doc_terms = doc_terms(r);
    r->capped_documents += r->capped_tokens > capped;
    return rc;
}
