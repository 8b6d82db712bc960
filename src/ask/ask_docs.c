/* ask_docs.c - "docs": which documents contain given terms. */
#include "ask/ask.h"
#include "ask/term_args.h"

struct docs_args {
    bool any;
    uint64_t limit;
};

static const struct opt options[] = {
    OPT_FLAG(struct docs_args, any, 0, "any",
             "match documents that contain any TERM instead of all"),
    OPT_U64(struct docs_args, limit, 'n', "limit", "N", "all",
            "print at most N names"),
    OPT_END
};

static const struct field fields[] = { /* record: the id of a document */
    { .kind = FIELD_KIND_DOCUMENT, .label = "document" }, FIELD_END
};

static int ask(struct answer *a, const struct request *q, struct cooc_err *err)
{
    const struct docs_args *docs = q->args;
    uint32_t terms[TERMS_MAX], *found = NULL;
    size_t n;
    int rc = find_terms(a->db, q->n_words, q->words, terms, err);

    if (rc == 0)
        rc = cooc_docs(a->db, terms, q->n_words,
                       docs->any ? COOC_MATCH_ANY : COOC_MATCH_ALL, &found, &n,
                       err);
    if (rc == 0)
        rc = answer_rows(a, NULL, fields, found, sizeof *found,
                         docs->limit && docs->limit < n ? docs->limit : n,
                         err);
    cooc_free(found);
    return rc;
}

const struct question question_docs = {
    .usage = {
        .name = "docs", .min = 2, .max = -1,
        .args = "[options] NAME.cooc TERM...",
        .summary = "list the documents that contain given terms",
        .details = "Use this to find the documents that a count refers to. "
                   "Lists the documents that contain all TERMs, or with "
                   "--any at least one of them. Works on a store that is "
                   "only indexed.",
        .output = "One document name per row, in the order in which the "
                  "documents were read. The name is the document's id if the "
                  "format has one, otherwise the file name, followed by the "
                  "line number if the file has one document per line.",
        .examples = "cooc docs news.cooc coffee tea\n"
                    "cooc docs news.cooc coffee -n 5\n"
                    "cooc docs news.cooc coffee tea cocoa --any\n",
        .options = options, .size = sizeof(struct docs_args),
    },
    .ask = ask,
};
