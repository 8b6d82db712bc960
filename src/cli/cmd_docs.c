/* cmd_docs.c - "cooc docs": which documents hold some terms. */
#include <stdio.h>

#include "cli/shared.h"

static int print_docs(struct out *o, struct cooc *db, const uint32_t *docs,
                      size_t n, struct cooc_err *err)
{
    static const struct column columns[] = { { "document", 0 } };

    out_list(o, NULL, columns, 1);
    for (size_t i = 0; i < n; i++) {
        const char *name;
        size_t len;
        int rc = cooc_document(db, docs[i], &name, &len, err);

        if (rc < 0)
            return rc;
        rc = out_row(o, &(const struct cell)CELL_TEXT(name, len), err);
        if (rc < 0)
            return rc;
    }
    return out_list_end(o, err);
}

static int run_docs(int argc, char **argv, struct cooc_err *err)
{
    uint64_t limit = 0;
    bool any = false, json = false;
    const struct opt opts[] = {
        OPT_FLAG(0, "any", &any, "that hold any of the terms, not all"),
        OPT_U64('n', "limit", &limit, "N", "all", "print at most N names"),
        OPT_FLAG(0, "json", &json, JSON_LINES),
        OPT_END
    };
    uint32_t terms[TERMS_MAX], *docs = NULL;
    struct cooc *db = NULL;
    struct out out;
    size_t n;
    int rc;

    rc = opt_parse(&argc, &argv, opts, &cmd_docs, 2, -1, err);
    if (rc)
        return rc;
    out_init(&out, stdout, out_form(json));
    rc = cooc_open(&db, argv[0], err);
    if (rc < 0)
        goto out;
    rc = find_terms(db, argc - 1, argv + 1, terms, err);
    if (rc < 0)
        goto out;
    rc = cooc_docs_of(db, terms, (size_t)argc - 1,
                      any ? COOC_ANY_OF : COOC_ALL_OF, &docs, &n, err);
    if (rc < 0)
        goto out;
    rc = print_docs(&out, db, docs, list_limit(limit, n), err);
out:
    out_release(&out);
    cooc_docs_free(docs);
    cooc_close(db);
    return rc;
}

const struct cmd cmd_docs = {
    .name = "docs", .group = CMD_ASK,
    .args = "[options] NAME.cooc TERM...",
    .summary = "name the documents that hold all of some terms, or any",
    .examples = "cooc docs news.cooc coffee tea\n"
                "cooc docs news.cooc coffee -n 5\n"
                "cooc docs news.cooc coffee tea cocoa --any\n",
    .run = run_docs,
};
