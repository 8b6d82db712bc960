/* merge.c - cooc_merge(): merge stores into one.
 *
 *     inspect    read every manifest: can the stores be merged?
 *     unite      documents and terms (index/merge_collections.c)
 *     rows       add up the rows of the stores (sum_rows.c), or count the
 *                united documents like any others (count.c)
 *
 * Both ways to make the rows give the same bytes; the cheaper one is chosen.
 * Adding up has a cost per pair, counting mostly a cost per posting, so
 * counting is faster unless there are very many documents for the size of the
 * vocabulary.  docs/METHODS.md has the measurements behind the constants below.
 *
 * Stores are opened one at a time, each three times, and must be the
 * same every time.
 */
#include "jobs/steps.h"

#include <sys/stat.h>

#include "base/err.h"
#include "base/library_alloc.h"
#include "base/mem.h"
#include "base/name_list.h"
#include "base/pool.h"
#include "base/watch.h"
#include "base/workdir.h"
#include "cooc_build.h"
#include "index/merge_collections.h"
#include "jobs/merge_filter.h"
#include "jobs/merge_parts.h"
#include "jobs/sum_rows.h"
#include "store/reading_note.h"
#include "store/seal.h"
#include "store/settings.h"
#include "store/staging.h"
#include "store/store.h"

#define SUM_PAIR_NS 30.0      /* to add up one pair of a store */
#define COUNT_POSTING_NS 75.0 /* to count, per posting */
#define COUNT_PAIR_NS 3.0     /* to count, per pair */

/* What is known about a store while it is not open. */
struct part {
    uint64_t collection; /* seal_collection() */
    dev_t dev;
    ino_t ino;
    bool counted;
};

struct merging {
    const char *const *paths;
    const char **arranged; /* the paths in the order of parts, or NULL */
    size_t n;
    const char *dir;
    const struct merge_order *order;
    struct merge_outcome *outcome;
    struct cooc_merge_report *report; /* part of *outcome */
    struct watch watch;
    struct part *parts;
    struct manifest first;  /* manifest of the first store */
    struct manifest all;    /* manifest of the result, as far as known */
    struct stored_rows rows;
    struct open_part {
        struct store s;     /* the store that the worker opened last */
        size_t i;           /* its index */
        bool is_open;
    } *open;                /* by worker */
    unsigned workers;
    uint32_t *n_docs;       /* by store */
    bool distinct;          /* see struct part_info */
    bool with_rows;
    size_t counted;         /* number of counted stores */
    uint64_t documents;     /* number of documents in all stores */
    size_t most_versions;          /* the most versions in one store */
    /* The versions and the path of the first store with other versions than
     * store 0; other_path is NULL if there is none. */
    struct rule_versions other;
    const char *other_path;
    struct rows_cost cost;
    struct ordering maps;
    struct merge_filter filter;
};

void rows_cost_add(struct rows_cost *c, const struct manifest *m)
{
    double pairs = (double)(m->counted ? m->pairs : m->increments);
    double count = COUNT_POSTING_NS * (double)m->postings +
                   COUNT_PAIR_NS * pairs;

    c->count += count;
    c->sum += SUM_PAIR_NS * pairs + (m->counted ? 0 : count);
}

/* Estimate the bytes of a run with the rows of a store: the size of its row
 * files and a fifth more for their new order; if rows are omitted, an average
 * of 0.7 bytes per pair. */
static uint64_t run_bytes(const struct manifest *m)
{
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < m->n_shards; i++)
        bytes += m->shards[i].id.size;
    return m->omitted.df > 1 ? m->pairs / 10 * 7 : bytes + bytes / 5;
}

/* ---- inspect ------------------------------------------------------------ */

static int compare_rules(struct merging *m, const struct manifest *of,
                         const char *path, struct cooc_err *err)
{
    m->all.labels |= of->labels;
    m->all.rules.phrases = of->rules.phrases;
    if (of->versions.n > m->most_versions)
        m->most_versions = of->versions.n;
    if (!m->other_path &&
        !rule_versions_equal(&m->first.versions, &of->versions)) {
        m->other = of->versions;
        m->other_path = path;
    }
    return rule_versions_unite(&m->all.versions, &of->versions, err);
}

/* Combining versions that are not yet combined in any of the stores
 * needs accept_rules. */
static int refuse_mixture(const struct merging *m, struct cooc_err *err)
{
    if (m->order->o.accept_rules || m->all.versions.n == m->most_versions)
        return 0;
    return rule_versions_differ(&m->first.versions, m->paths[0], &m->other,
                                m->other_path, err);
}

/* If the stores have different kinds of rows, the result has the default. */
static void merge_row_kind(struct merging *m, const struct manifest *of)
{
    struct manifest *all = &m->all;
    bool same = !m->counted || (of->written == all->written &&
                                of->compact_df == all->compact_df);

    all->written = same ? of->written : COOC_ROWS_COMPACT;
    all->compact_df = same ? of->compact_df : 0;
}

static int inspect_store(struct merging *m, size_t i, struct cooc_err *err)
{
    struct part *p = &m->parts[i];
    struct manifest own = { 0 }, *of = i ? &own : &m->first;
    struct stat st;
    int rc = manifest_read(of, m->paths[i], err);

    if (rc == 0 && workdir_stat(m->paths[i], &st) < 0)
        rc = err_sys(err, "cannot open the store", m->paths[i]);
    if (rc == 0)
        rc = settings_unitable(of, m->paths[i], err);
    if (rc == 0 && i && !m->arranged)
        rc = parts_refuse(of, m->paths[i], m->paths[0], err);
    if (rc == 0)
        rc = name_list_add_all(&m->all.fields, &of->fields, err);
    if (rc == 0)
        rc = reading_note_unite(&m->all.reading, !i, m->documents, of, err);
    if (rc == 0 && i)
        rc = settings_compare(&m->first, m->paths[0], of, m->paths[i], err);
    if (rc == 0)
        rc = compare_rules(m, of, m->paths[i], err);
    if (rc == 0) {
        *p = (struct part){ .collection = seal_collection(of->files),
                            .dev = st.st_dev, .ino = st.st_ino,
                            .counted = of->counted };
        if (of->counted)
            merge_row_kind(m, of);
        m->counted += of->counted;
        m->all.tokens += of->tokens;
        m->documents += of->documents;
        m->n_docs[i] = of->documents;
        m->distinct |= of->part.distinct;
        m->rows.pairs += of->pairs;
        m->rows.temporary += run_bytes(of);
        if (of->terms > m->rows.most_terms)
            m->rows.most_terms = of->terms;
        rows_cost_add(&m->cost, of);
        rc = watch_add(&m->watch, 1, 0, 0, err);
    }
    manifest_release(&own);
    return rc;
}

/* Refuse stores that are given twice, because their documents would count
 * twice.  All pairs of stores are compared; for up to 100,000 stores, this
 * takes less time than opening them. */
static int refuse_twice(const struct merging *m, struct cooc_err *err)
{
    for (size_t i = 1; i < m->n; i++)
        for (size_t j = 0; j < i; j++)
            if (m->parts[i].ino == m->parts[j].ino &&
                m->parts[i].dev == m->parts[j].dev)
                return err_path(err, COOC_EINVAL, m->paths[i],
                                "is given twice (also as %.200s), so its "
                                "documents would count twice; give it once",
                                m->paths[j]);
    return 0;
}

static int inspect_stores(struct merging *m, struct cooc_err *err)
{
    int rc = 0;

    watch_phase(&m->watch, "looking at the stores", "stores", m->n);
    rc = parts_arrange(&m->arranged, m->paths, m->n, err);
    if (rc < 0)
        return rc;
    if (m->arranged)
        m->paths = m->arranged;
    m->parts = mem_zarray(m->n, sizeof *m->parts);
    m->n_docs = mem_zarray(m->n, sizeof *m->n_docs);
    m->open = mem_zarray(m->workers, sizeof *m->open);
    if (!m->parts || !m->n_docs || !m->open)
        return err_nomem(err);
    for (size_t i = 0; i < m->n && rc == 0; i++)
        rc = inspect_store(m, i, err);
    if (rc == 0)
        rc = refuse_mixture(m, err);
    return rc < 0 ? rc : refuse_twice(m, err);
}

/* ---- open again --------------------------------------------------------- */

static int open_part(struct merging *m, unsigned worker, size_t i,
                     struct cooc_err *err)
{
    struct open_part *o = &m->open[worker];
    int rc;

    if (o->is_open && o->i == i)
        return 0;
    store_close(&o->s);
    o->is_open = false;
    o->i = i;
    rc = store_open(&o->s, m->paths[i], m->with_rows, err);
    if (rc < 0)
        return rc;
    o->is_open = true;
    if (seal_collection(o->s.manifest.files) != m->parts[i].collection ||
        (m->with_rows && !o->s.manifest.counted))
        return err_path(err, COOC_EBUSY, m->paths[i],
                        "was replaced while it was being merged; try again");
    return 0;
}

static void close_parts(struct merging *m)
{
    for (unsigned i = 0; i < m->workers; i++) {
        store_close(&m->open[i].s);
        m->open[i] = (struct open_part){ 0 };
    }
}

static int open_documents(void *self, unsigned worker, size_t i,
                          const struct collection **out, struct cooc_err *err)
{
    struct merging *m = self;
    int rc = open_part(m, worker, i, err);

    *out = &m->open[worker].s.docs;
    return rc;
}

static int open_rows(void *self, size_t i, const struct store **out,
                     struct cooc_err *err)
{
    struct merging *m = self;
    int rc = open_part(m, 0, i, err);

    *out = &m->open[0].s;
    return rc;
}

/* ---- unite -------------------------------------------------------------- */

static int make_filter(struct merging *m, struct cooc_err *err)
{
    int rc = open_part(m, 0, 0, err);

    return rc < 0 ? rc
                  : merge_filter_make(&m->filter, &m->order->o, &m->open[0].s,
                                      m->paths[0], err);
}

static int merge_collections(struct merging *m, struct cooc_err *err)
{
    const struct collection_source from = { .n = m->n, .n_docs = m->n_docs,
                                            .distinct = m->distinct,
                                            .open = open_documents,
                                            .self = m };
    const struct cooc_count_options *o = &m->order->count.o;
    struct cooc_index_report r = { 0 };
    struct index_job job = {
        .dir = m->dir,
        .threads = m->workers,
        .memory = o->memory ? o->memory : memory_half(),
        .tmpdir = o->tmpdir ? o->tmpdir : m->dir,
        .labels = m->all.labels,
        .mixed = m->order->o.accept_rules || m->all.versions.n > 1,
        .ids = m->all.files,
        .report = &r,
        .watch = &m->watch,
    };
    double start = clock_seconds();
    int rc;

    watch_phase(&m->watch, "reading the stores", "documents", m->documents);
    rc = make_filter(m, err);
    if (rc == 0)
        rc = index_merge(&from, &job, &m->filter.terms, &m->maps, err);
    close_parts(m);
    mem_trim(); /* counting may use all of the memory */
    if (rc == 0)
        rc = settings_filter(&m->all.settings, m->first.settings, &m->order->o,
                             m->filter.terms_hash, err);
    if (rc == 0)
        rc = index_finish(&m->all, m->dir, &r, err);
    m->report->stores = m->n;
    m->report->documents = r.documents;
    m->report->terms = r.terms;
    m->report->postings = r.postings;
    m->report->tokens = m->all.tokens;
    m->report->dropped_terms_min_df = r.dropped_terms_min_df;
    m->report->dropped_terms_max_df = r.dropped_terms_max_df;
    m->report->dropped_terms_list = r.dropped_terms_list;
    m->report->dropped_terms_top = r.dropped_terms_top;
    m->report->dropped_postings = r.dropped_postings;
    m->report->temporary_bytes = r.spilled_bytes;
    m->report->seconds_documents = clock_seconds() - start;
    return rc;
}

/* ---- rows --------------------------------------------------------------- */

static int make_rows(struct merging *m, const char *name,
                     struct cooc_err *err)
{
    bool sum = m->report->from == COOC_MERGE_ROWS;
    const struct rows_order how = { .stored = sum ? &m->rows : NULL,
                                    .name = name, .verified = true };
    struct count_order count = m->order->count;

    count.o.recount = false;
    if (count.o.rows == COOC_ROWS_DEFAULT) {
        count.o.rows = m->all.written;
        count.o.compact_df = m->all.compact_df;
    }
    m->with_rows = true;
    m->report->pairs_read = sum ? m->rows.pairs : 0;
    m->rows.maps = m->maps.maps;
    m->rows.first = m->maps.first;
    if (sum) /* maps are read one store at a time */
        map_forget(m->maps.maps, 0, m->maps.map_bytes);
    else
        ordering_release(&m->maps);
    return count_rows_in(m->dir, &count, &how, &m->outcome->count, err);
}

/* Choose where the rows come from, before anything is written. */
static int choose_source(struct merging *m, struct cooc_err *err)
{
    const struct cooc_merge_options *o = &m->order->o;
    size_t i = 0;

    m->report->counted = m->counted > 0;
    m->report->from = o->from;
    if (o->from == COOC_MERGE_ROWS && m->counted && merge_filter_given(o))
        return err_option(err, COOC_EINVAL, "from",
                          "rows cannot be added up if the merge drops terms; "
                          "merge from documents");
    if (o->from == COOC_MERGE_AUTO)
        m->report->from = m->counted == m->n && m->cost.sum < m->cost.count &&
                                  !merge_filter_given(o)
                              ? COOC_MERGE_ROWS
                              : COOC_MERGE_DOCUMENTS;
    if (o->from != COOC_MERGE_ROWS || !m->counted)
        return 0;
    while (i < m->n && m->parts[i].counted)
        i++;
    if (i == m->n)
        return 0;
    return err_path_option(err, COOC_EINVAL, m->paths[i], "from",
                           "the pairs of this store are not counted yet, so "
                           "its rows cannot be added up; count them first, "
                           "or merge from documents");
}

int merge_into(const char *const *stores, size_t n, const char *dir,
               const char *name, const struct merge_order *order,
               struct merge_outcome *outcome, struct cooc_err *err)
{
    struct merging m = { .paths = stores, .n = n, .dir = dir, .order = order,
                         .outcome = outcome, .report = &outcome->r,
                         .rows = { .n = n, .open = open_rows, .self = &m,
                                   .sort_pairs = order->o.batch_pairs } };
    unsigned threads = order->count.o.threads;
    int rc = watch_init(&m.watch, &order->count.watch, err);

    m.workers = threads ? threads : pool_cores();

    if (rc == 0)
        rc = inspect_stores(&m, err);
    if (rc == 0)
        rc = choose_source(&m, err);
    if (rc == 0)
        rc = merge_collections(&m, err);
    if (rc == 0 && m.report->counted)
        rc = make_rows(&m, name, err);
    if (m.open)
        close_parts(&m);
    mem_free(m.open);
    mem_free(m.n_docs);
    ordering_release(&m.maps);
    merge_filter_release(&m.filter);
    mem_free(m.arranged);
    manifest_release(&m.first);
    manifest_release(&m.all);
    mem_free(m.parts);
    watch_release(&m.watch);
    return rc;
}

/* ---- cooc_merge() ------------------------------------------------------- */

/* Refuse a result that is one of the stores to merge. */
static int refuse_self(const char *const *stores, size_t n, const char *out,
                       struct cooc_err *err)
{
    struct stat to, from;

    if (workdir_stat(out, &to) < 0)
        return 0;
    for (size_t i = 0; i < n; i++)
        if (workdir_stat(stores[i], &from) == 0 && from.st_dev == to.st_dev &&
            from.st_ino == to.st_ino)
            return err_path(err, COOC_EINVAL, out,
                            "is one of the stores to merge; choose another "
                            "name for the new store, or add documents to "
                            "this one");
    return 0;
}

int cooc_merge(const char *const *stores, size_t n_stores, const char *out,
               const struct cooc_merge_options *options,
               struct cooc_merge_report *report, struct cooc_err *err)
{
    struct merge_order order;
    struct merge_outcome own = { 0 };
    struct staging staging = STAGING_NONE;
    struct workdir workdir;
    int rc;

    if (!n_stores)
        return err_set(err, COOC_EINVAL,
                       "no store given; give at least one store to merge");
    rc = workdir_begin(&workdir, err);
    if (rc == 0)
        rc = merge_report_check(report, err);
    if (rc == 0)
        rc = merge_order_read(&order, options, err);
    if (rc == 0)
        rc = refuse_self(stores, n_stores, out, err);
    if (rc == 0)
        rc = staging_begin(&staging, out, order.o.replace, err);
    if (rc == 0)
        rc = merge_into(stores, n_stores, staging.part.data, out, &order,
                        &own, err);
    if (rc == 0)
        rc = staging_publish(&staging, err);
    staging_release(&staging);
    workdir_end(&workdir);
    if (rc < 0) /* a published store remains a success */
        rc = library_alloc_end(rc, err);
    merge_report_write(&own, report);
    return rc;
}
