/* documents.c - made-up documents: how long, which terms are new, which old.
 *
 * Length.  Most lengths follow a curve fitted to a log-normal one, from 3 to
 * 2,100 terms, spread evenly over it so that the first documents are as
 * typical as all of them.  Every 500th document is a long one; the k-th
 * longest class comes half as often as the one before, so that the longest
 * grows with the collection: 2,300, 9,000, 47,000, 73,600 terms among 1,000,
 * 10,000, 100,000, 1,000,000 documents.
 *
 * New terms.  The vocabulary is steered along the paper's: a table tells how
 * many postings of 10,000 shall be new terms, and a document makes up for a
 * part of what is missing, the more the longer it is.  One of six terms of a
 * long document (a list of names, of numbers, of misspelt words) is its own:
 * new, and it never occurs again.  So half of the vocabulary is in one
 * document only, and these terms are in longer documents than others.
 *
 * Old terms.  Three of ten are common words, each power of two of their
 * numbers as likely as any other, which is Zipf's law in steps.  The others
 * are copied from a posting drawn from all documents before: a term is drawn
 * in proportion to its df, the rich get richer, and the law of df that comes
 * out is a power law as well (H. A. Simon, On a class of skew distribution
 * functions, Biometrika 42, 1955).
 *
 * Cost.  One random access to all postings for each that is made, fetched
 * ahead in groups; 4 bytes a posting, 8 a term.
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
#define LONG_OWN 6u        /* one of six terms of a long one is its own */
#define FRESH_LENGTH 1000u /* so long a document makes up for everything */
#define TERM_PARTS 10000u
#define AHEAD 32           /* draws whose memory is fetched at once */
#define NEVER_AGAIN UINT32_MAX

/* Lengths: share of documents (of 1,000) that are shorter, length. */
static const struct { uint32_t share, length; } lengths[] = {
    { 0, 3 },      { 5, 16 },     { 20, 25 },    { 50, 35 },   { 100, 48 },
    { 200, 71 },   { 300, 94 },   { 400, 119 },  { 500, 149 }, { 600, 185 },
    { 700, 235 },  { 800, 309 },  { 900, 453 },  { 950, 621 }, { 980, 886 },
    { 990, 1100 }, { 995, 1330 }, { 998, 1650 }, { 1000, 2100 },
};

static const uint32_t long_lengths[] = {
    2000, 2300, 7000, 8000, 9000, 16000, 38000, 47000, 60000, 68000, 73600,
};

/* Below so many postings in all, so many of TERM_PARTS are new terms. */
static const struct { uint64_t postings; uint32_t fresh; } growth[] = {
    { 182, 10000 },    { 1160, 6370 },     { 25200, 3010 },
    { 217000, 1100 },  { 2220000, 558 },   { 23300000, 262 },
    { 229000000, 152 }, { UINT64_MAX, 124 },
};

/* ---- chance ------------------------------------------------------------- */

/* splitmix64, by Sebastiano Vigna, in the public domain. */
static uint64_t draw(struct documents *d)
{
    uint64_t z = d->random += 0x9e3779b97f4a7c15;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

__extension__ typedef unsigned __int128 u128;

/* A number below n. */
static uint64_t draw_below(struct documents *d, uint64_t n)
{
    return (uint64_t)((u128)draw(d) * n >> 64);
}

/* ---- one document ------------------------------------------------------- */

static bool is_long(const struct documents *d)
{
    return d->n_docs % LONG_EVERY == LONG_FIRST;
}

/* Of the long documents every second is of the first class, of the others
 * every second is of the next, and so on; give or take a twentieth. */
static uint32_t long_length(struct documents *d)
{
    uint32_t which = d->n_docs / LONG_EVERY, class = 0;
    const uint32_t last = sizeof long_lengths / sizeof *long_lengths - 1;

    for (; which % 2 && class < last; which /= 2)
        class++;
    return long_lengths[class] / 20 * 19 +
           (uint32_t)draw_below(d, long_lengths[class] / 10);
}

/* Multiples of the golden ratio, modulo 1, fill the unit evenly. */
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

/* How many of the document's n terms shall be new. */
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
    /* The old ones must be easy to find. */
    if (n - fresh > d->n_terms / 2)
        fresh = n - d->n_terms / 2;
    return fresh;
}

/* Where to read the next old term. */
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

/* ---- the rest ----------------------------------------------------------- */

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

/* The number in base 100, a syllable a digit, the lowest first. */
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
