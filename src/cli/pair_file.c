/* pair_file.c - "pairs --from": the pairs of a file, in its order. */
#include "cli/pair_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/fail.h"
#include "cli/number.h"
#include "cli/pair_out.h"
#include "cli/text.h"

enum { SHOWN = 60 }; /* bytes of a line or a word that are quoted */

struct pair_file {
    struct pair_out *table;
    const char *name;
    uint64_t lines, pairs;
    uint64_t not_pairs, first_not_pair; /* lines */
    uint64_t unknown, first_unknown;    /* pairs, line */
    char word[SHOWN + 4];
};

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static void trim(struct pair_word *w)
{
    for (; w->len && is_blank(*w->text); w->text++)
        w->len--;
    while (w->len && is_blank(w->text[w->len - 1]))
        w->len--;
}

/* As in every list: "#metoo" is a word. */
static bool is_comment(const struct pair_word *line)
{
    return line->len && *line->text == '#' &&
           (line->len == 1 || is_blank(line->text[1]));
}

/* The two words of a line, or its first two columns; false if there are
 * none. */
static bool split(const char *line, size_t len, struct pair_word *x,
                  struct pair_word *y)
{
    struct pair_word all = { .text = line, .len = len };
    const char *tab = memchr(line, '\t', len), *p = NULL;

    trim(&all);
    if (tab && (tab < all.text || tab >= all.text + all.len))
        return false; /* nothing on one side of it */
    for (size_t i = 0; i < all.len && !tab && !p; i++)
        if (is_blank(all.text[i]))
            p = all.text + i;
    p = tab ? tab : p;
    if (!p)
        return false;
    *x = (struct pair_word){ .text = all.text,
                             .len = (size_t)(p - all.text) };
    *y = (struct pair_word){ .text = p + 1,
                             .len = all.len - x->len - 1 };
    if (tab && (p = memchr(y->text, '\t', y->len)) != NULL)
        y->len = (size_t)(p - y->text); /* columns with something else */
    trim(x);
    trim(y);
    for (size_t i = 0; i < y->len && !tab; i++)
        if (is_blank(y->text[i]))
            return false; /* a third word */
    return x->len && y->len;
}

static int look_up(struct pair_file *f, struct pair_word *w,
                   struct cooc_err *err)
{
    int rc = cooc_look_up(f->table->db, w->text, w->len, &w->id, &w->known,
                          err);

    if (rc == 0 && !w->known && !f->first_unknown) {
        f->first_unknown = f->lines;
        snprintf(f->word, sizeof f->word, "%.*s%s",
                 (int)(w->len > SHOWN ? SHOWN : w->len), w->text,
                 w->len > SHOWN ? "..." : "");
    }
    return rc;
}

/* The header of a table that cooc has written. */
static bool is_header(const struct pair_word *x, const struct pair_word *y)
{
    return x->len == 5 && y->len == 5 && !memcmp(x->text, "term1", 5) &&
           !memcmp(y->text, "term2", 5);
}

static int do_line(struct pair_file *f, const char *line, size_t len,
                   struct cooc_err *err)
{
    struct pair_word x, y;
    struct cooc_pair p;
    int rc;

    if (!split(line, len, &x, &y)) {
        if (!f->not_pairs++)
            f->first_not_pair = f->lines;
        return 0;
    }
    if (f->lines == 1 && is_header(&x, &y))
        return 0;
    f->pairs++;
    rc = look_up(f, &x, err);
    if (rc == 0)
        rc = look_up(f, &y, err);
    if (rc < 0)
        return rc;
    if (!x.known || !y.known) {
        f->unknown++;
        return pair_out_unknown(f->table, &x, &y, err);
    }
    rc = cooc_pair(f->table->db, x.id, y.id, &p, err);
    return rc < 0 ? rc : pair_out_row(f->table, &p, err);
}

static int do_lines(struct pair_file *f, FILE *from, struct cooc_err *err)
{
    char *line = NULL;
    size_t cap = 0;
    ssize_t n;
    int rc = 0;

    errno = 0;
    while (rc == 0 && (n = getline(&line, &cap, from)) > 0) {
        struct pair_word all = { .text = line, .len = (size_t)n }, text;

        if (!f->lines++ && n >= 3 && !memcmp(line, "\xef\xbb\xbf", 3)) {
            all.text += 3; /* a byte order mark */
            all.len -= 3;
        }
        text = all;
        trim(&text);
        if (text.len && !is_comment(&all))
            rc = do_line(f, all.text, all.len, err);
    }
    if (rc == 0 && ferror(from))
        rc = fail_sys(err, "cannot read", f->name);
    free(line);
    return rc;
}

static void warn(const struct pair_file *f)
{
    if (f->unknown) {
        fprintf(stderr, "cooc: %s: %llu of %llu %s %s a word that is in "
                "no document, and count 0; the first is '", f->name,
                (unsigned long long)f->unknown, (unsigned long long)f->pairs,
                plural(f->pairs, "pair", "pairs"),
                plural(f->unknown, "has", "have"));
        text_terminal(stderr, f->word, strlen(f->word));
        fprintf(stderr, "' in line %llu\n",
                (unsigned long long)f->first_unknown);
    }
    if (f->not_pairs)
        fprintf(stderr, "cooc: %s: %llu %s not two words and %s skipped (the "
                "first is line %llu); put a tab between the words\n",
                f->name, (unsigned long long)f->not_pairs,
                plural(f->not_pairs, "line is", "lines are"),
                plural(f->not_pairs, "was", "were"),
                (unsigned long long)f->first_not_pair);
}

int pair_file_print(struct pair_out *t, const char *path,
                    struct cooc_err *err)
{
    bool standard = !strcmp(path, "-");
    struct pair_file f = { .table = t,
                           .name = standard ? "standard input" : path };
    FILE *from = standard ? stdin : fopen(path, "re");
    int rc;

    if (!from)
        return fail_sys(err, "cannot open", path);
    pair_out_begin(t);
    rc = do_lines(&f, from, err);
    if (!standard)
        fclose(from);
    if (rc == 0)
        rc = pair_out_end(t, err);
    warn(&f);
    return rc;
}
