/* shared.c - what several commands have in common. */
#include "cli/shared.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/fail.h"

void run_args_init(struct run_args *r, const char *force_help)
{
    const struct opt table[] = {
        OPT_TITLE("Running"),
        OPT_U32('j', "threads", &r->threads, "N", "every core",
                "use N threads"),
        OPT_SIZE(0, "memory", &r->memory, "half of the machine's",
                 "use at most so much memory, as 512M or 8G"),
        OPT_FLAG('f', "force", &r->force, force_help),
        OPT_FLAG('q', "quiet", &r->quiet, "no progress, no report"),
        OPT_FLAG(0, "json", &r->json, "report as one JSON object"),
        OPT_FLAG(0, "progress-json", &r->progress_json,
                 "progress as JSON lines, for programs"),
        OPT_TEXT(0, "stats-json", &r->stats_file, "FILE", NULL,
                 "write times, bytes and memory of each phase"),
        OPT_END,
    };

    _Static_assert(sizeof table <= sizeof r->opts, "opts is too small");
    *r = (struct run_args){ 0 };
    memcpy(r->opts, table, sizeof table);
}

void method_names(const char *names[METHODS_MAX + 1])
{
    const struct cooc_method *m;
    unsigned n = 0;

    for (; n < METHODS_MAX && (m = cooc_method(n)) != NULL; n++)
        names[n] = m->name;
    names[n] = NULL;
}

int open_store(struct cooc **db, const char *path, bool show_stems,
               struct cooc_err *err)
{
    int rc = cooc_open(db, path, err);

    if (rc == 0)
        cooc_show_stems(*db, show_stems);
    return rc;
}

int find_term(struct cooc *db, const char *word, uint32_t *id,
              struct cooc_err *err)
{
    return cooc_find(db, word, strlen(word), id, err);
}

int find_terms(struct cooc *db, int n, char **words, uint32_t *terms,
               struct cooc_err *err)
{
    if (n > TERMS_MAX)
        return fail(err, COOC_EINVAL, "give at most %d terms", TERMS_MAX);
    for (int i = 0; i < n; i++) {
        int rc = find_term(db, words[i], &terms[i], err);

        if (rc < 0)
            return rc;
    }
    return 0;
}

int hint_count(int rc, const char *store, struct cooc_err *err)
{
    if (rc == COOC_ENOTCOUNTED)
        return fail(err, rc, "%s holds no pairs yet; type: cooc count %s",
                    store, store);
    return rc;
}

int check_directory(const char *dir, struct cooc_err *err)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/-+,";
    const char *quote;
    struct stat st;

    if (!dir)
        return 0;
    quote = strspn(dir, plain) == strlen(dir) ? "" : "'";
    if (stat(dir, &st) != 0)
        return errno != ENOENT ? 0 /* the library says what is wrong */
                               : fail(err, COOC_ENOTFOUND,
                                      "the directory %s does not exist; "
                                      "create it first: mkdir -p %s%s%s", dir,
                                      quote, dir, quote);
    if (!S_ISDIR(st.st_mode))
        return fail(err, COOC_EIO, "%s is not a directory", dir);
    return 0;
}

int check_output(const char *path, struct cooc_err *err)
{
    size_t len = path ? strlen(path) : 0;
    const char *slash;
    char dir[PATH_MAX];

    while (len > 1 && path[len - 1] == '/')
        len--; /* of a store */
    slash = len ? memrchr(path, '/', len) : NULL;
    if (!slash || slash == path || slash - path >= PATH_MAX)
        return 0;
    snprintf(dir, sizeof dir, "%.*s", (int)(slash - path), path);
    return check_directory(dir, err);
}

size_t list_limit(uint64_t asked, uint64_t all)
{
    uint64_t limit = asked && asked < all ? asked : all;

    return limit > SIZE_MAX ? SIZE_MAX : (size_t)limit;
}

static int print_partner(struct out *o, struct cooc *db,
                         const struct cooc_hit *hit, struct cooc_err *err)
{
    const char *name;
    size_t len;
    int rc = cooc_term(db, hit->pair.y, &name, &len, err);

    if (rc < 0)
        return rc;
    const struct cell cells[] = { CELL_TEXT(name, len),
                                  CELL_COUNT(hit->pair.count),
                                  CELL_COUNT(hit->pair.df_y),
                                  CELL_REAL(hit->score) };
    return out_row(o, cells, err);
}

static int print_both(struct out *o, struct cooc *db,
                      const struct cooc_hit *hit, struct cooc_err *err)
{
    const struct cooc_pair *p = &hit->pair;
    const char *x, *y;
    size_t x_len, y_len;
    int rc = cooc_term(db, p->x, &x, &x_len, err);

    if (rc == 0)
        rc = cooc_term(db, p->y, &y, &y_len, err);
    if (rc < 0)
        return rc;
    const struct cell cells[] = { CELL_TEXT(x, x_len), CELL_TEXT(y, y_len),
                                  CELL_COUNT(p->count), CELL_COUNT(p->df_x),
                                  CELL_COUNT(p->df_y),
                                  CELL_REAL(hit->score) };
    return out_row(o, cells, err);
}

int print_partners(struct out *o, struct cooc *db,
                   const struct cooc_measure *by, const struct cooc_hit *hits,
                   size_t n, struct cooc_err *err)
{
    const struct column columns[] = { { "term", 0 }, { "count", 0 },
                                      { "df", 0 }, { by->name, 4 } };
    int rc = 0;

    out_list(o, NULL, columns, by == cooc_measure(0) ? 3 : 4);
    for (size_t i = 0; i < n && rc == 0; i++)
        rc = print_partner(o, db, &hits[i], err);
    return rc < 0 ? rc : out_list_end(o, err);
}

int print_pair_hits(struct out *o, const char *label, struct cooc *db,
                    const struct cooc_measure *by,
                    const struct cooc_hit *hits, size_t n,
                    struct cooc_err *err)
{
    const struct column columns[] = { { "term1", 0 }, { "term2", 0 },
                                      { "count", 0 }, { "df1", 0 },
                                      { "df2", 0 }, { by->name, 4 } };
    int rc = 0;

    out_list(o, label, columns, by == cooc_measure(0) ? 5 : 6);
    for (size_t i = 0; i < n && rc == 0; i++)
        rc = print_both(o, db, &hits[i], err);
    return rc < 0 ? rc : out_list_end(o, err);
}
