/* doc_maps.c - choose the widths of bitmaps and fill them. */
#include "rows/doc_maps.h"

#include <sys/mman.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/watch.h"

#define HUGE_PAGE ((size_t)2 << 20)
#define DOCS_AT_ONCE 512u
#define WIDTHS 9u /* 256, 512, ... 65536 */
#define CLASSES (WIDTHS + 1) /* and no bitmap at all */
#define FETCH_LINES 4u /* of each bitmap; the kernel fetches the others */

/* Rough times in nanoseconds, set so that the chosen widths are close to the
 * best of those that we tried (docs/METHODS.md).  Only their ratios matter. */
#define NS_BLOCK 2.0 /* add 256 columns of a document */
#define NS_TAIL 3.0  /* count a term beyond the bitmap */
#define NS_TOUCH 20.0 /* look at the terms beyond: a cache miss */
#define NS_FILL 40.0 /* fill 256 columns, in new memory */

struct making {
    struct doc_maps *m;
    const struct doc_maps_want *want;
    uint32_t cap; /* no bitmap has more steps */
};

uint64_t doc_maps_bytes(uint32_t docs, uint32_t width)
{
    return (uint64_t)docs * (width / 8 + sizeof(struct doc_map)) + HUGE_PAGE;
}

/* The requested width in whole steps, at least one. */
static uint32_t asked_width(const struct doc_maps_want *want)
{
    uint32_t most = want->n_terms < DOC_MAP_MAX ? want->n_terms : DOC_MAP_MAX;
    uint32_t width = want->width < most ? want->width : most;
    uint32_t steps = (width + DOC_MAP_STEP - 1) / DOC_MAP_STEP;

    return (steps ? steps : 1) * DOC_MAP_STEP;
}

/* The width with the least estimated time for the rows [0, last) of the terms
 * of a document.  Each row adds the bitmap up to its own column, and then the
 * terms of the tail one by one. */
static uint32_t choose_width(const struct making *g, uint32_t d)
{
    const struct lists *fwd = &g->m->fwd;
    size_t n, below = 0, before;
    const uint32_t *terms = terms_before(fwd, d, g->want->last, &n);
    double blocks = 0, least = 0; /* blocks: of the rows below the width */
    uint32_t best = 0, width = DOC_MAP_STEP;

    for (unsigned i = 0; i < WIDTHS && n; i++, width *= 2) {
        double steps = width / DOC_MAP_STEP, tail, cost;

        before = below;
        below += ids_below(terms + below, n - below, width);
        blocks += (double)(below - before) * (0.7 * steps + 0.3);
        tail = (double)(n - below);
        cost = NS_BLOCK * (blocks + tail * steps) +
               NS_TAIL * tail * (tail - 1) / 2 + NS_TOUCH * tail +
               NS_FILL * steps;
        if (!best || cost < least) {
            best = width;
            least = cost;
        }
        if (below == n || width >= g->want->n_terms)
            break;
    }
    return best;
}

static int choose_widths(void *self, unsigned worker, uint64_t job,
                         struct cooc_err *err)
{
    const struct making *g = self;
    uint64_t d = job * DOCS_AT_ONCE, last = d + DOCS_AT_ONCE;

    (void)worker;
    for (; d < last && d < g->m->fwd.n; d++)
        g->m->of[d].steps =
            (uint16_t)((g->want->width ? asked_width(g->want)
                                       : choose_width(g, (uint32_t)d)) /
                       DOC_MAP_STEP);
    return watch_add(g->want->watch, 0, 0, 0, err);
}

/* Reduce the largest widths until all bitmaps fit into the memory, and lay them
 * out. */
static int lay_out(struct making *g, struct cooc_err *err)
{
    struct doc_maps *m = g->m;
    uint64_t steps = 0, most = g->want->memory / (DOC_MAP_STEP / 8);
    uint64_t used = doc_maps_bytes(m->fwd.n, 0) / (DOC_MAP_STEP / 8);
    void *p;

    most = most > used ? most - used : 0;
    for (g->cap = DOC_MAP_MAX / DOC_MAP_STEP;; g->cap /= 2) {
        steps = 0;
        for (uint32_t d = 0; d < m->fwd.n; d++)
            steps += m->of[d].steps < g->cap ? m->of[d].steps : g->cap;
        if ((steps <= most && steps <= UINT32_MAX) || g->cap == 1)
            break;
    }
    m->bytes = (size_t)steps * (DOC_MAP_STEP / 8);
    m->bytes = (m->bytes / HUGE_PAGE + 1) * HUGE_PAGE;
    p = mmap(NULL, m->bytes, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return err_nomem(err);
    madvise(p, m->bytes, MADV_HUGEPAGE); /* fewer TLB misses; may fail */
    m->bits = p;
    steps = 0;
    for (uint32_t d = 0; d < m->fwd.n; d++) {
        uint32_t own = m->of[d].steps < g->cap ? m->of[d].steps : g->cap;

        m->of[d].steps = (uint16_t)own;
        m->of[d].at = (uint32_t)steps;
        if (own * DOC_MAP_STEP > m->widest)
            m->widest = own * DOC_MAP_STEP;
        steps += own;
    }
    return 0;
}

static void fill_document(struct doc_maps *m, uint32_t d)
{
    uint64_t i = m->fwd.off[d], end = m->fwd.off[d + 1];
    uint64_t *map = m->bits + (size_t)m->of[d].at * (DOC_MAP_STEP / 64);
    const uint32_t *ids = m->fwd.ids;
    uint32_t width = m->of[d].steps * DOC_MAP_STEP;

    for (; i < end && ids[i] < width; i++)
        map[ids[i] / 64] |= (uint64_t)1 << ids[i] % 64;
    m->of[d].tail = i & (((uint64_t)1 << 48) - 1); /* 4 TB of postings fit */
    m->of[d].next = i < end ? ids[i] : UINT32_MAX;
}

static int fill_maps(void *self, unsigned worker, uint64_t job,
                     struct cooc_err *err)
{
    const struct making *g = self;
    uint64_t d = job * DOCS_AT_ONCE, last = d + DOCS_AT_ONCE;

    (void)worker;
    for (; d < last && d < g->m->fwd.n; d++)
        fill_document(g->m, (uint32_t)d);
    return watch_add(g->want->watch, 0, 0, 0, err);
}

int doc_maps_init(struct doc_maps *m, const struct doc_maps_want *want,
                  struct cooc_err *err)
{
    struct making g = { .m = m, .want = want };
    uint64_t jobs = want->fwd->n / DOCS_AT_ONCE + 1;
    int rc;

    *m = (struct doc_maps){ .fwd = *want->fwd };
    m->of = mem_array(m->fwd.n, sizeof *m->of);
    if (!m->of)
        return err_nomem(err);
    rc = pool_for(jobs, want->threads, choose_widths, &g, err);
    if (rc == 0)
        rc = lay_out(&g, err);
    if (rc == 0)
        rc = pool_for(jobs, want->threads, fill_maps, &g, err);
    if (rc < 0)
        doc_maps_release(m);
    return rc;
}

void doc_maps_release(struct doc_maps *m)
{
    if (m->bits)
        munmap(m->bits, m->bytes);
    mem_free(m->of);
    *m = (struct doc_maps){ 0 };
}

/* A counting sort: widths are powers of two, or all are the same, so documents
 * are put into a few classes by the length of the number. */
void map_group_fill(struct map_group *g, const struct doc_maps *m, uint32_t t,
                    const uint32_t *docs, size_t n)
{
    struct doc_map near[MAP_GROUP];
    uint8_t class[MAP_GROUP];
    uint16_t first[CLASSES + 1] = { 0 };
    unsigned lines = t / 512 < FETCH_LINES ? t / 512 + 1 : FETCH_LINES;

    g->n = n;
    for (size_t i = 0; i < n; i++) {
        near[i] = m->of[docs[i]];
        class[i] = (uint8_t)__builtin_clz(
            ((uint32_t)near[i].steps << 1 | 1) << 22); /* 0: the widest */
        first[class[i] + 1]++;
    }
    for (unsigned c = 1; c < CLASSES; c++)
        first[c] = (uint16_t)(first[c] + first[c - 1]);
    for (size_t i = 0; i < n; i++) {
        const uint64_t *map = m->bits + (size_t)near[i].at *
                                            (DOC_MAP_STEP / 64);
        size_t at = first[class[i]]++;

        g->maps[at] = (struct bitmap){
            map, (size_t)near[i].steps * (DOC_MAP_STEP / 64) };
        g->tails[at] = m->fwd.ids + near[i].tail;
        g->next[at] = near[i].next;
        for (unsigned line = 0; line < lines; line++)
            __builtin_prefetch(map + line * 8);
        if (near[i].next < t)
            __builtin_prefetch(m->fwd.ids + near[i].tail);
    }
}
