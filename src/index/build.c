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
#include "index/kept_terms.h"
#include "index/write.h"
#include "read/read.h"
#include "token/phrases.h"

#define MEMORY_MIN ((uint64_t)16 << 20)

enum { STOP, THESAURUS, PHRASES, TERMS, MERGE_TERMS, LISTS };

/* Set *out to the given list or, if its text is NULL, to the contents of the
 * file at path, which are read into *b; path may be NULL. */
static int read_list(struct text_list *out, struct buf *b,
                     struct text_list given, const char *path,
                     struct cooc_err *err)
{
    *out = given;
    return path && !given.text ? text_list_load(out, b, path, err) : 0;
}

/* Check the options for phrases, after the lists have been read. */
static int check_phrases(const struct rules *rules,
                         const struct cooc_index_options *o,
                         enum document_kind kind, struct cooc_err *err)
{
    const char *given = o->phrases_file        ? "phrases_file"
                        : o->keep_phrase_words ? "keep_phrase_words"
                                               : NULL;

    if (given && kind != KIND_TEXT)
        return err_option(err, COOC_EINVAL, given,
                          "phrases are found in text, but the documents are "
                          "ready-made terms; leave the option out");
    if (o->keep_phrase_words && !rules_phrases(rules))
        return err_option(err, COOC_EINVAL, "keep_phrase_words",
                          "keeping the words of phrases needs phrases; give a "
                          "list of them, or leave the option out");
    return 0;
}

static int make_rules(struct rules **rules, const struct cooc_index_options *o,
                      const struct text_list *lists, enum document_kind kind,
                      bool phrases, enum token_mode *mode,
                      struct cooc_err *err)
{
    struct rules_options ro = {
        .keep_case = o->keep_case,
        .drop_numbers = o->drop_numbers,
        .min_length = o->min_length,
        .max_length = o->max_length,
        .stop = lists[STOP],
        .thesaurus = lists[THESAURUS],
        .stem = o->stem,
        .phrases = phrases && kind == KIND_TEXT,
        .keep_phrase_words = o->keep_phrase_words,
        .phrase_list = lists[PHRASES],
        .terms = lists[o->terms_file ? TERMS : MERGE_TERMS],
    };

    if (!o->tokens || !strcmp(o->tokens, "words"))
        ro.mode = TOKENS_WORDS;
    else if (!strcmp(o->tokens, "whitespace"))
        ro.mode = TOKENS_WHITESPACE;
    else
        return err_option(err, COOC_EINVAL, "tokens",
                          "tokens must be 'words' or 'whitespace', not '%s'",
                          o->tokens);
    if (kind != KIND_TEXT)
        ro.mode = kind == KIND_TERMS ? TOKENS_LINES : TOKENS_ITEMS;
    *mode = ro.mode;
    return rules_new(rules, &ro, err);
}

/* Find the kind of the documents.  Ready-made terms that are added to a store
 * of items become items, whatever their source. */
static int choose_kind(enum document_kind *kind, const struct index_input *in,
                       const struct reader *reader,
                       const struct cooc_index_options *o,
                       struct cooc_err *err)
{
    *kind = reader_kind(reader);
    if (*kind != KIND_TEXT && o->tokens && !in->added_to)
        return err_option(err, COOC_EINVAL, "tokens",
                          "the choice of tokens does not apply to this input, "
                          "which has ready-made terms (%s); leave the option "
                          "out", reader_format(reader));
    if (*kind == KIND_TERMS &&
        (o->fold || (in->added_to && *in->added_to == TOKENS_ITEMS)))
        *kind = KIND_ITEMS;
    return 0;
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
    rep->spilled_bytes += ingested_spilled(g);
    rc = order_terms(&order, g, filter, job, &files, err);
    if (rc == 0 && job->labels)
        rc = forms_write(g, &order, job, &files, err);
    rep->seconds_order = clock_seconds() - start;
    if (rc == 0) {
        watch_phase(job->watch, "writing the index", "documents",
                    2 * rep->documents); /* forward and inverted index */
        rc = write_forward(g, &order, job, &files, err);
        if (rc == 0 && g->loaded)
            rc = g->loaded(g->source, err);
    }
    ingested_release(g);
    if (keep && rc == 0)
        map_forget(order.maps, 0, order.map_bytes);
    else
        ordering_drop_maps(&order);
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
    rep->ready_made = reader_kind(job->reader) != KIND_TEXT;
    rep->bad_files = s.bad_files;
    rep->bad_records = s.bad_records;
    rep->spilled_bytes = s.spilled;
    strncpy(rep->format, reader_format(job->reader), sizeof rep->format - 1);
}

/* Parts are made without filters: a term that is rare in a part may be frequent
 * in the whole. */
static int check_part(const struct cooc_index_options *o, struct cooc_err *err)
{
    const char *filter = o->min_df           ? "min_df"
                         : o->max_df         ? "max_df"
                         : o->max_df_share > 0 ? "max_df_share"
                         : o->top_terms      ? "top_terms"
                         : o->terms_file     ? "terms_file"
                                             : NULL;

    if (!o->part && !o->parts)
        return 0;
    if (!o->part || o->part > o->parts)
        return err_option(err, COOC_EINVAL, "part",
                          "the part must be a number from 1 to the number of "
                          "parts, %u, not %u", o->parts, o->part);
    if (filter)
        return err_option(err, COOC_EINVAL, filter,
                          "a part of an index must keep all terms, because "
                          "only the merged store shows how frequent they are; "
                          "set the filter when you merge the parts");
    if (o->count_follows)
        return err_option(err, COOC_EINVAL, "part",
                          "a part of an index cannot be counted in the same "
                          "step; index all parts, merge them, then count");
    return 0;
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
    if (max_df_share_check(o->max_df_share, err) < 0 || check_part(o, err) < 0)
        return COOC_EINVAL;
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
        rc = make_rules(&rules, o, unread, KIND_TEXT, false, &mode, err);
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
    how->phrases = phrases_count(rules_phrases(job->rules));
    if (how->phrases)
        reader_want_ends(job->reader);
    if (terms->text)
        rc = kept_terms_read(&only, how->terms_hash, job->rules, terms,
                             how->mode < TOKENS_LINES && !in->no_phrases, err);
    if (rc < 0)
        goto out;
    filter.only = only;
    reader_know_fields(job->reader, how->known_fields);
    rc = ingest(&g, job, err);
    note_input(job);
    if (rc == 0)
        rc = name_list_add_all(&how->fields, reader_fields(job->reader), err);
    if (rc == 0)
        how->part = reader_part(job->reader);
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

/* Write the lists that the store keeps. */
static int write_lists(const struct index_job *job,
                       const struct text_list *lists, struct cooc_err *err)
{
    const struct text_list phrases = rules_phrase_list(job->rules);
    int rc = write_file(job->dir, FILE_STOP, lists[STOP].text,
                        lists[STOP].len, job->ids, err);

    if (rc == 0)
        rc = write_file(job->dir, FILE_THESAURUS, lists[THESAURUS].text,
                        lists[THESAURUS].len, job->ids, err);
    if (rc == 0 && rules_phrases(job->rules))
        rc = write_file(job->dir, FILE_PHRASES, phrases.text, phrases.len,
                        job->ids, err);
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
    const char *const paths[LISTS] = { o->stop_file, o->thesaurus_file,
                                       o->phrases_file, o->terms_file,
                                       o->merge_terms_file };
    const struct text_list given[LISTS] = { in->stop, in->thesaurus,
                                            in->phrases };
    struct text_list lists[LISTS];
    struct buf texts[LISTS] = { 0 };
    struct reader *reader = NULL;
    struct rules *rules = NULL;
    enum document_kind kind;
    int rc = check_options(o, &job, err);

    for (int i = 0; i < LISTS && rc == 0; i++)
        rc = read_list(&lists[i], &texts[i], given[i], paths[i], err);
    if (rc == 0)
        rc = in->feed ? reader_open_feed(&reader, in->feed, err)
                      : reader_open_more(&reader, in->inputs, in->n, o,
                                         &in->before, watch, err);
    if (rc == 0)
        rc = choose_kind(&kind, in, reader, o, err);
    if (rc == 0)
        rc = make_rules(&rules, o, lists, kind, !in->no_phrases, &how->mode,
                        err);
    if (rc == 0)
        rc = check_phrases(rules, o, kind, err);
    job.reader = reader;
    if (rc == 0)
        reader_set_tmpdir(reader, job.tmpdir);
    job.rules = rules;
    if (rc == 0)
        rc = read_and_write(&job, in, o, &lists[TERMS], how, err);
    if (rc == 0)
        rc = write_lists(&job, lists, err);
    rules_free(rules);
    reader_close(reader);
    for (int i = 0; i < LISTS; i++)
        buf_release(&texts[i]);
    return rc;
}
