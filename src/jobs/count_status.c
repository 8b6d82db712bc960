/* count_status.c - cooc_status_*(): how far the count of a store is.
 *
 * The units are those of counting.parts, of the manifest if the store is
 * counted, or are planned here.  A unit is finished if its file has the right
 * seal.  Journals (store/journal.h) say who finished it and who is running.
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/bytes.h"
#include "base/err.h"
#include "base/file.h"
#include "base/library_alloc.h"
#include "base/mem.h"
#include "base/sized.h"
#include "base/workdir.h"
#include "cooc_parts.h"
#include "jobs/counting.h"
#include "store/journal.h"
#include "store/parts_file.h"

struct unit {
    bool done;
    uint64_t pairs, time;
    int64_t process;
};

struct cooc_status {
    struct parts_file plan;
    struct unit *units;
    struct journal_list journals;
    struct cooc_status_info info;
    double work; /* of all units */
};

static uint32_t units(const struct cooc_status *s)
{
    return s->plan.n_shards + s->plan.n_shares;
}

/* ---- the units ---------------------------------------------------------- */

/* The df up to which rows are omitted in the row files of an unfinished count,
 * by the seal of the first that is found; 0 if there is none. */
static uint32_t df_of_files(const char *dir, uint64_t collection)
{
    DIR *d = workdir_opendir(dir, 0);
    struct dirent *e;
    uint32_t df = 0;

    while (d && !df && (e = readdir(d)) != NULL) {
        struct checked_file *b = NULL;
        char *path = NULL;
        const void *seal;

        if (strncmp(e->d_name, "rows-", 5) != 0 ||
            path_join(&path, dir, e->d_name, NULL) < 0)
            continue;
        if (checked_file_open(&b, path, "rows", NULL, NULL) == 0 &&
            checked_file_size(b) >= SEAL_BYTES &&
            checked_file_get(b, checked_file_size(b) - SEAL_BYTES, SEAL_BYTES,
                             &seal, NULL) == 0 &&
            get_le64((const uint8_t *)seal + 40) == collection)
            df = get_le32((const uint8_t *)seal + 12);
        checked_file_close(b);
        mem_free(path);
    }
    if (d)
        closedir(d);
    return df <= OMITTED_DF_MAX ? df : 0;
}

/* Plan the units as a count with these options would. */
static int plan_units(struct cooc_status *s, const char *dir,
                      const struct count_order *order, struct cooc_err *err)
{
    const struct rows_order how = { 0 };
    struct counting c = { .dir = dir, .order = order, .how = &how };
    uint64_t *work = NULL;
    uint32_t df, n = 0;
    int rc;

    counting_init(&c);
    rc = watch_init(&c.watch, &order->watch, err);
    if (rc == 0)
        rc = store_open(&c.s, dir, false, err);
    if (rc == 0) {
        c.w.plan = &c.plan;
        c.w.from.collection = seal_collection(c.s.manifest.files);
        df = order->o.rows ? 0 : df_of_files(dir, c.w.from.collection);
        counting_choose_rows(&c);
        if (df) {
            c.s.manifest.written = df == 1 ? COOC_ROWS_FULL
                                           : COOC_ROWS_COMPACT;
            c.s.manifest.compact_df = df == 1 ? 0 : df;
        }
        rc = counting_plan(&c, true, err);
    }
    if (rc == 0) {
        n = shard_writer_units(&c.w);
        work = mem_zarray(n, sizeof *work);
        rc = work ? 0 : err_nomem(err);
    }
    for (uint32_t i = 0; rc == 0 && i < n; i++)
        work[i] = counting_work(&c, i) + 1;
    if (rc == 0)
        rc = parts_describe(&s->plan, &c, work, err);
    mem_free(work);
    counting_release(&c);
    return rc;
}

/* All row files of a counted store; their pairs stand for their cost. */
static int take_manifest(struct cooc_status *s, const struct manifest *m,
                         struct cooc_err *err)
{
    struct parts_file *p = &s->plan;

    *p = (struct parts_file){
        .written = m->written, .omitted_df = m->omitted.df,
        .terms = m->terms, .n_shards = m->n_shards,
        .increments = m->increments,
        .cuts = mem_zarray(m->n_shards + 1, sizeof *p->cuts),
        .work = mem_zarray(m->n_shards, sizeof *p->work),
    };
    s->units = mem_zarray(m->n_shards, sizeof *s->units);
    if (!p->cuts || !p->work || !s->units)
        return err_nomem(err);
    for (uint32_t i = 0; i < m->n_shards; i++) {
        p->cuts[i + 1] = m->shards[i].last;
        p->work[i] = m->shards[i].pairs + 1;
        s->units[i] = (struct unit){ .done = true, .process = -1,
                                     .pairs = m->shards[i].pairs };
    }
    return 0;
}

/* Find the units that are finished, by their seals. */
static int look_at_units(struct cooc_status *s, const char *dir,
                         struct cooc_err *err)
{
    const struct parts_file *p = &s->plan;
    struct row_source from = { .collection = p->collection,
                               .omitted_df = p->omitted_df };
    int rc = 0;

    s->units = mem_zarray(units(s), sizeof *s->units);
    if (!s->units)
        return err_nomem(err);
    for (uint32_t i = 0; i < units(s) && rc == 0; i++) {
        struct shard_info info = { .first = p->cuts[i],
                                   .last = p->cuts[i + 1] };
        bool is_shard = i < p->n_shards;
        struct cooc_err why = { 0 };
        char *path;

        s->units[i].process = -1;
        rc = is_shard ? shard_path(&path, dir, i, err)
                      : share_path(&path, dir, i - p->n_shards, err);
        if (rc < 0)
            break;
        rc = seal_verify(path, is_shard ? SEAL_SHARD : SEAL_SHARE, &info,
                         &from, true, NULL, &why);
        s->units[i].done = rc == 0;
        s->units[i].pairs = rc == 0 ? info.pairs : 0;
        rc = rc == COOC_ENOMEM ? err_copy(err, &why) : 0;
        mem_free(path);
    }
    return rc;
}

/* ---- the processes ------------------------------------------------------ */

/* Attribute finished units to the last process that finished them. */
static void attribute(struct cooc_status *s)
{
    for (size_t i = 0; i < s->journals.n; i++)
        for (size_t k = 0; k < s->journals.entries[i].n_units; k++) {
            const struct journal_unit *u = &s->journals.entries[i].units[k];

            if (u->unit < units(s) && s->units[u->unit].done &&
                u->time >= s->units[u->unit].time) {
                s->units[u->unit].process = (int64_t)i;
                s->units[u->unit].time = u->time;
            }
        }
}

/* The predicted time of the units of process i. */
static double work_of(const struct cooc_status *s, size_t i)
{
    double work = 0;

    for (uint32_t k = 0; k < units(s); k++)
        if (s->units[k].process == (int64_t)i)
            work += (double)s->plan.work[k];
    return work;
}

static void summarise(struct cooc_status *s)
{
    struct cooc_status_info *info = &s->info;
    double done = 0, speed = 0;

    for (uint32_t i = 0; i < units(s); i++) {
        bool is_shard = i < s->plan.n_shards;

        s->work += (double)s->plan.work[i];
        done += s->units[i].done ? (double)s->plan.work[i] : 0;
        info->shards_done += is_shard && s->units[i].done;
        info->shares_done += !is_shard && s->units[i].done;
    }
    for (size_t i = 0; i < s->journals.n; i++) {
        const struct journal_entry *e = &s->journals.entries[i];
        double seconds = (double)(e->last - e->start);

        info->running += e->running;
        if (e->running && e->last > e->start)
            speed += work_of(s, i) / seconds;
    }
    info->processes = s->journals.n;
    info->shards = s->plan.n_shards;
    info->shares = s->plan.n_shares;
    info->rows = s->plan.written;
    info->omitted_df = s->plan.omitted_df;
    info->increments = s->plan.increments;
    info->done = info->counted ? 1 : s->work > 0 ? done / s->work : 0;
    info->seconds_left = info->counted ? 0
                         : speed > 0   ? (s->work - done) / speed : -1;
}

static int examine(struct cooc_status *s, const char *dir,
                   const struct count_order *order, struct cooc_err *err)
{
    struct manifest m;
    uint64_t collection;
    int rc = manifest_read(&m, dir, err);

    if (rc < 0)
        return rc;
    collection = seal_collection(m.files);
    s->info.counted = m.counted;
    if (m.counted) {
        rc = take_manifest(s, &m, err);
    } else {
        rc = parts_file_read(&s->plan, dir, err);
        s->info.in_parts = rc == 1;
        if (rc == 1 && s->plan.collection != collection)
            rc = err_path(err, COOC_EFORMAT, dir,
                          "counting.parts belongs to another collection; "
                          "remove this file");
        if (rc == 0)
            rc = plan_units(s, dir, order, err);
        if (rc >= 0) /* journals first: their units are then finished */
            rc = journal_list_read(&s->journals, dir, err);
        if (rc == 0)
            rc = look_at_units(s, dir, err);
    }
    manifest_release(&m);
    if (rc == 0) {
        attribute(s);
        summarise(s);
    }
    return rc;
}

int cooc_status_open(struct cooc_status **out, const char *store,
                     const struct cooc_count_options *options,
                     struct cooc_err *err)
{
    struct cooc_status *s = mem_zarray(1, sizeof *s);
    struct count_order order;
    struct workdir workdir;
    int rc;

    *out = NULL;
    if (!s)
        return err_nomem(err);
    rc = workdir_begin(&workdir, err);
    if (rc == 0)
        rc = count_order_read(&order, options, err);
    if (rc == 0)
        rc = examine(s, store, &order, err);
    rc = library_alloc_end(rc, err);
    workdir_end(&workdir);
    if (rc < 0)
        cooc_status_close(s);
    else
        *out = s;
    return rc;
}

void cooc_status_close(struct cooc_status *s)
{
    if (!s)
        return;
    parts_file_release(&s->plan);
    journal_list_release(&s->journals);
    mem_free(s->units);
    mem_free(s);
}

/* ---- questions ---------------------------------------------------------- */

int cooc_status_info_get(const struct cooc_status *s,
                         struct cooc_status_info *out, struct cooc_err *err)
{
    struct cooc_status_info info;
    int rc = sized_read(&info, sizeof info, out, "status info", err);

    if (rc < 0)
        return rc;
    info = s->info;
    sized_write(out, &info, sizeof info);
    return 0;
}

static int err_range(uint64_t i, const char *what, uint64_t n,
                     struct cooc_err *err)
{
    return err_set(err, COOC_EINVAL, "%s %llu is out of range (there are %llu)",
                   what, (unsigned long long)i, (unsigned long long)n);
}

int cooc_status_process_get(const struct cooc_status *s, uint64_t i,
                            struct cooc_status_process *out,
                            struct cooc_err *err)
{
    struct cooc_status_process p;
    const struct journal_entry *e;
    int rc = sized_read(&p, sizeof p, out, "status process", err);

    if (rc == 0 && i >= s->journals.n)
        rc = err_range(i, "process", s->journals.n, err);
    if (rc < 0)
        return rc;
    e = &s->journals.entries[i];
    p = (struct cooc_status_process){
        .host = e->host, .label = e->label, .pid = e->pid,
        .started = e->start, .last = e->last, .units = e->n_units,
        .done = s->work > 0 ? work_of(s, i) / s->work : 0,
        .running = e->running, .ended = e->done,
    };
    sized_write(out, &p, sizeof p);
    return 0;
}

int cooc_status_unit_get(const struct cooc_status *s, uint64_t i,
                         struct cooc_status_unit *out, struct cooc_err *err)
{
    struct cooc_status_unit u;
    int rc = sized_read(&u, sizeof u, out, "status unit", err);

    if (rc == 0 && i >= units(s))
        rc = err_range(i, "unit", units(s), err);
    if (rc < 0)
        return rc;
    u = (struct cooc_status_unit){
        .is_shard = i < s->plan.n_shards, .first = s->plan.cuts[i],
        .last = s->plan.cuts[i + 1], .done = s->units[i].done,
        .cost = s->work > 0 ? (double)s->plan.work[i] / s->work : 0,
        .pairs = s->units[i].pairs, .process = s->units[i].process,
        .finished = s->units[i].time,
    };
    sized_write(out, &u, sizeof u);
    return 0;
}
