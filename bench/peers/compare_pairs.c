/* compare_pairs.c - compare the pairs of two programs.
 *
 *     compare-pairs KIND FILE [RAW]
 *
 * Reads the pairs that a peer has written (KIND: pieces, text or raw; FILE -
 * is standard input) and prints JSON: the number of pairs, the sum of their
 * counts, and a checksum that does not depend on their order.  With RAW, a
 * file of "cooc export --format raw", the pairs are also compared with those
 * in RAW one by one.  The exit status is 1 if a pair has another count, occurs
 * twice, is missing, or is not in RAW.
 *
 *     raw     rows of 32-bit numbers: term, n, n times (term, count)
 *     pieces  blocks of a matrix: as 64-bit numbers the first row, number of
 *             rows, first column, number of pairs; as 32-bit numbers the row
 *             lengths, columns, counts
 *     text    lines of count, term, term, like the output of "uniq -c"
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUFFER (1 << 20)

/* All pairs of a raw file: row t holds its partners with smaller ids. */
struct truth {
    uint32_t *terms, *counts; /* count 0: the pair has been found before */
    uint64_t *start, *end;    /* row t is [start[t], end[t]) */
    uint64_t n, cap, rows;
};

struct tally {
    uint64_t pairs, increments, checksum, wrong;
    struct truth *truth;
};

static _Noreturn void fail(const char *what)
{
    fprintf(stderr, "compare-pairs: %s\n", what);
    exit(1);
}

static void *room(void *old, uint64_t n, size_t size)
{
    void *p = realloc(old, n * size + 1);

    if (!p)
        fail("not enough memory");
    return p;
}

static bool get(void *to, uint64_t n, size_t size, FILE *f)
{
    size_t had = fread(to, size, n, f);

    if (had != n && (had || ferror(f)))
        fail("the file is truncated");
    return had == n;
}

/* ---- the pairs in RAW --------------------------------------------------- */

static void truth_row(struct truth *t, uint32_t row, uint32_t n)
{
    if (row >= t->rows) {
        uint64_t more = row * (uint64_t)2 + 16;

        t->start = room(t->start, more, sizeof *t->start);
        t->end = room(t->end, more, sizeof *t->end);
        memset(t->start + t->rows, 0, (more - t->rows) * sizeof *t->start);
        memset(t->end + t->rows, 0, (more - t->rows) * sizeof *t->end);
        t->rows = more;
    }
    if (t->n + n > t->cap) {
        t->cap = (t->n + n) * 2;
        t->terms = room(t->terms, t->cap, sizeof *t->terms);
        t->counts = room(t->counts, t->cap, sizeof *t->counts);
    }
    t->start[row] = t->n;
    t->end[row] = t->n + n;
}

static void truth_read(struct truth *t, FILE *f)
{
    uint32_t head[2], pair[2];

    while (get(head, 2, sizeof *head, f)) {
        truth_row(t, head[0], head[1]);
        for (uint32_t i = 0; i < head[1]; i++) {
            if (!get(pair, 2, sizeof *pair, f))
                fail("the file is truncated within a row");
            t->terms[t->n] = pair[0];
            t->counts[t->n++] = pair[1];
        }
    }
}

/* Whether the pair is in RAW with this count and was not found before. */
static bool truth_take(struct truth *t, uint32_t row, uint32_t term,
                       uint32_t count)
{
    uint64_t lo, hi;

    if (row >= t->rows || !count)
        return false;
    lo = t->start[row];
    hi = t->end[row];
    while (lo < hi) {
        uint64_t mid = lo + (hi - lo) / 2;

        if (t->terms[mid] < term)
            lo = mid + 1;
        else
            hi = mid;
    }
    if (lo == t->end[row] || t->terms[lo] != term || t->counts[lo] != count)
        return false;
    t->counts[lo] = 0;
    return true;
}

/* ---- the pairs in FILE -------------------------------------------------- */

static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 31)) * 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9;
    return x ^ (x >> 32);
}

static void add(struct tally *t, uint32_t a, uint32_t b, uint32_t count)
{
    uint32_t lo = a < b ? a : b, hi = a < b ? b : a;

    t->pairs++;
    t->increments += count;
    t->checksum += mix(mix((uint64_t)lo << 32 | hi) + count);
    if (t->truth && !truth_take(t->truth, hi, lo, count) && !t->wrong++)
        fprintf(stderr, "compare-pairs: terms %" PRIu32 " and %" PRIu32
                " with count %" PRIu32 " do not match cooc's pairs\n", lo, hi,
                count);
}

static void read_raw(struct tally *t, FILE *f)
{
    uint32_t head[2], *row = NULL;

    while (get(head, 2, sizeof *head, f)) {
        row = room(row, head[1], 2 * sizeof *row);
        if (!get(row, head[1], 2 * sizeof *row, f))
            fail("the file is truncated within a row");
        for (uint32_t i = 0; i < head[1]; i++)
            add(t, head[0], row[2 * i], row[2 * i + 1]);
    }
    free(row);
}

static void read_pieces(struct tally *t, FILE *f)
{
    enum { ROW, ROWS, COLUMN, PAIRS };
    uint32_t *lens = NULL, *columns = NULL, *counts = NULL;
    uint64_t head[4];

    while (get(head, 4, sizeof *head, f)) {
        uint64_t at = 0;

        lens = room(lens, head[ROWS], sizeof *lens);
        columns = room(columns, head[PAIRS], sizeof *columns);
        counts = room(counts, head[PAIRS], sizeof *counts);
        if (!get(lens, head[ROWS], sizeof *lens, f) ||
            !get(columns, head[PAIRS], sizeof *columns, f) ||
            !get(counts, head[PAIRS], sizeof *counts, f))
            fail("the file is truncated within a piece");
        for (uint64_t r = 0; r < head[ROWS]; r++)
            for (uint32_t i = 0; i < lens[r]; i++, at++) {
                if (at == head[PAIRS])
                    fail("the rows of a piece have too many pairs");
                add(t, (uint32_t)(head[ROW] + r),
                    (uint32_t)(head[COLUMN] + columns[at]), counts[at]);
            }
        if (at != head[PAIRS])
            fail("the rows of a piece have too few pairs");
    }
    free(lens);
    free(columns);
    free(counts);
}

static void read_text(struct tally *t, FILE *f)
{
    char *line = NULL;
    size_t cap = 0;

    while (getline(&line, &cap, f) > 0) {
        uint32_t v[3];
        char *p = line, *end;

        for (int i = 0; i < 3; i++, p = end) {
            v[i] = (uint32_t)strtoul(p, &end, 10);
            if (end == p)
                fail("expected three numbers on each line");
        }
        add(t, v[1], v[2], v[0]);
    }
    free(line);
}

static FILE *file_open(const char *path)
{
    FILE *f = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");

    if (!f) {
        perror(path);
        exit(1);
    }
    setvbuf(f, NULL, _IOFBF, BUFFER);
    return f;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*read)(struct tally *, FILE *);
    } kinds[] = { { "raw", read_raw }, { "pieces", read_pieces },
                  { "text", read_text } };
    struct truth truth = { 0 };
    struct tally t = { 0 };
    size_t k = 0;

    while (argc > 1 && k < 3 && strcmp(argv[1], kinds[k].name) != 0)
        k++;
    if (argc < 3 || argc > 4 || k == 3) {
        fputs("usage: compare-pairs raw|pieces|text FILE [RAW]\n", stderr);
        return 2;
    }
    if (argc == 4) {
        truth_read(&truth, file_open(argv[3]));
        t.truth = &truth;
    }
    kinds[k].read(&t, file_open(argv[2]));
    printf("{\"pairs\": %" PRIu64 ", \"increments\": %" PRIu64
           ", \"checksum\": \"%016" PRIx64 "\"", t.pairs, t.increments,
           t.checksum);
    if (t.truth)
        printf(", \"wrong\": %" PRIu64 ", \"missing\": %" PRIu64, t.wrong,
               truth.n - (t.pairs - t.wrong));
    puts("}");
    free(truth.terms);
    free(truth.counts);
    free(truth.start);
    free(truth.end);
    return t.truth && (t.wrong || truth.n != t.pairs);
}
