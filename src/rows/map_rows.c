/* map_rows.c - make a row by adding up the bitmaps of its documents. */
#include "rows/map_rows.h"

#include <string.h>

#include "base/bytes.h"
#include "base/err.h"

#define FETCH_MAX 16   /* prefetch a row if it has at most this df */
#define FETCH_LINES 12u /* cache lines to prefetch per bitmap */

int map_rows_init(struct map_rows *m, const struct doc_maps *maps,
                  const struct kernels *k, uint32_t last,
                  struct cooc_err *err)
{
    *m = (struct map_rows){ .maps = maps, .k = k };
    return tail_init(&m->tail, last, err);
}

void map_rows_release(struct map_rows *m)
{
    row_room_release(&m->room);
    tail_release(&m->tail);
}

/* Clear the columns of the head that are not below t. */
static void cut_head(uint64_t *planes, const struct row_parts *row,
                     uint32_t t)
{
    for (unsigned j = 0; j < row->bits; j++) {
        uint64_t *p = planes + j * row->words;

        p[t / 64] &= ((uint64_t)1 << t % 64) - 1;
        for (size_t w = t / 64 + 1; w < row->head; w++)
            p[w] = 0;
    }
}

/* Add the terms of an ascending list that are below `end` to the planes.  The
 * list must contain a term that is not. */
static void add_terms(uint64_t *planes, size_t stride, const uint32_t *terms,
                      uint32_t end)
{
    for (; *terms < end; terms++) {
        uint64_t carry = (uint64_t)1 << *terms % 64;

        for (uint64_t *p = planes + *terms / 64; carry; p += stride) {
            uint64_t both = *p & carry;

            *p ^= carry;
            carry = both;
        }
    }
}

/* Add a group of bitmaps to the planes of the head, and the terms that are
 * beyond some bitmaps, but below the end of the head. */
static void add_group(struct map_rows *m, const struct map_group *g,
                      const struct row_parts *row, uint32_t t, bool more)
{
    uint64_t *planes = m->room.planes;
    uint32_t end = t < row->head * 64 ? t : (uint32_t)row->head * 64;

    if (g->n == 1 && !more) {
        size_t own = g->maps[0].words < row->head ? g->maps[0].words
                                                  : row->head;

        memcpy(planes, g->maps[0].at, own * sizeof *planes);
        memset(planes + own, 0, (row->head - own) * sizeof *planes);
    } else {
        m->k->add_up(planes, row->words, row->bits, g->maps, g->n, row->head,
                     more);
    }
    if (t < row->head * 64)
        cut_head(planes, row, t);
    for (size_t i = g->n; i-- > 0 && g->maps[i].words < row->head;)
        if (g->next[i] < end)
            add_terms(planes, row->words, g->tails[i], end);
}

/* Count the terms of a group of documents from column `from` on. */
static void add_beyond(struct map_rows *m, const struct map_group *g,
                       uint32_t from, uint32_t t)
{
    for (size_t i = 0; i < g->n; i++) {
        const uint32_t *terms = g->tails[i];

        if (g->next[i] >= t)
            continue;
        while (*terms < from)
            terms++;
        tail_add(&m->tail, terms, t);
    }
}

/* Call map_group_fill() for the documents from i on, unless all documents fit
 * in the group, which is then filled already. */
static void next_group(const struct map_rows *m, struct map_group *g,
                       uint32_t t, const uint32_t *docs, size_t n, size_t i)
{
    if (n > MAP_GROUP)
        map_group_fill(g, m->maps, t, docs + i,
                       n - i < MAP_GROUP ? n - i : MAP_GROUP);
}

/* Count the columns beyond all bitmaps of the row, and list their words.
 * tail_take() fetches the counts. */
static int add_tails(struct map_rows *m, struct map_group *g,
                     const uint32_t *docs, size_t n, uint32_t from,
                     uint32_t t, size_t *words, struct cooc_err *err)
{
    int rc = tail_begin(&m->tail, n, t, err);

    for (size_t i = 0; i < n && rc == 0; i += MAP_GROUP) {
        next_group(m, g, t, docs, n, i);
        add_beyond(m, g, from, t);
    }
    return rc < 0 ? rc : tail_list(&m->tail, m->k, t, &m->room, words, err);
}

int map_rows_make(struct map_rows *m, uint32_t t, const uint32_t *docs,
                  size_t n, struct row_parts *row, struct cooc_err *err)
{
    struct map_group g;
    size_t head = m->maps->widest / 64, tail = 0;
    size_t most = (t + DOC_MAP_STEP - 1) / DOC_MAP_STEP * (DOC_MAP_STEP / 64);
    int rc = 0; /* g is filled once if all documents fit */

    *row = (struct row_parts){ .k = m->k };
    if (n <= MAP_GROUP) {
        map_group_fill(&g, m->maps, t, docs, n);
        head = n ? g.maps[0].words : 0;
    }
    head = head < most ? head : most;
    if (t > head * 64)
        rc = add_tails(m, &g, docs, n, (uint32_t)head * 64, t, &tail, err);
    if (rc == 0)
        rc = row_room_begin(&m->room, row, head, tail, bit_length(n), err);
    if (rc < 0)
        return rc;
    for (size_t i = 0; i < n; i += MAP_GROUP) {
        next_group(m, &g, t, docs, n, i);
        add_group(m, &g, row, t, i > 0);
    }
    if (tail)
        tail_take(&m->tail, &m->room, row);
    row_room_end(&m->room, row);
    return 0;
}

/* The documents of a rare term are few and scattered. */
void map_rows_fetch(const struct map_rows *m, uint32_t t,
                    const uint32_t *docs, size_t n)
{
    if (n > FETCH_MAX)
        return;
    for (size_t i = 0; i < n; i++) {
        const struct doc_map *of = &m->maps->of[docs[i]];
        const uint64_t *map = m->maps->bits + (size_t)of->at *
                                                  (DOC_MAP_STEP / 64);

        for (unsigned line = 0; line < FETCH_LINES && line < of->steps / 2u;
             line++)
            __builtin_prefetch(map + line * 8);
        if (of->next < t) {
            __builtin_prefetch(m->maps->fwd.ids + of->tail);
            __builtin_prefetch(m->maps->fwd.ids + of->tail + 16);
        }
    }
}
