/* group.c - collect rows, group them by name, order the groups.
 *
 *     collect    in memory: names in a dictionary, the rows of each name in a
 *                linked list.  When memory is full, write the groups, sorted by
 *                the hash of the name, as a run.
 *     group      merge these runs: all rows of a name become one record with
 *                the number of its first row.
 *     order      sort these records by that number: runs again, and their merge
 *                returns the documents.
 *
 * If all rows fit in memory, the dictionary already has the names in order of
 * first appearance, so they are written as the only run of the last step.
 *
 * Example.   rows u2 u1 u2 | u3 u2 u1, where | means that memory is full
 *     runs by hash         (u1: 1) (u2: 0 2)     (u2: 4) (u3: 3) (u1: 5)
 *     merged               (u1: 1 5) (u2: 0 2 4) (u3: 3)
 *     by first row         (u2: 0 2 4) (u1: 1 5) (u3: 3)
 *
 * Cost       Rows are written and read twice, and again if there are more than
 *            GROUP_RUNS_MAX runs.
 * Memory     An eighth of the job's for rows or records, a sixteenth for runs
 *            that need not go to disk, and a sixteenth for reading runs.
 */
#include "read/group.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/buf.h"
#include "base/bytes.h"
#include "base/dict.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/radix.h"
#include "base/watch.h"
#include "read/group_runs.h"
#include "read/input.h"

/* The rows of a name that are in memory. */
struct rows {
    uint64_t first;      /* number of the first row */
    uint64_t head, tail; /* where the first and the last one are in `data` */
    uint64_t text_len, n_ends; /* of all rows, joined */
};

/* What is at `head`, `tail` and `next`; the text and the ends follow. */
struct row {
    uint64_t next; /* the next row of that name; meaningless in the last one */
    uint32_t text_len, n_ends;
};

struct key {
    uint64_t key;
    const char *name;
    uint32_t len, id;
};

/* A record in memory, in the last step: its name, text and ends. */
struct place {
    uint64_t first, at;
    uint64_t text_len, n_ends;
    uint32_t name_len;
};

struct grouper {
    struct group_options o;
    struct spool_file file;
    uint64_t room; /* bytes of rows or records in memory */
    struct group_runs by_name, by_first;
    struct group_merge out;

    uint64_t n_rows;
    struct buf data; /* rows or records */
    struct dict *names;
    struct rows *rows; /* by id of the name */
    size_t rows_cap;
    struct place *places;
    size_t n_places, places_cap;
};

/* ---- collect ------------------------------------------------------------ */

int grouper_new(struct grouper **out, const struct group_options *o,
                struct cooc_err *err)
{
    struct grouper *g = *out = mem_zarray(1, sizeof *g);
    int rc;

    if (!g)
        return err_nomem(err);
    g->o = *o;
    g->room = o->memory / 8;
    rc = group_runs_open(&g->by_name, &g->file, o, err);
    g->by_first = g->by_name;
    if (rc == 0)
        rc = dict_new(&g->names, err);
    if (rc < 0) {
        grouper_free(g);
        *out = NULL;
    }
    return rc;
}

static void free_rows(struct grouper *g)
{
    dict_free(g->names);
    g->names = NULL;
    mem_free(g->rows);
    g->rows = NULL;
    g->rows_cap = 0;
    buf_release(&g->data);
}

void grouper_free(struct grouper *g)
{
    if (!g)
        return;
    spool_file_close(&g->file); /* first, so that dropping runs is cheap */
    group_merge_close(&g->out);
    group_runs_release(&g->by_name);
    group_runs_release(&g->by_first);
    free_rows(g);
    mem_free(g->places);
    mem_free(g);
}

/* Append a row to the list of its name. */
static int append_row(struct grouper *g, struct rows *r, bool begins,
                      const struct document *row, struct cooc_err *err)
{
    const struct row head = { .text_len = (uint32_t)row->text_len,
                              .n_ends = (uint32_t)row->n_ends };
    size_t ends = row->n_ends * sizeof *row->ends;
    uint64_t at = g->data.len, more = row->text_len;
    int rc;

    if (!begins && !g->o.lines)
        more++; /* '\n' */
    if (more > g->o.max - r->text_len)
        return group_too_large(&g->by_name,
                               &(struct group_head){
                                   .name = row->name,
                                   .name_len = row->name_len },
                               err);
    rc = buf_reserve(&g->data, sizeof head + row->text_len + ends, err);
    if (rc == 0)
        rc = buf_add(&g->data, &head, sizeof head, err);
    if (rc == 0)
        rc = buf_add(&g->data, row->text, row->text_len, err);
    if (rc == 0)
        rc = buf_add(&g->data, row->ends, ends, err);
    if (rc < 0)
        return rc;
    if (begins)
        r->head = at;
    else
        memcpy(g->data.data + r->tail, &at, sizeof at); /* its next */
    r->tail = at;
    r->text_len += more;
    r->n_ends += row->n_ends + (!begins && !g->o.lines && g->o.marks);
    return 0;
}

/* Write the text and the ends of all rows of a name. */
static int write_rows(struct grouper *g, struct spool_writer *w,
                      const struct rows *r, struct cooc_err *err)
{
    struct buf ends = { 0 };
    struct row row;
    uint64_t start = 0;
    int rc = 0;

    for (uint64_t at = r->head;; at = row.next) {
        const char *text = g->data.data + at + sizeof row;

        memcpy(&row, g->data.data + at, sizeof row);
        if (at != r->head && !g->o.lines) {
            struct text_end end = { .at = ++start & INT64_MAX, .paragraph = 1 };

            rc = spool_write(w, "\n", 1, err);
            if (rc == 0 && g->o.marks)
                rc = buf_add(&ends, &end, sizeof end, err);
        }
        if (rc == 0)
            rc = spool_write(w, text, row.text_len, err);
        for (size_t i = 0; i < row.n_ends && rc == 0; i++) {
            struct text_end end;

            memcpy(&end, text + row.text_len + i * sizeof end, sizeof end);
            end.at = (end.at + start) & INT64_MAX;
            rc = buf_add(&ends, &end, sizeof end, err);
        }
        start += row.text_len;
        if (rc < 0 || at == r->tail)
            break;
    }
    if (rc == 0)
        rc = spool_write(w, ends.data, ends.len, err);
    buf_release(&ends);
    return rc;
}

/* ---- sort by name ------------------------------------------------------- */

#define KEY_OF(k) ((k).key)
DEFINE_RADIX_SORT(sort_keys, struct key, uint64_t, KEY_OF)

static int by_name(const void *x, const void *y)
{
    const struct key *a = x, *b = y;
    int order = memcmp(a->name, b->name, a->len < b->len ? a->len : b->len);

    return order ? order : (a->len > b->len) - (a->len < b->len);
}

/* Sort by key, then by name, into one half of both[0..2 * n). */
static struct key *sort_names(struct key *both, size_t n)
{
    struct key *keys = sort_keys(both, both + n, n);

    for (size_t i = 0, end; i < n; i = end) {
        end = i + 1;
        while (end < n && keys[end].key == keys[i].key)
            end++;
        if (end - i > 1) /* different names with the same hash */
            qsort(keys + i, end - i, sizeof *keys, by_name);
    }
    return keys;
}

/* Write one group per key.  in_order: by first row instead of by hash. */
static int write_groups(struct grouper *g, const struct key *keys,
                        bool in_order, struct cooc_err *err)
{
    struct group_runs *to = in_order ? &g->by_first : &g->by_name;
    struct spool run = { 0 };
    struct spool_writer w = { .to = &run, .file = &g->file };
    uint32_t n = dict_size(g->names);
    int rc = 0;

    for (uint32_t i = 0; i < n && rc == 0; i++) {
        uint32_t id = keys ? keys[i].id : i;
        const struct rows *r = &g->rows[id];
        struct group_head head = { .first = r->first,
                                   .text_len = r->text_len,
                                   .n_ends = r->n_ends };

        head.key = in_order ? head.first : keys[i].key;
        head.name = dict_term(g->names, id, &head.name_len);
        rc = group_head_write(&w, &head, err);
        if (rc == 0)
            rc = write_rows(g, &w, r, err);
        if (rc == 0 && i % GROUP_ASK_AFTER == 0)
            rc = watch_add(g->o.watch, 0, 0, 0, err);
    }
    rc = spool_writer_end(&w, rc, err);
    return rc < 0 ? rc : group_runs_add(to, &run, err);
}

/* Write the rows in memory as a run, sorted by name. */
static int flush_rows(struct grouper *g, struct cooc_err *err)
{
    uint32_t n = dict_size(g->names);
    struct key *both = mem_array(n, 2 * sizeof *both);
    int rc = both ? 0 : err_nomem(err);

    for (uint32_t i = 0; i < n && rc == 0; i++) {
        size_t len;
        const char *name = dict_term(g->names, i, &len);

        both[i] = (struct key){ .key = XXH3_64bits(name, len),
                                .name = name,
                                .len = (uint32_t)len,
                                .id = i };
    }
    if (rc == 0)
        rc = write_groups(g, sort_names(both, n), false, err);
    mem_free(both);
    dict_clear(g->names);
    g->data.len = 0;
    return rc;
}

static int add(struct grouper *g, const struct document *row,
               struct cooc_err *err)
{
    uint64_t per_name = sizeof(struct rows) + 2 * sizeof(struct key);
    uint32_t n = dict_size(g->names), id;
    int rc = 0;

    if (n &&
        g->data.len + row->text_len + dict_memory(g->names) + n * per_name >
            g->room)
        rc = flush_rows(g, err);
    n = dict_size(g->names);
    if (rc == 0)
        rc = array_grow(&g->rows, &g->rows_cap, (size_t)n + 1, sizeof *g->rows,
                        err);
    if (rc == 0)
        rc = dict_add(g->names, row->name, row->name_len, &id, err);
    if (rc < 0)
        return rc;
    if (id == n)
        g->rows[id] = (struct rows){ .first = g->n_rows };
    g->n_rows++;
    return append_row(g, &g->rows[id], id == n, row, err);
}

/* ---- sort by first row -------------------------------------------------- */

#define PLACE_OF(p) ((p).first)
DEFINE_RADIX_SORT(sort_places, struct place, uint64_t, PLACE_OF)

/* Write the records in memory as a run, sorted by first row. */
static int flush_records(struct grouper *g, struct cooc_err *err)
{
    struct spool run = { 0 };
    struct spool_writer w = { .to = &run, .file = &g->file };
    struct place *tmp = mem_array(g->n_places, sizeof *tmp), *sorted;
    int rc = tmp ? 0 : err_nomem(err);

    sorted = rc == 0 ? sort_places(g->places, tmp, g->n_places) : NULL;
    for (size_t i = 0; i < g->n_places && rc == 0; i++) {
        const struct place *p = &sorted[i];
        const char *at = g->data.data + p->at;
        const struct group_head head = {
            .key = p->first,
            .first = p->first,
            .name = at,
            .name_len = p->name_len,
            .text_len = p->text_len,
            .n_ends = p->n_ends,
        };

        rc = group_head_write(&w, &head, err);
        if (rc == 0)
            rc = spool_write(
                &w, at + p->name_len,
                (size_t)(p->text_len + p->n_ends * sizeof(struct text_end)),
                err);
        if (rc == 0 && i % GROUP_ASK_AFTER == 0)
            rc = watch_add(g->o.watch, 0, 0, 0, err);
    }
    rc = spool_writer_end(&w, rc, err);
    mem_free(tmp);
    g->n_places = g->data.len = 0;
    return rc < 0 ? rc : group_runs_add(&g->by_first, &run, err);
}

/* Add the record that was just merged. */
static int add_record(struct grouper *g, const struct group_merge *m,
                      struct cooc_err *err)
{
    struct place p = { .first = m->head.first,
                       .text_len = m->head.text_len,
                       .n_ends = m->head.n_ends,
                       .name_len = (uint32_t)m->head.name_len };
    size_t len = m->name.len + m->text.len + m->ends.len;
    int rc = 0;

    if (g->n_places && g->data.len + len + 2 * sizeof p * g->n_places > g->room)
        rc = flush_records(g, err);
    p.at = g->data.len;
    if (rc == 0)
        rc = array_grow(&g->places, &g->places_cap, g->n_places + 1, sizeof p,
                        err);
    if (rc == 0)
        rc = buf_reserve(&g->data, len, err);
    if (rc == 0)
        rc = buf_add(&g->data, m->name.data, m->name.len, err);
    if (rc == 0)
        rc = buf_add(&g->data, m->text.data, m->text.len, err);
    if (rc == 0)
        rc = buf_add(&g->data, m->ends.data, m->ends.len, err);
    if (rc == 0)
        g->places[g->n_places++] = p;
    return rc;
}

/* Merge the runs by name, and sort their records by first row. */
static int order_records(struct grouper *g, struct cooc_err *err)
{
    struct group_merge m;
    int rc = group_runs_reduce(&g->by_name, err);

    if (rc < 0)
        return rc;
    rc = group_merge_open(&m, &g->by_name, 0, g->by_name.n, err);
    while (rc == 0 && (rc = group_merge_next(&m, err)) > 0)
        rc = add_record(g, &m, err);
    group_merge_close(&m);
    group_runs_release(&g->by_name);
    if (rc == 0)
        rc = flush_records(g, err);
    mem_free(g->places);
    g->places = NULL;
    buf_release(&g->data);
    return rc < 0 ? rc : group_runs_reduce(&g->by_first, err);
}

/* All rows have been added. */
static int finish(struct grouper *g, struct cooc_err *err)
{
    bool spilled = g->by_name.n > 0;
    int rc = spilled ? flush_rows(g, err) : write_groups(g, NULL, true, err);

    free_rows(g);
    mem_trim(); /* the next steps need other pieces of memory */
    if (rc == 0 && spilled)
        rc = order_records(g, err);
    if (rc == 0)
        rc = group_merge_open(&g->out, &g->by_first, 0, g->by_first.n, err);
    mem_trim();
    return rc;
}

int grouper_read(struct grouper *g,
                 int (*next)(void *self, struct document *row,
                             struct cooc_err *err),
                 void *self, struct reader_stats *stats, struct cooc_err *err)
{
    struct document row;
    int rc;

    while ((rc = next(self, &row, err)) > 0) {
        rc = add(g, &row, err);
        if (rc == 0)
            rc = reader_stats_watch(stats, g->o.watch, err);
        if (rc < 0)
            break;
    }
    if (rc == 0)
        rc = finish(g, err);
    stats->spilled = atomic_load(&g->file.end);
    return rc;
}

struct group_options group_options_of(const struct input *in,
                                      enum document_kind kind)
{
    const struct cooc_index_options *o = in->options;

    return (struct group_options){
        .dir = in->tmpdir ? in->tmpdir : ".",
        .memory = o->memory ? o->memory : memory_half(),
        .max = in->text.max,
        .lines = kind != KIND_TEXT,
        .marks = in->wants_ends,
        .watch = in->watch,
    };
}

int grouper_open(struct grouper **out, const struct input *in,
                 enum document_kind kind,
                 int (*next)(void *self, struct document *row,
                             struct cooc_err *err),
                 void *self, struct cooc_err *err)
{
    const struct group_options how = group_options_of(in, kind);
    int rc = grouper_new(out, &how, err);

    return rc < 0 ? rc : grouper_read(*out, next, self, in->stats, err);
}

int grouper_next(struct grouper *g, struct document *doc, struct cooc_err *err)
{
    struct group_merge *m = &g->out;
    int rc = group_merge_next(m, err);

    if (rc <= 0)
        return rc;
    *doc = (struct document){
        .name = m->name.data,
        .name_len = m->name.len,
        .text = m->text.len ? m->text.data : "",
        .text_len = m->text.len,
        .ends = (const struct text_end *)(const void *)m->ends.data,
        .n_ends = m->ends.len / sizeof(struct text_end),
    };
    return 1;
}
