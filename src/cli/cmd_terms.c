/* cmd_terms.c - "cooc terms": the vocabulary, or a part of it. */
#include "cli/shared.h"

static int print_terms(struct out *o, struct cooc *db, const uint32_t *ids,
                       size_t n, struct cooc_err *err)
{
    static const struct column columns[] = { { "term", 0 }, { "df", 0 } };

    out_list(o, NULL, columns, 2);
    for (size_t i = 0; i < n; i++) {
        const char *name;
        size_t len;
        uint64_t df;
        int rc = cooc_term(db, ids[i], &name, &len, err);

        if (rc == 0)
            rc = cooc_df(db, ids[i], &df, err);
        if (rc < 0)
            return rc;
        rc = out_row(o, (const struct cell[]){ CELL_TEXT(name, len),
                                               CELL_COUNT(df) }, err);
        if (rc < 0)
            return rc;
    }
    return out_list_end(o, err);
}

static int run_terms(int argc, char **argv, struct cooc_err *err)
{
    struct cooc_term_choice choice = { 0 };
    uint64_t limit = 0;
    bool json = false, stems = false;
    const struct opt opts[] = {
        OPT_TEXT(0, "prefix", &choice.prefix, "TEXT", NULL,
                 "only terms that begin with this"),
        OPT_TEXT(0, "like", &choice.like, "PATTERN", NULL,
                 "only terms like this: * ? [a-z] [!a-z]"),
        OPT_U64(0, "min-df", &choice.min_df, "N", "any",
                "only terms in N documents or more"),
        OPT_U64(0, "max-df", &choice.max_df, "N", "any",
                "only terms in N documents or fewer"),
        OPT_U64('n', "limit", &limit, "N", "all", "print at most N terms"),
        OPT_STEMS(&stems),
        OPT_FLAG(0, "json", &json, JSON_LINES),
        OPT_END
    };
    struct cooc *db = NULL;
    uint32_t *ids = NULL;
    struct out out;
    size_t n;
    int rc;

    rc = opt_parse(&argc, &argv, opts, &cmd_terms, 1, 1, err);
    if (rc)
        return rc;
    choice.limit = list_limit(limit, SIZE_MAX);
    out_init(&out, stdout, out_form(json));
    rc = open_store(&db, argv[0], stems, err);
    if (rc == 0)
        rc = cooc_terms(db, &choice, &ids, &n, err);
    if (rc == 0)
        rc = print_terms(&out, db, ids, n, err);
    out_release(&out);
    cooc_terms_free(ids);
    cooc_close(db);
    return rc;
}

const struct cmd cmd_terms = {
    .name = "terms", .group = CMD_ASK,
    .args = "[options] NAME.cooc",
    .summary = "list the vocabulary, the most frequent term first",
    .details = "df is the number of documents that hold the term.  A prefix "
               "or a pattern is folded like the documents' words but not "
               "stemmed; a pattern is one of all of the term, so quote it and "
               "write *ing for an ending.",
    .examples = "cooc terms news.cooc -n 100\n"
                "cooc terms news.cooc --prefix coff\n"
                "cooc terms news.cooc --like '*ing' --min-df 10\n",
    .run = run_terms,
};
