/* build.c - index_build(): the stages of indexing, one after the other. */
#include "index/build.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#include "base/dict.h"
#include "base/err.h"
#include "base/file.h"
#include "base/list_lines.h"
#include "base/mem.h"
#include "base/name_list.h"
#include "base/pool.h"
#include "base/watch.h"
#include "cooc_build.h"
#include "dict/name_sort.h"
#include "index/forms.h"
#include "index/ingest.h"
#include "index/order.h"
#include "index/write.h"
#include "read/read.h"

#define LIST_MAX ((size_t)1 << 30)       /* bytes of an option's list file */
#define MEMORY_MIN ((uint64_t)16 << 20)

enum { STOP, THESAURUS, TERMS, LISTS };

/* Set *out to the given list or, if its text is NULL, to the contents of the
 * file at path, which are read into *b; path may be NULL. */
static int read_list(struct text_list *out, struct buf *b,
                     struct text_list given, const char *path,
                     struct cooc_err *err)
{
    bool is_file = path && !given.text;
    int rc = is_file ? file_read_all(path, LIST_MAX, b, err) : 0;

    *out = given;
    if (is_file)
        *out = (struct text_list){ .name = path,
                                   .text = b->data ? b->data : "",
                                   .len = b->len };
    return rc;
}

static int make_rules(struct rules **rules, const struct cooc_index_options *o,
                      const struct text_list *lists, bool is_terms,
                      enum token_mode *mode, struct cooc_err *err)
{
    struct rules_options ro = {
        .keep_case = o->keep_case,
        .drop_numbers = o->drop_numbers,
        .min_length = o->min_length,
        .max_length = o->max_length,
        .stop = lists[STOP],
        .thesaurus = lists[THESAURUS],
        .stem = o->stem,
    };

    if (!o->tokens || !strcmp(o->tokens, "words"))
        ro.mode = TOKENS_WORDS;
    else if (!strcmp(o->tokens, "whitespace"))
        ro.mode = TOKENS_WHITESPACE;
    else
        return err_option(err, COOC_EINVAL, "tokens",
                          "tokens must be 'words' or 'whitespace', not '%s'",
                          o->tokens);
    if (is_terms)
        ro.mode = TOKENS_LINES;
    *mode = ro.mode;
    return rules_new(rules, &ro, err);
}

/* Add the terms of a line of --terms FILE. */
static int add_terms(struct dict *d, struct tokeniser *tok, const char *line,
                     size_t line_len, struct cooc_err *err)
{
    const char *word, *term;
    size_t len, term_len;
    uint32_t whole;
    int rc = tokeniser_preferred(tok, line, line_len, &term, &term_len, err);

    if (rc > 0)
        return dict_add(d, term, term_len, &whole, err);
    if (rc < 0)
        return rc;
    tokeniser_start(tok, line, line_len);
    while ((rc = tokeniser_next(tok, &word, &len, err)) > 0) {
        enum token_verdict v;
        uint32_t id;

        rc = tokeniser_term(tok, word, len, &v, &term, &term_len, err);
        if (rc == 0 && v <= TOKEN_MERGED)
            rc = dict_add(d, term, term_len, &id, err);
        if (rc < 0)
            break;
    }
    return rc;
}

/* Collect the terms of --terms FILE, using the same rules as for documents. */
static int only_terms(struct dict **out, const struct rules *rules,
                      const struct text_list *list, struct cooc_err *err)
{
    struct list_line line = { 0 };
    struct tokeniser *tok = NULL;
    int rc = dict_new(out, err);

    if (rc == 0)
        rc = tokeniser_new(&tok, rules, err);
    while (rc == 0 && list_next(list, &line)) {
        ascii_trim(&line.text, &line.len, ASCII_SPACE);
        rc = add_terms(*out, tok, line.text, line.len, err);
    }
    tokeniser_free(tok);
    return rc;
}

/* Hash the set of terms: neither their order nor repetitions matter. */
static int hash_terms(const struct dict *d, char *hex, struct cooc_err *err)
{
    struct buf all = { 0 };
    uint32_t *order = NULL;
    int rc = name_sort(d, &order, err);

    for (uint32_t i = 0; rc == 0 && i < dict_size(d); i++) {
        size_t len;
        const char *term = dict_term(d, order[i], &len);

        rc = buf_add(&all, term, len, err);
        if (rc == 0)
            rc = buf_add(&all, "\n", 1, err);
    }
    if (rc == 0)
        snprintf(hex, TERMS_HASH_MAX, "%016" PRIx64,
                 (uint64_t)XXH3_64bits(all.len ? all.data : "", all.len));
    buf_release(&all);
    mem_free(order);
    return rc;
}

int index_write(struct ingested *g, const struct index_job *job,
                const struct term_filter *filter, struct ordering *keep,
                struct cooc_err *err)
{
    struct cooc_index_report *rep = job->report;
    struct ordering order = { 0 };
    struct files_writer files = { 0 };
    double start = clock_seconds();
    int rc;

    watch_phase(job->watch, "ordering terms", "", 0);
    rep->spilled_bytes = ingested_spilled(g);
    rc = order_terms(&order, g, filter, job, &files, err);
    if (rc == 0 && job->labels)
        rc = forms_write(g, &order, job, &files, err);
    rep->seconds_order = clock_seconds() - start;
    if (rc == 0) {
        watch_phase(job->watch, "writing the index", "documents",
                    2 * rep->documents); /* forward and inverted index */
        rc = write_forward(g, &order, job, &files, err);
    }
    ingested_release(g);
    if (rc == 0)
        rc = write_inverted(&order, job, &files, err);
    rc = files_writer_end(&files, rc, job->ids, err);
    if (keep && rc == 0)
        *keep = order;
    else
        ordering_release(&order);
    rep->seconds_write = clock_seconds() - start - rep->seconds_order;
    return rc;
}

/* Report the input and the settings in effect. */
static void note_input(const struct index_job *job)
{
    struct cooc_index_report *rep = job->report;
    struct reader_stats s = reader_stats(job->reader);

    rep->threads = job->threads;
    rep->memory = job->memory;
    rep->input_bytes = s.bytes;
    rep->invalid_bytes += s.invalid_bytes;
    rep->skipped_inputs = s.skipped;
    rep->skipped_stores = s.stores;
    strncpy(rep->format, reader_format(job->reader), sizeof rep->format - 1);
}

static int check_options(const struct cooc_index_options *o,
                         const struct index_job *job, struct cooc_err *err)
{
    if (job->memory < MEMORY_MIN)
        return err_option(err, COOC_EINVAL, "memory",
                          "memory must be at least 16 MiB to index");
    if (o->max_length && o->min_length > o->max_length)
        return err_option(err, COOC_EINVAL, "min_length",
                          "the minimum length must be at most the maximum "
                          "(%u), not %u",
                          o->max_length, o->min_length);
    if (!(o->max_df_share >= 0 && o->max_df_share <= 1)) /* or NaN */
        return err_option(err, COOC_EINVAL, "max_df_share",
                          "the share of documents must be between 0 and 1");
    return pool_check(job->threads, err);
}

int index_check(const struct cooc_index_options *o, struct cooc_err *err)
{
    struct index_job job = {
        .threads = o->threads ? o->threads : 1,
        .memory = o->memory ? o->memory : MEMORY_MIN,
    };
    const struct text_list unread[LISTS] = { 0 };
    struct rules *rules = NULL;
    enum token_mode mode;
    int rc = check_options(o, &job, err);

    if (rc == 0)
        rc = make_rules(&rules, o, unread, false, &mode, err);
    rules_free(rules);
    return rc < 0 ? rc : reader_check(o, err);
}

/* Index the documents of job->reader with job->rules. */
static int read_and_write(struct index_job *job, struct index_input *in,
                          const struct cooc_index_options *o,
                          const struct text_list *terms,
                          struct index_rules *how, struct cooc_err *err)
{
    struct term_filter filter = { .min_df = o->min_df, .max_df = o->max_df,
                                  .max_df_share = o->max_df_share,
                                  .top_terms = o->top_terms };
    struct ingested g = INGESTED_NONE;
    struct dict *only = NULL;
    double start = clock_seconds();
    int rc = 0;

    job->labels = how->labels = rules_stem(job->rules);
    if (terms->text)
        rc = only_terms(&only, job->rules, terms, err);
    if (rc == 0 && only)
        rc = hash_terms(only, how->terms_hash, err);
    if (rc < 0)
        goto out;
    filter.only = only;
    reader_know_fields(job->reader, how->known_fields);
    rc = ingest(&g, job, err);
    note_input(job);
    if (rc == 0)
        rc = name_list_add_all(&how->fields, reader_fields(job->reader), err);
    job->report->seconds_read = clock_seconds() - start;
    if (rc == 0 && in->make_directory)
        rc = in->make_directory(in->self, &in->dir, err);
    job->dir = in->dir;
    if (rc == 0)
        rc = index_write(&g, job, &filter, NULL, err);
out:
    ingested_release(&g);
    dict_free(only);
    return rc;
}

int index_build(struct index_input *in,
                const struct cooc_index_options *o, struct checked_file_id *ids,
                struct index_rules *how, struct cooc_index_report *rep,
                struct watch *watch, struct cooc_err *err)
{
    struct index_job job = {
        .dir = in->dir,
        .tmpdir = in->tmpdir ? in->tmpdir : in->dir,
        .fixed_tmpdir = true,
        .threads = o->threads ? o->threads : pool_cores(),
        .memory = o->memory ? o->memory : memory_half(),
        .ids = ids,
        .report = rep,
        .watch = watch,
        .max_doc_terms = o->max_doc_terms,
    };
    const char *const paths[] = { o->stop_file, o->thesaurus_file,
                                  o->terms_file };
    const struct text_list given[LISTS] = { in->stop, in->thesaurus };
    struct text_list lists[LISTS];
    struct buf texts[LISTS] = { 0 };
    struct reader *reader = NULL;
    struct rules *rules = NULL;
    int rc = check_options(o, &job, err);

    for (int i = 0; i < LISTS && rc == 0; i++)
        rc = read_list(&lists[i], &texts[i], given[i], paths[i], err);
    if (rc == 0)
        rc = in->feed ? reader_open_feed(&reader, in->feed, err)
                      : reader_open(&reader, in->inputs, in->n, o, watch, err);
    if (rc == 0)
        rc = make_rules(&rules, o, lists, reader_is_terms(reader), &how->mode,
                        err);
    job.reader = reader;
    job.rules = rules;
    if (rc == 0)
        rc = read_and_write(&job, in, o, &lists[TERMS], how, err);
    if (rc == 0)
        rc = write_file(job.dir, FILE_STOP, lists[STOP].text, lists[STOP].len,
                        ids, err);
    if (rc == 0)
        rc = write_file(job.dir, FILE_THESAURUS, lists[THESAURUS].text,
                        lists[THESAURUS].len, ids, err);
    rules_free(rules);
    reader_close(reader);
    for (int i = 0; i < LISTS; i++)
        buf_release(&texts[i]);
    return rc;
}
