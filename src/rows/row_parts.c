/* row_parts.c - check rows in parts; convert them from and to entries. */
#include "rows/row_parts.h"

#include <string.h>

#include "base/buf.h"
#include "base/bytes.h"
#include "base/mem.h"
#include "kernel/kernel.h"

/* The bits of a word, given by its number, for columns that are not below t. */
static uint64_t not_below(uint64_t word, uint32_t t)
{
    if (word != t / 64)
        return word < t / 64 ? 0 : UINT64_MAX;
    return UINT64_MAX << t % 64;
}

bool row_parts_fit(const struct row_parts *r, uint32_t t)
{
    const uint64_t *map = r->at_least, *tail = map + r->head;
    uint64_t over = 0, next = r->head;
    bool good = true;

    for (size_t w = t / 64; w < r->head; w++)
        over |= map[w] & not_below(w, t);
    for (size_t i = 0; i < r->n_tail; i++) {
        good &= r->tail[i] >= next && tail[i];
        next = (uint64_t)r->tail[i] + 1;
    }
    if (r->n_tail)
        over |= tail[r->n_tail - 1] & not_below(next - 1, t);
    for (size_t w = r->head + r->n_tail; w < r->words; w++)
        over |= map[w];
    return good && !over;
}

static uint32_t count_at(const struct row_parts *r, size_t w, unsigned bit)
{
    uint32_t count = 0;

    for (unsigned j = 0; j < r->bits; j++)
        count |= (uint32_t)(r->planes[j * r->words + w] >> bit & 1) << j;
    return count;
}

int row_parts_expand(const struct row_parts *r, struct entry **entries,
                     size_t *cap, size_t *n, struct cooc_err *err)
{
    struct entry *e;
    int rc;

    *n = r->pairs;
    rc = array_grow(entries, cap, *n, sizeof **entries, err);
    if (rc < 0)
        return rc;
    e = *entries;
    for (size_t w = 0; w < r->head + r->n_tail; w++) {
        uint32_t base = 64 * (w < r->head ? (uint32_t)w
                                          : r->tail[w - r->head]);

        for (uint64_t left = r->at_least[w]; left; left &= left - 1) {
            unsigned bit = (unsigned)__builtin_ctzll(left);

            *e++ = (struct entry){ .term = base + bit,
                                        .count = count_at(r, w, bit) };
        }
    }
    return 0;
}

/* ---- building rows ------------------------------------------------------ */

void row_room_release(struct row_room *room)
{
    mem_free(room->planes);
    mem_free(room->tail);
    *room = (struct row_room){ 0 };
}

int row_room_begin(struct row_room *room, struct row_parts *r, size_t head,
                   size_t n_tail, unsigned bits, struct cooc_err *err)
{
    size_t end = head + n_tail, words = (end + 3) / 4 * 4;
    int rc = array_grow(&room->planes, &room->planes_cap,
                        (2 * bits + 1) * words + 1, sizeof *room->planes,
                        err); /* so it is never NULL */

    if (rc < 0)
        return rc;
    r->planes = room->planes;
    r->at_least = room->planes + bits * words;
    r->words = words;
    r->bits = bits;
    r->head = head;
    r->tail = room->tail;
    r->n_tail = n_tail;
    for (unsigned j = 0; j < bits; j++)
        for (size_t w = end; w < words; w++)
            room->planes[j * words + w] = 0;
    return 0;
}

void row_room_end(struct row_room *room, struct row_parts *r)
{
    r->pairs = r->k->finish(room->planes + r->bits * r->words, room->planes,
                            r->bits, r->words, &r->sum);
}

/* Fill the planes and the word numbers.  Where a word ends and which
 * counts are 1 is unpredictable, so the loop does not branch on either;
 * few counts are above 3. */
static void take_entries(struct row_room *room, const struct row_parts *r,
                         const struct entry *entries, size_t n)
{
    uint64_t *planes = room->planes, *second;
    uint32_t *tail = room->tail, word = entries[0].term / 64;
    size_t w = 0;

    /* With a single plane, all counts are 1 and `second` adds nothing. */
    second = planes + (r->bits > 1 ? r->words : 0);
    memset(planes, 0, r->bits * r->words * sizeof *planes);
    for (size_t i = 0; i < n; i++) {
        uint64_t count = entries[i].count;
        unsigned at = entries[i].term % 64;

        w += entries[i].term / 64 != word;
        word = entries[i].term / 64;
        tail[w] = word;
        planes[w] |= (count & 1) << at;
        second[w] |= (count >> 1 & 1) << at;
        for (uint64_t left = count >> 2 << 2; left; left &= left - 1)
            planes[(size_t)__builtin_ctzll(left) * r->words + w] |=
                (uint64_t)1 << at;
    }
}

int row_room_take(struct row_room *room, struct row_parts *r,
                  const struct kernels *k, const struct entry *entries,
                  size_t n, struct cooc_err *err)
{
    size_t words = n > 0;
    uint32_t all = n ? entries[0].count : 0;
    int rc;

    *r = (struct row_parts){ .k = k };
    for (size_t i = 1; i < n; i++) {
        words += entries[i].term / 64 != entries[i - 1].term / 64;
        all |= entries[i].count;
    }
    rc = array_grow(&room->tail, &room->tail_cap, words, sizeof *room->tail,
                    err);
    if (rc == 0)
        rc = row_room_begin(room, r, 0, words, bit_length(all), err);
    if (rc < 0 || !n)
        return rc;
    take_entries(room, r, entries, n);
    row_room_end(room, r);
    return 0;
}
