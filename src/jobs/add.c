/* add.c - cooc_add(): add documents to a store.
 *
 * The new documents become a store of their own, NAME.added.part, made with
 * the settings and lists of the old one.  Both are merged into NAME.part,
 * which replaces the old store in one step.  If the job is killed at any
 * moment, NAME is either the old or the new store, and the next job removes
 * the temporary directories.  They are created when all new documents have
 * been read: until then, the job only has a lock on the store, and nothing is
 * left of a job that is killed.
 */
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/library_alloc.h"
#include "base/mem.h"
#include "base/sized.h"
#include "base/watch.h"
#include "base/workdir.h"
#include "cooc_build.h"
#include "index/build.h"
#include "jobs/known_names.h"
#include "jobs/merge_filter.h"
#include "jobs/steps.h"
#include "read/reading.h"
#include "store/reading_note.h"
#include "store/settings.h"
#include "store/staging.h"
#include "store/store.h"

struct adding {
    const char *path;
    bool files;                      /* documents are read from files */
    struct cooc_index_options given; /* options of the caller */
    struct store old;
    struct staging added, target;
    struct cooc_index_options input; /* options in effect */
    struct reader_before before;      /* format of the store */
    struct text_list stop, thesaurus, phrases; /* lists of the store */
    struct merge_order merge;
    char *name;             /* the copy that path points to */
    struct cooc_index_report indexed;
    struct merge_outcome merged;
};

/* Set *out to a list of the store. */
static int get_list(struct adding *a, enum collection_file f,
                    struct text_list *out, struct cooc_err *err)
{
    struct checked_file *b = a->old.docs.files[f];
    const void *text;
    int rc = checked_file_get(b, 0, checked_file_size(b), &text, err);

    if (rc == 0)
        *out = (struct text_list){ .name = a->path, .text = text,
                                   .len = checked_file_size(b) };
    return rc;
}

/* Check, before reading them, that the documents can be merged with the
 * store. */
static int check_rules(const struct adding *a, struct cooc_err *err)
{
    const struct manifest *m = &a->old.manifest;
    struct rule_versions now = rule_versions_now(&m->rules);
    struct rule_versions both = m->versions;
    int rc = rule_versions_unite(&both, &now, err);

    if (rc < 0 || both.n == m->versions.n || a->merge.o.accept_rules)
        return rc;
    return rule_versions_differ(&m->versions, a->path, &now,
                                "the new documents", err);
}

/* Set the options, so that the new documents are read like the old ones. */
static int prepare_input(struct adding *a, struct cooc_err *err)
{
    const struct manifest *m = &a->old.manifest;
    const struct cooc_index_options *given = &a->given;
    struct cooc_index_options *o = &a->input;
    struct settings_lists lists;
    const char *filter = merge_filter_given(&a->merge.o);
    int rc = settings_unitable(m, a->path, err);

    if (rc == 0 && filter)
        rc = err_option(err, COOC_EINVAL, filter,
                        "terms are dropped when stores are merged, not when "
                        "documents are added");
    if (rc == 0 && m->part.parts)
        rc = err_path(err, COOC_EINVAL, a->path,
                      "is part %u of %u of an index; merge all parts first, "
                      "then add documents to the result", m->part.part,
                      m->part.parts);
    cooc_init(o, sizeof *o);
    if (rc == 0)
        rc = settings_options(m, a->path, o, &lists, err);
    if (rc == 0 && lists.terms && !given->terms_file)
        rc = err_path_option(err, COOC_EINVAL, a->path, "terms_file",
                             "was made with a list of terms, which a store "
                             "does not keep; give the same list again");
    if (rc == 0 && !lists.terms && given->terms_file)
        rc = err_path_option(err, COOC_EINVAL, a->path, "terms_file",
                             "was made without a list of terms; leave the "
                             "list out, or index all documents together with "
                             "it");
    if (rc == 0)
        rc = check_rules(a, err);
    if (rc < 0)
        return rc;
    if (a->files)
        rc = reading_note_require(m->reading, a->path, given, err);
    if (rc < 0)
        return rc;
    for (size_t i = 0; i < READING_OPTIONS; i++)
        reading_copy(o, i, given);
    o->skip_bad = given->skip_bad;
    if (a->files)
        a->before = (struct reader_before){
            .format = reading_note_apply(m->reading, given, o),
            .store = a->path,
        };
    o->terms_file = given->terms_file;
    o->threads = a->merge.count.o.threads;
    o->memory = a->merge.count.o.memory;
    if (lists.stop)
        rc = get_list(a, FILE_STOP, &a->stop, err);
    if (rc == 0 && lists.thesaurus)
        rc = get_list(a, FILE_THESAURUS, &a->thesaurus, err);
    o->stop_file = a->stop.name; /* not read: there is a->stop */
    if (rc == 0 && lists.phrases)
        rc = get_list(a, FILE_PHRASES, &a->phrases, err);
    o->thesaurus_file = a->thesaurus.name;
    o->phrases_file = a->phrases.name;
    return rc < 0 ? rc : index_check(o, err);
}

/* Count the new documents, so that their rows can be added up. */
static int count_added(struct adding *a, struct cooc_err *err)
{
    const struct rows_order how = { .name = a->path, .verified = true };
    struct count_outcome unused;
    struct count_order count = a->merge.count;

    count.o.rows = COOC_ROWS_FULL;
    count.o.compact_df = 0;
    count.o.recount = false;
    count.watch.estimate = NULL; /* the one for all documents follows */
    return count_rows_in(a->added.part.data, &count, &how, &unused, err);
}

/* Decide whether to count all documents or to add up rows. */
static int prepare_rows(struct adding *a, struct cooc_err *err)
{
    const struct manifest *old = &a->old.manifest;
    struct rows_cost cost = { 0 };
    struct manifest m;
    int rc = manifest_read(&m, a->added.part.data, err);

    if (rc == 0)
        rc = settings_compare(old, a->path, &m, "the new documents", err);
    if (rc == 0) {
        rows_cost_add(&cost, old);
        rows_cost_add(&cost, &m);
    }
    manifest_release(&m);
    if (rc < 0 || !old->counted)
        return rc;
    if (a->merge.count.o.rows == COOC_ROWS_DEFAULT) {
        a->merge.count.o.rows = old->written;
        a->merge.count.o.compact_df = old->compact_df;
    }
    if (a->merge.o.from == COOC_MERGE_AUTO)
        a->merge.o.from = cost.sum < cost.count ? COOC_MERGE_ROWS
                                                : COOC_MERGE_DOCUMENTS;
    return a->merge.o.from == COOC_MERGE_ROWS ? count_added(a, err) : 0;
}

/* Lock the store and open it. */
static int begin(struct adding *a, struct cooc_err *err)
{
    int rc = store_open(&a->old, a->path, false, err);

    if (rc == 0)
        rc = staging_lock(&a->target, a->path, err);
    if (rc == 0) { /* it may have changed before the lock */
        store_close(&a->old);
        rc = store_open(&a->old, a->path, false, err);
    }
    return rc;
}

/* All documents have been read: create both temporary directories. */
static int make_directories(void *self, const char **dir, struct cooc_err *err)
{
    struct adding *a = self;
    struct buf name = { 0 };
    size_t len = strlen(a->path);
    int rc = staging_create(&a->target, err);

    while (len > 1 && a->path[len - 1] == '/')
        len--;
    if (rc == 0)
        rc = buf_printf(&name, err, "%.*s.added", (int)len, a->path);
    if (rc == 0)
        rc = staging_begin(&a->added, name.data, false, err);
    buf_release(&name);
    *dir = a->added.part.data;
    return rc;
}

int adding_open(struct adding **out, const char *store, bool files,
                const struct cooc_add_options *options, struct cooc_err *err)
{
    struct adding *a = mem_zarray(1, sizeof *a);
    struct cooc_add_options o;
    int rc = a ? 0 : err_nomem(err);

    *out = a;
    if (rc < 0)
        return rc;
    a->files = files;
    a->added = a->target = (struct staging)STAGING_NONE;
    a->path = a->name = mem_dup(store, strlen(store));
    if (!a->name)
        rc = err_nomem(err);
    if (rc == 0)
        rc = sized_read(&o, sizeof o, options, "add options", err);
    if (rc == 0)
        rc = sized_read(&a->given, sizeof a->given, o.input, "index options",
                        err);
    if (rc == 0)
        rc = merge_order_read(&a->merge, o.merge, err);
    if (rc == 0)
        rc = begin(a, err);
    return rc < 0 ? rc : prepare_input(a, err);
}

/* Report added documents with names that the store already has. */
static int report_known(const struct adding *a, struct watch *watch,
                        struct cooc_err *err)
{
    struct store added;
    int rc = store_open(&added, a->added.part.data, false, err);

    if (rc == 0)
        rc = known_names_report(&a->old.docs, &added.docs, a->path, watch,
                                err);
    store_close(&added);
    return rc;
}

int adding_run(struct adding *a, const struct index_input *from,
               struct cooc_err *err)
{
    const char *both[] = { a->path, NULL };
    struct index_input in = *from;
    struct watch watch;
    int rc = watch_init(&watch, &a->merge.count.watch, err);

    in.tmpdir = a->target.dir;
    in.before = a->before;
    in.stop = a->stop;
    in.thesaurus = a->thesaurus;
    in.phrases = a->phrases;
    in.no_phrases = !a->old.manifest.rules.phrases;
    in.added_to = &a->old.manifest.rules.mode;
    in.make_directory = make_directories;
    in.self = a;
    if (rc == 0)
        rc = index_into(&in, &a->input, NULL, &a->old.manifest.fields,
                        &a->indexed, &watch, err);
    both[1] = a->added.part.data;
    if (rc == 0)
        rc = prepare_rows(a, err);
    if (rc == 0 && a->files)
        rc = report_known(a, &watch, err);
    watch_release(&watch);
    if (rc == 0)
        rc = merge_into(both, 2, a->target.part.data, a->path,
                        &a->merge, &a->merged, err);
    store_close(&a->old);
    return rc < 0 ? rc : staging_publish(&a->target, err);
}

const struct cooc_index_options *adding_options(const struct adding *a)
{
    return &a->input;
}

void adding_report(const struct adding *a, struct cooc_index_report *indexed,
                   struct cooc_merge_report *report)
{
    sized_write(indexed, &a->indexed, sizeof a->indexed);
    merge_report_write(&a->merged, report);
}

void adding_free(struct adding *a)
{
    if (!a)
        return;
    store_close(&a->old);
    staging_release(&a->added);
    staging_release(&a->target);
    mem_free(a->name);
    mem_free(a);
}

int cooc_add(const char *store, const char *const *inputs, size_t n_inputs,
             const struct cooc_add_options *options,
             struct cooc_index_report *indexed,
             struct cooc_merge_report *report, struct cooc_err *err)
{
    const struct index_input from = { .inputs = inputs, .n = n_inputs };
    struct adding *a = NULL;
    struct workdir workdir;
    int rc;

    if (!n_inputs)
        return err_set(err, COOC_EINVAL,
                       "no input given; give at least one file or directory");
    rc = workdir_begin(&workdir, err);
    if (rc == 0)
        rc = sized_check(indexed, "index report", err);
    if (rc == 0)
        rc = merge_report_check(report, err);
    if (rc == 0)
        rc = adding_open(&a, store, true, options, err);
    if (rc == 0)
        rc = adding_run(a, &from, err);
    if (a)
        adding_report(a, indexed, report);
    adding_free(a);
    workdir_end(&workdir);
    if (rc < 0) /* a published store remains a success */
        rc = library_alloc_end(rc, err);
    return rc;
}
