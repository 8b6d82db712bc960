/* dict.c - a hash table that stores short terms in its slots.
 *
 * Reading looks up every token here.  The cost of a lookup is cache misses and
 * mispredicted branches on the length of the word.  Both are avoided for terms
 * of up to 16 bytes, which nearly all words are: the slot, half a cache line,
 * contains the whole term as two 64-bit integers, padded with zeros.  Sixteen
 * bytes are loaded whatever the length of the word and the rest is masked off,
 * so there is no branch; this is why words must have readable bytes after them.
 * A lookup then compares integers within one cache line and never touches a
 * string.  For a longer term, the slot contains its hash and the position of
 * its text, which is compared as well.
 *
 * Words are looked up in batches: first all hashes are computed and the slots
 * prefetched, then the slots are read, so that cache misses overlap.  The mark
 * of a term is in its slot, so a repeated word costs no further access.
 *
 * Open addressing with linear probing, always from the first of the two slots
 * of a cache line; the table doubles in size when it is 5/8 full.
 *
 * Cost.  6 ns per token; a hash of the string and memcmp() take 19 ns.
 */
#include "base/dict.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <endian.h>

#include "base/buf.h"
#include "base/bytes.h"
#include "base/err.h"
#include "base/mem.h"

#define SHORT 16u
#define FIRST_SLOTS 4096
#define BATCH 32u

struct slot {
    uint64_t first, last; /* the bytes of a term of up to SHORT bytes, padded
                           * with zeros; of a longer one, its hash and the
                           * position of its text */
    uint32_t len;
    uint32_t id_plus_1; /* 0 if the slot is empty */
    uint32_t mark, number;
};

/* A word before it is looked up. */
struct word {
    uint64_t first, last; /* as in struct slot, but last is 0 if it is long */
    uint64_t hash;
    uint32_t len;
};

struct dict {
    struct slot *slots;
    size_t mask; /* number of slots - 1; the number is a power of two */
    struct buf text;
    uint64_t *ends; /* ends[id]: offset in text of the end of the term */
    size_t ends_cap;
    uint32_t n;
};

/* masks[len] selects the bytes of a term of len bytes in both integers. */
#define BYTES(n) ((n) >= 8 ? UINT64_MAX : ((uint64_t)1 << ((n) & 7) * 8) - 1)
#define MASKS(n) { BYTES(n), (n) > 8 ? BYTES((n) - 8) : 0 }
static const uint64_t masks[SHORT + 1][2] = {
    MASKS(0),  MASKS(1),  MASKS(2),  MASKS(3),  MASKS(4),  MASKS(5),
    MASKS(6),  MASKS(7),  MASKS(8),  MASKS(9),  MASKS(10), MASKS(11),
    MASKS(12), MASKS(13), MASKS(14), MASKS(15), MASKS(16),
};

static inline uint64_t hash_of(uint64_t first, uint64_t last, uint32_t len)
{
    __extension__ typedef unsigned __int128 wide;
    wide p = (wide)(first ^ 0x9e3779b97f4a7c15u) *
             (last ^ 0xd6e8feb86659fd93u ^ (uint64_t)len << 56);

    return (uint64_t)p ^ (uint64_t)(p >> 64); /* both halves of one product */
}

/* At least SHORT bytes must be readable at term, even if len is smaller. */
static inline struct word word_of(const char *term, uint32_t len)
{
    struct word w = { .len = len };

    if (__builtin_expect(len > SHORT, 0)) {
        w.first = XXH3_64bits(term, len);
    } else {
        memcpy(&w.first, term, 8);
        memcpy(&w.last, term + 8, 8);
        w.first = htole64(le64toh(w.first) & masks[len][0]);
        w.last = htole64(le64toh(w.last) & masks[len][1]);
    }
    w.hash = hash_of(w.first, w.last, len);
    return w;
}

/* The same for a term without readable bytes after it. */
static struct word word_of_bare(const char *term, size_t len)
{
    char padded[SHORT] = { 0 };

    if (len > SHORT)
        return word_of(term, (uint32_t)len);
    memcpy(padded, term, len);
    return word_of(padded, (uint32_t)len);
}

int dict_new(struct dict **out, struct cooc_err *err)
{
    struct dict *d = mem_zarray(1, sizeof *d);

    *out = d;
    if (d) {
        d->slots = mem_table(FIRST_SLOTS, sizeof *d->slots);
        d->mask = FIRST_SLOTS - 1;
    }
    if (d && d->slots)
        return 0;
    dict_free(d);
    *out = NULL;
    return err_nomem(err);
}

void dict_free(struct dict *d)
{
    if (!d)
        return;
    mem_free(d->slots);
    mem_free(d->ends);
    buf_release(&d->text);
    mem_free(d);
}

uint32_t dict_size(const struct dict *d)
{
    return d->n;
}

uint64_t dict_memory(const struct dict *d)
{
    return (d->mask + 1) * sizeof *d->slots + d->text.cap +
           d->ends_cap * sizeof *d->ends;
}

void dict_clear(struct dict *d)
{
    struct slot *fewer = mem_table(FIRST_SLOTS, sizeof *fewer);

    if (fewer) {
        mem_free(d->slots);
        d->slots = fewer;
        d->mask = FIRST_SLOTS - 1;
    } else {
        memset(d->slots, 0, (d->mask + 1) * sizeof *d->slots);
    }
    buf_release(&d->text);
    mem_free(d->ends);
    d->ends = NULL;
    d->ends_cap = 0;
    d->n = 0;
}

void dict_prefetch(const struct dict *d, uint32_t later, uint32_t soon)
{
    __builtin_prefetch(&d->ends[later]);
    if (soon)
        __builtin_prefetch(d->text.data + d->ends[soon - 1]);
}

const char *dict_term(const struct dict *d, uint32_t id, size_t *len)
{
    uint64_t start = id ? d->ends[id - 1] : 0;

    *len = (size_t)(d->ends[id] - start);
    return d->text.data ? d->text.data + start : ""; /* only empty terms */
}

/* The slot where the search for a term begins: the first of a cache line. */
static inline size_t home(uint64_t hash, size_t mask)
{
    return hash & mask & ~(size_t)1;
}

/* The empty slot for a term with this hash. */
static struct slot *vacancy(struct slot *slots, size_t mask, uint64_t hash)
{
    size_t i = home(hash, mask);

    while (slots[i].id_plus_1)
        i = (i + 1) & mask;
    return &slots[i];
}

static int grow(struct dict *d, struct cooc_err *err)
{
    size_t mask = d->mask * 2 + 1;
    struct slot *slots = mem_table(mask + 1, sizeof *slots);

    if (!slots)
        return err_nomem(err);
    for (size_t i = 0; i <= d->mask; i++) {
        const struct slot *s = &d->slots[i];

        if (s->id_plus_1)
            *vacancy(slots, mask,
                     hash_of(s->first, s->len > SHORT ? 0 : s->last,
                             s->len)) = *s;
    }
    mem_free(d->slots);
    d->slots = slots;
    d->mask = mask;
    return 0;
}

/* Add a new term; its slot is *out. */
static int add_new(struct dict *d, const char *term, const struct word *w,
                   struct slot **out, struct cooc_err *err)
{
    int rc = 0;

    if (d->n >= UINT32_MAX - 1)
        return err_set(err, COOC_ELIMIT,
                       "more than 2^32 distinct words are not supported");
    if ((uint64_t)d->n * 8 >= (uint64_t)(d->mask + 1) * 5)
        rc = grow(d, err);
    if (rc == 0)
        rc = array_grow(&d->ends, &d->ends_cap, (size_t)d->n + 1,
                        sizeof *d->ends, err);
    if (rc == 0)
        rc = buf_add(&d->text, term, w->len, err);
    if (rc < 0)
        return rc;
    d->ends[d->n++] = d->text.len;
    *out = vacancy(d->slots, d->mask, w->hash);
    **out = (struct slot){
        .first = w->first,
        .last = w->len > SHORT ? d->text.len - w->len : w->last,
        .len = w->len,
        .id_plus_1 = d->n,
    };
    return 0;
}

/* The slot of the term, or NULL. */
static inline struct slot *find(const struct dict *d, const char *term,
                                const struct word *w)
{
    for (size_t i = home(w->hash, d->mask); d->slots[i].id_plus_1;
         i = (i + 1) & d->mask) {
        struct slot *s = &d->slots[i];

        if (s->first != w->first || s->len != w->len)
            continue;
        if (w->len <= SHORT ? s->last == w->last
                            : !memcmp(d->text.data + s->last, term, w->len))
            return s;
    }
    return NULL;
}

uint32_t dict_find(const struct dict *d, const char *term, size_t len)
{
    const struct slot *s;
    struct word w;

    if (len > DICT_TERM_MAX)
        return DICT_NONE;
    w = word_of_bare(term, len);
    s = find(d, term, &w);
    return s ? s->id_plus_1 - 1 : DICT_NONE;
}

int dict_add(struct dict *d, const char *term, size_t len, uint32_t *id,
             struct cooc_err *err)
{
    struct slot *s;
    struct word w;
    int rc = 0;

    if (len > DICT_TERM_MAX)
        return err_set(err, COOC_ELIMIT,
                       "a term has %zu bytes; at most %u are supported", len,
                       DICT_TERM_MAX);
    w = word_of_bare(term, len);
    s = find(d, term, &w);
    if (!s)
        rc = add_new(d, term, &w, &s, err);
    if (rc == 0)
        *id = s->id_plus_1 - 1;
    return rc;
}

/* ---- many words at once ------------------------------------------------- */

static inline int find_or_add(struct dict *d, const char *term,
                              const struct word *w, struct slot **s,
                              struct cooc_err *err)
{
    *s = find(d, term, w);
    return *s ? 0 : add_new(d, term, w, s, err);
}

/* Prepare words[0..n) and prefetch their slots. */
static inline void prepare(const struct dict *d, struct word *words,
                           const char *text, const uint32_t *at, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        words[i] = word_of(text + at[2 * i], at[2 * i + 1] - at[2 * i]);
        __builtin_prefetch(&d->slots[home(words[i].hash, d->mask)], 1);
    }
}

int dict_add_words(struct dict *d, const char *text, const uint32_t *at,
                   size_t n, uint32_t *ids, struct cooc_err *err)
{
    struct word words[2][BATCH];
    size_t some = n < BATCH ? n : BATCH, next;

    prepare(d, words[0], text, at, some);
    for (unsigned turn = 0; some; turn ^= 1, some = next) {
        n -= some;
        next = n < BATCH ? n : BATCH;
        prepare(d, words[turn ^ 1], text, at + 2 * some, next);
        for (size_t i = 0; i < some; i++, at += 2) {
            struct slot *s;
            int rc = find_or_add(d, text + at[0], &words[turn][i], &s, err);

            if (rc < 0)
                return rc;
            *ids++ = s->id_plus_1 - 1;
        }
    }
    return 0;
}

int dict_mark_words(struct dict *d, const char *text, const uint32_t *at,
                    size_t n, uint32_t mark, uint32_t *ids, size_t *n_ids,
                    struct cooc_err *err)
{
    struct word words[2][BATCH];
    size_t m = 0, some = n < BATCH ? n : BATCH, next;
    int rc = 0;

    prepare(d, words[0], text, at, some);
    for (unsigned turn = 0; some; turn ^= 1, some = next) {
        n -= some;
        next = n < BATCH ? n : BATCH;
        prepare(d, words[turn ^ 1], text, at + 2 * some, next);
        for (size_t i = 0; i < some; i++, at += 2) {
            struct slot *s;

            rc = find_or_add(d, text + at[0], &words[turn][i], &s, err);
            if (rc < 0)
                goto out;
            ids[m] = s->id_plus_1 - 1; /* without a branch: whether a word is
                                        * repeated cannot be predicted */
            m += s->mark != mark;
            s->number += s->mark != mark;
            s->mark = mark;
        }
    }
out:
    *n_ids = m;
    return rc;
}

void dict_numbers(const struct dict *d, uint32_t *numbers)
{
    for (size_t i = 0; i <= d->mask; i++)
        if (d->slots[i].id_plus_1)
            numbers[d->slots[i].id_plus_1 - 1] = d->slots[i].number;
}
