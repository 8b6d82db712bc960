/* documents.c - generate documents: choose a length, new terms and old terms.
 *
 * Length.  Most lengths follow a curve fitted to a log-normal distribution,
 * from 3 to 2,100 terms.  They are spread evenly over it, so that the first
 * documents are as typical as the whole collection.  Every 500th document is
 * long; each class of long documents is half as frequent as the class before,
 * so that the maximum length grows with the collection: 2,300, 9,000, 47,000,
 * 73,600 terms among 1,000, 10,000, 100,000, 1,000,000 documents.
 *
 * New terms.  The size of the vocabulary follows the paper's: a table says
 * how many of 10,000 postings should be new terms, and each document adds a
 * part of the terms that are missing, in proportion to its length.  One in
 * six terms of a long document (a list of names, of numbers, of misspelt
 * words) is new and never occurs again.  So half of the vocabulary is in one
 * document only, and these terms are in longer documents than other terms.
 *
 * Old terms.  Three in ten are common words, chosen by a stepwise form of
 * Zipf's law: each range [2^k - 1, 2^(k+1) - 1) of their numbers is equally
 * likely.  The rest are copied from a random posting of all earlier documents,
 * so a term is drawn in proportion to its df, and df follows a power law as
 * well (H. A. Simon, On a class of skew distribution functions, Biometrika 42,
 * 1955).
 *
 * Cost.  One random access to all postings per new posting, prefetched in
 * groups; 4 bytes per posting, 8 bytes per term.
 */
#include "documents.h"

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"

#define COMMON_BITS 10     /* 1,024 common words */
#define COMMON_IN_TEN 3
#define LONG_EVERY 500u    /* documents */
#define LONG_FIRST 250u
#define LONG_OWN 6u        /* one in six terms of a long document is its own */
#define FRESH_LENGTH 1000u /* a document this long adds all missing terms */
#define TERM_PARTS 10000u
#define AHEAD 32           /* draws that are prefetched together */
#define NEVER_AGAIN UINT32_MAX

/* Number of documents in 1,000 that are shorter than length. */
static const struct { uint32_t share, length; } lengths[] = {
    { 0, 3 },      { 5, 16 },     { 20, 25 },    { 50, 35 },   { 100, 48 },
    { 200, 71 },   { 300, 94 },   { 400, 119 },  { 500, 149 }, { 600, 185 },
    { 700, 235 },  { 800, 309 },  { 900, 453 },  { 950, 621 }, { 980, 886 },
    { 990, 1100 }, { 995, 1330 }, { 998, 1650 }, { 1000, 2100 },
};

static const uint32_t long_lengths[] = {
    2000, 2300, 7000, 8000, 9000, 16000, 38000, 47000, 60000, 68000, 73600,
};

/* While there are fewer than postings postings, fresh of TERM_PARTS postings
 * are new terms. */
static const struct { uint64_t postings; uint32_t fresh; } growth[] = {
    { 182, 10000 },    { 1160, 6370 },     { 25200, 3010 },
    { 217000, 1100 },  { 2220000, 558 },   { 23300000, 262 },
    { 229000000, 152 }, { UINT64_MAX, 124 },
};

/* ---- random numbers ----------------------------------------------------- */

/* splitmix64, by Sebastiano Vigna, in the public domain. */
static uint64_t draw(struct documents *d)
{
    uint64_t z = d->random += 0x9e3779b97f4a7c15;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

__extension__ typedef unsigned __int128 u128;

/* A random number below n. */
static uint64_t draw_below(struct documents *d, uint64_t n)
{
    return (uint64_t)((u128)draw(d) * n >> 64);
}

/* ---- one document ------------------------------------------------------- */

static bool is_long(const struct documents *d)
{
    return d->n_docs % LONG_EVERY == LONG_FIRST;
}

/* Every second long document is of the first class, every second one of the
 * rest is of the next class, and so on; lengths vary by 5 % either way. */
static uint32_t long_length(struct documents *d)
{
    uint32_t which = d->n_docs / LONG_EVERY, class = 0;
    const uint32_t last = sizeof long_lengths / sizeof *long_lengths - 1;

    for (; which % 2 && class < last; which /= 2)
        class++;
    return long_lengths[class] / 20 * 19 +
           (uint32_t)draw_below(d, long_lengths[class] / 10);
}

/* Multiples of the golden ratio modulo 1 cover the unit interval evenly. */
static uint32_t usual_length(struct documents *d)
{
    uint64_t at = (d->n_docs * (uint64_t)0x9e3779b97f4a7c15 >> 32) * 1000;
    size_t i = 1;

    while (at >> 32 >= lengths[i].share)
        i++;
    at -= (uint64_t)lengths[i - 1].share << 32;
    return lengths[i - 1].length +
           (uint32_t)((at * (lengths[i].length - lengths[i - 1].length) /
                       (lengths[i].share - lengths[i - 1].share)) >> 32);
}

/* The number of new terms in a document of n terms. */
static uint32_t fresh_terms(struct documents *d, uint32_t n)
{
    uint32_t fresh, most = n / 2, weight = n < FRESH_LENGTH ? n : FRESH_LENGTH;
    uint64_t missing, has = (uint64_t)d->n_terms * TERM_PARTS;
    size_t i = 0;

    while (d->n_postings >= growth[i].postings)
        i++;
    d->wanted += (uint64_t)n * growth[i].fresh;
    missing = d->wanted > has ? d->wanted - has : 0;
    fresh = (uint32_t)((missing / TERM_PARTS * weight +
                        draw_below(d, FRESH_LENGTH)) / FRESH_LENGTH);
    if (fresh > most)
        fresh = most;
    if (is_long(d))
        fresh = n / LONG_OWN;
    /* Drawing distinct old terms must not take long. */
    if (n - fresh > d->n_terms / 2)
        fresh = n - d->n_terms / 2;
    return fresh;
}

/* The address of a random old term. */
static const uint32_t *draw_old(struct documents *d, uint64_t n_postings)
{
    uint64_t power;

    if (draw_below(d, 10) >= COMMON_IN_TEN)
        return &d->postings[draw_below(d, n_postings)];
    power = (uint64_t)1 << draw_below(d, COMMON_BITS);
    return &d->common[power - 1 + draw_below(d, power)];
}

static void add_posting(struct documents *d, uint32_t term, uint32_t mark)
{
    d->last[term] = mark;
    d->df[term]++;
    d->postings[d->n_postings++] = term;
}

static void add_old(struct documents *d, uint32_t n)
{
    const uint64_t before = d->n_postings;
    const uint32_t terms = d->n_terms, mark = d->n_docs + 1;
    const uint32_t *from[AHEAD];

    while (n) {
        for (int i = 0; i < AHEAD; i++) {
            from[i] = draw_old(d, before);
            __builtin_prefetch(from[i]);
        }
        for (int i = 0; i < AHEAD && n; i++)
            if (*from[i] < terms && d->last[*from[i]] < mark) {
                add_posting(d, *from[i], mark);
                n--;
            }
    }
}

static void add_fresh(struct documents *d, uint32_t n)
{
    uint32_t mark = is_long(d) ? NEVER_AGAIN : d->n_docs + 1;

    for (uint32_t i = 0; i < n; i++) {
        d->df[d->n_terms] = 0;
        add_posting(d, d->n_terms++, mark);
    }
}

int documents_next(struct documents *d, const uint32_t **terms, uint32_t *n,
                   struct cooc_err *err)
{
    uint32_t length = is_long(d) ? long_length(d) : usual_length(d);
    uint32_t fresh = fresh_terms(d, length);
    size_t n_terms = (size_t)d->n_terms + fresh;
    int rc = array_grow(&d->postings, &d->postings_cap,
                        d->n_postings + length, sizeof *d->postings, err);

    if (rc == 0)
        rc = array_grow(&d->df, &d->df_cap, n_terms, sizeof *d->df, err);
    if (rc == 0)
        rc = array_grow(&d->last, &d->last_cap, n_terms, sizeof *d->last,
                        err);
    if (rc < 0)
        return rc;
    add_old(d, length - fresh);
    add_fresh(d, fresh);
    d->n_docs++;
    *terms = d->postings + d->n_postings - length;
    *n = length;
    return 0;
}

/* ---- start and end ------------------------------------------------------ */

int documents_init(struct documents *d, uint64_t seed, struct cooc_err *err)
{
    const uint32_t n = (uint32_t)1 << COMMON_BITS;

    *d = (struct documents){ .random = seed };
    d->common = mem_array(n, sizeof *d->common);
    if (!d->common)
        return err_nomem(err);
    for (uint32_t i = 0; i < n; i++)
        d->common[i] = i;
    return 0;
}

void documents_release(struct documents *d)
{
    mem_free(d->postings);
    mem_free(d->df);
    mem_free(d->last);
    mem_free(d->common);
    *d = (struct documents){ 0 };
}

/* The number in base 100, one syllable per digit, lowest digit first. */
size_t term_spell(uint32_t term, char *out)
{
    static const char consonants[] = "bcdfghjklmnpqrstvwxz", vowels[] = "aeiou";
    size_t len = 0;

    do {
        out[len++] = consonants[term % 20];
        out[len++] = vowels[term / 20 % 5];
        term /= 100;
    } while (term);
    return len;
}
