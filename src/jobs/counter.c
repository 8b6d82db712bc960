/* counter.c - cooc_counter_*(): count units of a store in several processes.
 *
 * A counter plans the units as cooc_count() does, which takes one pass over the
 * forward index, and verifies what it reads: all documents when it is opened,
 * and the inverted lists of units when they are counted.  Each unit is a file
 * that is written under a name of its own and renamed when it is complete, so
 * processes that count the same unit replace it by the same bytes.
 *
 * Nothing else is shared: a counter removes only its own files, and
 * counting.parts (store/parts_file.h) is written once.
 */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/library_alloc.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/sized.h"
#include "base/workdir.h"
#include "cooc_parts.h"
#include "jobs/counting.h"
#include "store/journal.h"

struct cooc_counter {
    char *path;
    struct count_order order;
    struct rows_order how;
    struct counting c;
    struct workdir workdir; /* for all calls */
    int lock;
    struct journal *journal;
    uint64_t *work; /* predicted time, by unit */
    bool *verified; /* the inverted lists of these units are */
    bool estimated;
    bool stopped; /* a call failed */
    double planning, bitmaps; /* seconds */
};

/* ---- open and close ----------------------------------------------------- */

/* Use the working directory of the counter for the rest of the call. */
static int enter(struct cooc_counter *b, struct workdir *call,
                 struct cooc_err *err)
{
    int rc = workdir_begin(call, err);

    workdir_set(&b->workdir);
    return rc;
}

static int leave(struct workdir *call, int rc, struct cooc_err *err)
{
    rc = library_alloc_end(rc, err);
    workdir_set(call);
    workdir_end(call);
    return rc;
}

static int plan_units(struct cooc_counter *b, struct cooc_err *err)
{
    uint32_t n;
    int rc = counting_plan(&b->c, true, err);

    if (rc < 0)
        return rc;
    n = shard_writer_units(&b->c.w);
    b->work = mem_zarray(n, sizeof *b->work);
    b->verified = mem_zarray(n, sizeof *b->verified);
    if (!b->work || !b->verified)
        return err_nomem(err);
    for (uint32_t i = 0; i < n; i++)
        b->work[i] = counting_work(&b->c, i) + 1;
    return parts_agree(&b->c, b->work, err);
}

static int begin(struct cooc_counter *b, struct cooc_err *err)
{
    struct counting *c = &b->c;
    const char *label = b->order.o.label ? b->order.o.label : "counter";
    int rc;

    counting_init(c);
    rc = store_open(&c->s, c->dir, false, err);
    if (rc < 0)
        return rc;
    if (c->s.manifest.counted)
        return err_path(err, COOC_EEXISTS, c->dir,
                        "the pairs of this store are already counted; only a "
                        "count of the whole store can replace them");
    if (workdir_access(c->dir, W_OK | X_OK) < 0)
        return err_sys(err, "cannot write to the store", c->dir);
    rc = journal_open(&b->journal, c->dir, true, label, err);
    if (rc < 0)
        return rc;
    c->w = (struct shard_writer){
        .dir = c->dir, .plan = &c->plan, .watch = &c->watch, .shared = true,
        .k = c->job.params.kernels, .journal = b->journal,
        .from = { .collection = seal_collection(c->s.manifest.files) },
    };
    rc = parts_adopt(c, err);
    if (rc < 0)
        return rc;
    counting_choose_rows(c);
    return plan_units(b, err);
}

static int lock_store(struct cooc_counter *b, const char *store,
                      const struct workdir *call, struct cooc_err *err)
{
    struct manifest m;
    int rc = manifest_read(&m, store, err); /* first, for better messages */

    if (rc < 0)
        return rc;
    manifest_release(&m);
    b->path = mem_dup(store, strlen(store));
    if (!b->path)
        return err_nomem(err);
    rc = journal_lock(&b->lock, store, true, err);
    if (rc < 0)
        return rc;
    b->workdir = (struct workdir){ .dir = call->dir };
    if (call->dir >= 0) {
        b->workdir.dir = fcntl(call->dir, F_DUPFD_CLOEXEC, 0);
        if (b->workdir.dir < 0)
            return err_sys(err, "cannot open the working directory", ".");
    }
    workdir_alias(&b->workdir, b->path, b->lock);
    return 0;
}

int cooc_counter_open(struct cooc_counter **out, const char *store,
                      const struct cooc_count_options *options,
                      struct cooc_err *err)
{
    struct cooc_counter *b = mem_zarray(1, sizeof *b);
    double start = clock_seconds();
    struct workdir call;
    int rc;

    *out = NULL;
    if (!b)
        return err_nomem(err);
    b->lock = -1;
    b->workdir.dir = AT_FDCWD;
    rc = watch_init(&b->c.watch, NULL, err);
    if (rc == 0)
        rc = workdir_begin(&call, err);
    else
        call = (struct workdir){ .dir = AT_FDCWD, .before = workdir_get() };
    if (rc == 0)
        rc = count_order_read(&b->order, options, err);
    if (rc == 0 && b->order.o.recount)
        rc = err_option(err, COOC_EINVAL, "recount",
                        "a counter counts only what is missing");
    if (rc == 0) {
        watch_release(&b->c.watch);
        rc = watch_init(&b->c.watch, &b->order.watch, err);
    }
    if (rc == 0)
        rc = lock_store(b, store, &call, err);
    if (rc == 0) {
        b->c.dir = b->path;
        b->c.order = &b->order;
        b->c.how = &b->how;
        workdir_set(&b->workdir);
        rc = begin(b, err);
    }
    rc = leave(&call, rc, err);
    b->planning = clock_seconds() - start;
    if (rc < 0)
        cooc_counter_close(b);
    else
        *out = b;
    return rc;
}

void cooc_counter_close(struct cooc_counter *b)
{
    struct workdir call;

    if (!b)
        return;
    enter(b, &call, NULL);
    counting_release(&b->c);
    journal_close(b->journal, b->stopped ? JOURNAL_STOP : JOURNAL_DONE);
    leave(&call, 0, NULL);
    dir_unlock(b->lock);
    if (b->workdir.dir >= 0)
        close(b->workdir.dir);
    mem_free(b->work);
    mem_free(b->verified);
    mem_free(b->path);
    mem_free(b);
}

/* ---- questions ---------------------------------------------------------- */

int cooc_counter_info_get(const struct cooc_counter *b,
                          struct cooc_counter_info *out, struct cooc_err *err)
{
    struct cooc_counter_info info;
    int rc = sized_read(&info, sizeof info, out, "counter info", err);

    if (rc < 0)
        return rc;
    info.shards = b->c.w.n_shards;
    info.units = shard_writer_units(&b->c.w);
    info.increments = b->c.plan.total;
    info.omitted_df = b->c.plan.omitted_df;
    info.method = b->c.r.method;
    info.threads = b->c.budget.threads;
    info.memory = b->c.r.memory;
    info.in_batches = b->c.budget.batches;
    info.seconds_planning = b->planning;
    info.seconds_bitmaps = b->c.maps_seconds;
    sized_write(out, &info, sizeof info);
    return 0;
}

uint64_t cooc_counter_cost(const struct cooc_counter *b, uint64_t unit)
{
    return unit < shard_writer_units(&b->c.w) ? b->work[unit] : 0;
}

bool cooc_counter_finished(const struct cooc_counter *b, uint64_t unit)
{
    return unit < shard_writer_units(&b->c.w) &&
           shard_writer_knows(&b->c.w, (uint32_t)unit);
}

/* The first unit in [first, last) that belongs to range `part` of `parts` or to
 * a later range: its middle decides. */
static uint64_t range_begin(const uint64_t *work, uint64_t first,
                            uint64_t last, uint64_t part, uint64_t parts)
{
    __extension__ unsigned __int128 total = 0, before = 0;

    for (uint64_t i = first; i < last; i++)
        total += work[i];
    for (; first < last; before += work[first++])
        if ((2 * before + work[first]) * parts >= 2 * total * part)
            break;
    return first;
}

void units_range(const uint64_t *work, uint64_t first, uint64_t last,
                 uint64_t part, uint64_t parts, uint64_t *begin_at,
                 uint64_t *end_at)
{
    *begin_at = part ? range_begin(work, first, last, part, parts) : first;
    *end_at = part + 1 < parts
                  ? range_begin(work, first, last, part + 1, parts) : last;
}

int cooc_counter_range(const struct cooc_counter *b, bool rows, uint64_t part,
                       uint64_t parts, uint64_t *first, uint64_t *last,
                       struct cooc_err *err)
{
    uint64_t shards = b->c.w.n_shards, all = shard_writer_units(&b->c.w);

    if (!parts || part >= parts || parts > UINT32_MAX)
        return err_set(err, COOC_EINVAL,
                       "part %llu of %llu is out of range; parts are counted "
                       "from 0, and there are at most 2^32 - 1",
                       (unsigned long long)part, (unsigned long long)parts);
    units_range(b->work, rows ? 0 : shards, rows ? shards : all, part, parts,
                first, last);
    return 0;
}

/* ---- counting ----------------------------------------------------------- */

static int set_range(struct cooc_counter *b, uint64_t first, uint64_t last,
                     struct cooc_err *err)
{
    uint32_t all = shard_writer_units(&b->c.w);

    if (first > last || last > all)
        return err_set(err, COOC_EINVAL,
                       "units %llu to %llu are out of range (the store has %u)",
                       (unsigned long long)first, (unsigned long long)last,
                       all);
    b->c.w.first = (uint32_t)first;
    b->c.w.last = (uint32_t)last;
    return 0;
}

static int look(struct cooc_counter *b, uint64_t *kept, uint64_t *dropped,
                struct cooc_err *err)
{
    return resume_units(&b->c.w, false, false, b->order.o.threads, kept,
                        dropped, &b->c.watch, err);
}

int cooc_counter_look(struct cooc_counter *b, uint64_t first, uint64_t last,
                      struct cooc_err *err)
{
    uint64_t kept, dropped;
    struct workdir call;
    int rc = enter(b, &call, err);

    if (rc == 0)
        rc = set_range(b, first, last, err);
    if (rc == 0)
        rc = look(b, &kept, &dropped, err);
    return leave(&call, rc, err);
}

static const uint32_t *rows_of(const struct counting *c, uint32_t unit)
{
    return unit < c->w.n_shards ? c->plan.cuts + unit
                                : c->plan.share_cuts + (unit - c->w.n_shards);
}

/* Verify the inverted lists that counting the missing units reads. */
static int verify_lists(struct cooc_counter *b, struct cooc_err *err)
{
    struct counting *c = &b->c;
    unsigned threads = c->order->o.threads;
    uint32_t all = shard_writer_units(&c->w);
    int rc = 0;

    if (all && c->budget.method->all_lists && !b->verified[0]) {
        rc = collection_load_terms(&c->s.docs, &c->job.inv, 0, c->job.inv.n,
                                   threads, err);
        memset(b->verified, rc == 0, all * sizeof *b->verified);
    }
    for (uint32_t i = c->w.first, n; i < c->w.last && rc == 0; i = n) {
        n = i + 1;
        if (b->verified[i] || shard_writer_knows(&c->w, i))
            continue;
        while (n < c->w.last && !b->verified[n] &&
               !shard_writer_knows(&c->w, n))
            n++;
        rc = collection_load_terms(&c->s.docs, &c->job.inv,
                                   rows_of(c, i)[0], rows_of(c, n - 1)[1],
                                   threads, err);
        memset(b->verified + i, rc == 0, (n - i) * sizeof *b->verified);
    }
    return rc;
}

/* Reset what describes one call. */
static void begin_report(struct counting *c)
{
    uint32_t shards = c->w.last < c->w.n_shards ? c->w.last : c->w.n_shards;

    c->r.shards = c->w.first < shards ? shards - c->w.first : 0;
    c->r.shards_done = c->r.batches = c->r.temporary_bytes = 0;
    c->r.increments = c->r.pairs = c->r.row_bytes = c->r.omitted_pairs = 0;
    c->runs = (struct runs_report){ 0 };
    c->kept_pairs = c->kept_bytes = 0;
}

static void note_kept(struct counting *c)
{
    c->r.shards_done = 0;
    c->kept_pairs = c->kept_bytes = 0;
    for (uint32_t i = c->w.first; i < c->w.last; i++) {
        bool is_shard = i < c->w.n_shards;

        if (!shard_writer_knows(&c->w, i))
            continue;
        c->r.shards_done += is_shard;
        c->kept_bytes += is_shard ? c->w.infos[i].id.size : 0;
        c->kept_pairs += is_shard ? c->w.infos[i].pairs
                                  : c->w.shares[i - c->w.n_shards].pairs;
    }
}

static int count_units(struct cooc_counter *b, struct cooc_err *err)
{
    struct counting *c = &b->c;
    int rc = look(b, &c->estimate.shards_kept, &c->estimate.shards_dropped,
                  err);

    if (rc == 0)
        rc = verify_lists(b, err);
    note_kept(c);
    if (rc == 0 && !b->estimated)
        rc = counting_estimate(c, err);
    b->estimated |= rc == 0;
    if (rc == 0)
        rc = counting_run(c, err);
    note_kept(c);
    if (rc == COOC_EFULL)
        counting_estimate_again(c);
    if (rc == 0)
        counting_report(c);
    return rc;
}

int cooc_counter_count(struct cooc_counter *b, uint64_t first, uint64_t last,
                       struct cooc_count_report *report, struct cooc_err *err)
{
    struct counting *c = &b->c;
    struct count_outcome own;
    double start = clock_seconds();
    struct workdir call;
    int rc = enter(b, &call, err);

    if (rc == 0)
        rc = count_report_check(report, err);
    if (rc == 0)
        rc = set_range(b, first, last, err);
    if (rc == 0) {
        begin_report(c);
        rc = count_units(b, err);
    }
    if (rc == 0) /* the names of the units must survive a power loss */
        rc = dir_sync(c->dir, err);
    rc = leave(&call, rc, err);
    b->stopped = b->stopped || rc < 0;
    c->r.seconds = clock_seconds() - start;
    c->r.head_terms = c->head_terms;
    own = (struct count_outcome){ .r = c->r, .estimate = c->estimate };
    count_report_write(&own, report);
    return rc;
}
