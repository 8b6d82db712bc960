/* old_program.c - a program as it was compiled against earlier headers.
 *
 * tests/cli/abi.t compiles it against the headers in tests/abi/ and runs it
 * with the library of today.  Every struct that begins with its size is a heap
 * block of exactly that size, with a guard after it: a library that writes
 * more than this program knows is caught, with or without a sanitizer.
 */
#include <cooc_build.h>
#include <cooc_bulk.h>
#include <cooc_export.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GUARD 64

static char *blocks[64];
static size_t sizes[64], n_blocks;

/* A struct of this size, all defaults, which ends where the guard begins. */
static void *make(size_t size)
{
    char *p = malloc(size + GUARD);

    if (!p)
        abort();
    memset(p, 0x5a, size + GUARD);
    cooc_init(p, size);
    blocks[n_blocks] = p;
    sizes[n_blocks++] = size;
    return p;
}

#define MAKE(type) ((struct type *)make(sizeof(struct type)))

static void check_guards(const char *after)
{
    for (size_t i = 0; i < n_blocks; i++) {
        size_t size;

        memcpy(&size, blocks[i], sizeof size);
        if (size != sizes[i]) {
            printf("%s: the size of struct %zu has changed\n", after, i);
            exit(1);
        }
        for (size_t k = 0; k < GUARD; k++)
            if (blocks[i][sizes[i] + k] != 0x5a) {
                printf("%s: written beyond struct %zu\n", after, i);
                exit(1);
            }
    }
}

static struct cooc_err err;

static void must(int rc, const char *what)
{
    check_guards(what);
    if (rc < 0) {
        printf("%s: %d, %s\n", what, rc, err.text);
        exit(1);
    }
}

static unsigned progress_calls, estimates;

static int progress(void *self, const struct cooc_progress *p)
{
    (void)self;
    progress_calls += p->size >= sizeof(struct cooc_progress);
    return 0;
}

static int estimate(void *self, const struct cooc_estimate *e)
{
    (void)self;
    estimates += e->increments > 0;
    return 0;
}

static void warning(void *self, const char *text)
{
    (void)self;
    (void)text;
}

static int write_bytes(void *self, const void *data, size_t len,
                       struct cooc_err *e)
{
    (void)data;
    (void)e;
    *(size_t *)self += len;
    return 0;
}

static int see_hit(void *self, const struct cooc_hit *hit, struct cooc_err *e)
{
    (void)e;
    *(uint64_t *)self += hit->pair.count;
    return 0;
}

static int see_header(void *self, const struct cooc_dump_report *header,
                      struct cooc_err *e)
{
    (void)self;
    (void)e;
    return header->rows ? 0 : 1;
}

static int see_cell(void *self, const struct cooc_cell *cell,
                    struct cooc_err *e)
{
    (void)e;
    *(double *)self += cell->value;
    return 0;
}

static struct cooc_watch *watch;

static void build(void)
{
    static const char *const texts[] = { "black tea", "green tea with milk",
                                         "coffee with milk" };
    struct cooc_index_options *o = MAKE(cooc_index_options);
    struct cooc_index_report *indexed = MAKE(cooc_index_report);
    struct cooc_count_options *c = MAKE(cooc_count_options);
    struct cooc_count_report *counted = MAKE(cooc_count_report);
    struct cooc_merge_options *m = MAKE(cooc_merge_options);
    struct cooc_merge_report *merged = MAKE(cooc_merge_report);
    struct cooc_add_options *a = MAKE(cooc_add_options);
    struct cooc_check_report *checked = MAKE(cooc_check_report);
    const char *inputs[] = { "more.txt" }, *stores[] = { "a.cooc", "b.cooc" };
    struct cooc_builder *b;
    FILE *more = fopen("more.txt", "w");

    if (!more || fputs("black coffee\n", more) < 0 || fclose(more))
        exit(1);
    more = fopen("list.txt", "w");
    if (!more || fputs("black\ncoffee\n", more) < 0 || fclose(more))
        exit(1);
    watch = MAKE(cooc_watch);
    watch->progress = progress;
    watch->estimate = estimate;
    watch->warning = warning;
    o->watch = watch;
    must(cooc_builder_open(&b, "a.cooc", o, &err), "builder");
    for (size_t i = 0; i < 3; i++)
        must(cooc_builder_text(b, NULL, 0, texts[i], strlen(texts[i]), &err),
             "text");
    must(cooc_builder_finish(b, indexed, &err), "finish");
    c->watch = watch;
    c->tuning = MAKE(cooc_tuning);
    counted->estimate = MAKE(cooc_estimate);
    must(cooc_count("a.cooc", c, counted, &err), "count");
    must(cooc_index(inputs, 1, "b.cooc", o, indexed, &err), "index");
    m->count = c;
    merged->count = MAKE(cooc_count_report);
    must(cooc_merge(stores, 2, "c.cooc", m, merged, &err), "merge");
    a->merge = m;
    must(cooc_add("a.cooc", inputs, 1, a, indexed, merged, &err), "add");
    must(cooc_check("a.cooc", 0, watch, checked, &err), "check");
    printf("%d documents, %d pairs, %d increments\n", (int)merged->documents,
           (int)checked->pairs, (int)checked->increments);
}

static void query(struct cooc *db)
{
    struct cooc_info *info = MAKE(cooc_info);
    struct cooc_lengths *lengths = MAKE(cooc_lengths);
    struct cooc_term_filter *filter = MAKE(cooc_term_filter);
    struct cooc_rank_options *rank = MAKE(cooc_rank_options);
    struct cooc_list *list = MAKE(cooc_list);
    struct cooc_matrix *matrix = MAKE(cooc_matrix);
    uint64_t starts[32], sum = 0;
    uint32_t *terms, tea = 0, columns[64];
    struct cooc_hit *hits;
    size_t n;

    must(cooc_info_get(db, info, &err), "info");
    must(cooc_lengths_get(db, lengths, &err), "lengths");
    filter->prefix = "te";
    must(cooc_terms(db, filter, &terms, &n, &err), "terms");
    cooc_free(terms);
    must(cooc_term_find(db, "tea", 3, &tea, &err), "find");
    must(cooc_top(db, &tea, 1, COOC_MATCH_ALL, rank, &hits, &n, &err), "top");
    printf("tea: %zu partners, ", n);
    cooc_free(hits);
    rank->watch = watch;
    must(cooc_pairs(db, rank, &hits, &n, &err), "pairs");
    cooc_free(hits);
    must(cooc_pairs_each(db, rank, see_hit, &sum, &err), "pairs_each");
    must(cooc_list_read(db, "list.txt", list, &err), "list");
    cooc_free(list->terms);
    matrix->n = (size_t)info->terms;
    matrix->starts = starts;
    matrix->columns = columns;
    must(cooc_matrix_size(db, matrix, &err), "matrix_size");
    must(cooc_matrix_fill(db, matrix, &err), "matrix_fill");
    printf("sum %d, %d entries\n", (int)sum, (int)starts[matrix->n]);
}

static void export(struct cooc *db)
{
    struct cooc_export_options *o = MAKE(cooc_export_options);
    struct cooc_export_report *r = MAKE(cooc_export_report);
    struct cooc_dump_report *d = MAKE(cooc_dump_report);
    size_t bytes = 0;
    double sum = 0;

    o->watch = watch;
    must(cooc_export_to(db, write_bytes, &bytes, o, r, &err), "export_to");
    o->format = "mtx";
    must(cooc_export(db, "a.mtx", o, r, &err), "export");
    must(cooc_dump("a.mtx", see_header, see_cell, &sum, d, &err), "dump");
    printf("%d bytes of tsv, %d cells, sum %.0f\n", (int)bytes,
           (int)d->cells, sum);
}

int main(void)
{
    struct cooc *db;

    must(cooc_global_init(0, &err), "global_init");
    build();
    must(cooc_open(&db, "a.cooc", &err), "open");
    query(db);
    export(db);
    cooc_close(db);
    printf("callbacks: %s\n", progress_calls && estimates ? "yes" : "no");
    for (size_t i = 0; i < n_blocks; i++)
        free(blocks[i]);
    return cooc_version_number() < COOC_VERSION_NUMBER;
}
