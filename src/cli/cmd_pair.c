/* cmd_pair.c - "cooc pair": everything about two terms. */
#include <stdio.h>
#include <string.h>

#include "cli/number.h"
#include "cli/shared.h"

struct name {
    const char *text;
    size_t len;
};

/* The 2x2 table: documents with both, one, or none of x and y. */
struct cells {
    uint64_t both, only_x, only_y, neither;
};

static struct cells table_of(const struct cooc_pair *p)
{
    struct cells c = { .both = p->count, .only_x = p->df_x - p->count,
                       .only_y = p->df_y - p->count };

    c.neither = p->documents - c.both - c.only_x - c.only_y;
    return c;
}

static void print_line(const char *label, uint64_t a, uint64_t b)
{
    char buf[3][NUMBER_MAX];

    printf("%-28s%18s%16s%16s\n", label, format_count(buf[0], a),
           format_count(buf[1], b), format_count(buf[2], a + b));
}

/* For a person the four cells stand in a square, sums at the edges. */
static void print_square(const struct cells *c)
{
    printf("\n%-28s%18s%16s%16s\n", "documents with", "term2", "not term2",
           "all");
    print_line("term1", c->both, c->only_x);
    print_line("not term1", c->only_y, c->neither);
    print_line("all", c->both + c->only_y, c->only_x + c->neither);
    putchar('\n');
}

/* The few measures that are shown without --all. */
static bool is_usual(const char *measure)
{
    static const char *const usual[] = { "pmi", "npmi", "llr", "dice",
                                         "jaccard" };

    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (!strcmp(measure, usual[i]))
            return true;
    return false;
}

static void print_pair(struct out *o, const struct cooc_pair *p, bool all,
                       const struct name *x, const struct name *y)
{
    struct cells c = table_of(p);
    const struct cooc_measure *m;

    out_open(o);
    out_bytes(o, "term1", x->text, x->len);
    out_bytes(o, "term2", y->text, y->len);
    out_count(o, "documents", p->documents);
    out_count(o, "df1", p->df_x);
    out_count(o, "df2", p->df_y);
    out_count(o, "count", p->count);
    if (o->form == OUT_HUMAN) {
        print_square(&c);
    } else {
        out_count(o, "only1", c.only_x);
        out_count(o, "only2", c.only_y);
        out_count(o, "neither", c.neither);
    }
    for (unsigned i = 1; (m = cooc_measure(i)) != NULL; i++)
        if (all || is_usual(m->name))
            out_real(o, m->name, cooc_score(p, m), 4);
    out_close(o);
}

static int look_up(struct cooc *db, char **words, bool all, struct out *o,
                   struct cooc_err *err)
{
    struct cooc_pair p;
    struct name x, y;
    uint32_t a, b;
    int rc;

    rc = find_term(db, words[0], &a, err);
    if (rc < 0)
        return rc;
    rc = find_term(db, words[1], &b, err);
    if (rc < 0)
        return rc;
    rc = cooc_pair(db, a, b, &p, err);
    if (rc < 0)
        return rc;
    rc = cooc_term(db, p.x, &x.text, &x.len, err);
    if (rc < 0)
        return rc;
    rc = cooc_term(db, p.y, &y.text, &y.len, err);
    if (rc < 0)
        return rc;
    print_pair(o, &p, all, &x, &y);
    return 0;
}

static int run_pair(int argc, char **argv, struct cooc_err *err)
{
    bool json = false, stems = false, all = false;
    const struct opt opts[] = {
        OPT_FLAG('a', "all", &all, "every measure; see 'cooc measures'"),
        OPT_STEMS(&stems),
        OPT_FLAG(0, "json", &json, JSON_OBJECT),
        OPT_END
    };
    struct cooc *db = NULL;
    struct out out;
    int rc;

    rc = opt_parse(&argc, &argv, opts, &cmd_pair, 3, 3, err);
    if (rc)
        return rc;
    out_init(&out, stdout, out_form(json));
    rc = open_store(&db, argv[0], stems, err);
    if (rc < 0)
        goto out;
    rc = look_up(db, argv + 1, all, &out, err);
out:
    cooc_close(db);
    return rc;
}

const struct cmd cmd_pair = {
    .name = "pair", .group = CMD_ASK,
    .args = "[options] NAME.cooc A B",
    .summary = "show how two terms co-occur",
    .details = "df1 and df2 are the numbers of documents that hold A and B, "
               "count that of the documents that hold both.  pmi is to base "
               "2, npmi from -1 to 1, llr the signed log-likelihood ratio, "
               "dice and jaccard from 0 to 1.",
    .examples = "cooc pair news.cooc coffee tea\n"
                "cooc pair news.cooc coffee tea --all\n"
                "cooc pair news.cooc coffee tea --json | jq .npmi\n",
    .run = run_pair,
};
