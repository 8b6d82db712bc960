/* fuzz_builder.c - calls of a builder in any order, with any bytes.
 *
 *     u8 how: additions, threads, number of words in the vocabulary
 *     then for each call: u8 kind; u8 length of the name and its bytes; u8
 *     number of terms or length of the text, and its bytes
 *
 * The store passes cooc_check() and has the accepted documents; after a failure
 * there is no store, and the error is the first one.
 */
#include "fuzz.h"

#include <unistd.h>

#include "cooc.h"

enum { CALL_TEXT, CALL_TERMS, CALL_IDS, CALL_VOCAB, CALL_KINDS };
#define TERMS_MAX 8

struct call {
    struct cooc_builder *b;
    struct bytes *in;
    char *name;
    size_t name_len;
};

static size_t take_terms(struct bytes *in, struct cooc_bytes *terms)
{
    size_t n = take_byte(in) % (TERMS_MAX + 1);

    for (size_t i = 0; i < n; i++) {
        struct bytes some = take_bytes(in, take_byte(in) % 9);

        terms[i] = (struct cooc_bytes){ (const char *)some.p, some.n };
    }
    return n;
}

static int make_call(struct call *c, unsigned kind, struct cooc_err *err)
{
    struct cooc_bytes terms[TERMS_MAX];
    uint32_t ids[TERMS_MAX];
    struct bytes text;
    size_t n;

    switch (kind) {
    case CALL_TEXT:
        text = take_bytes(c->in, take_byte(c->in));
        return cooc_builder_text(c->b, c->name, c->name_len,
                                 (const char *)text.p, text.n, err);
    case CALL_TERMS:
        n = take_terms(c->in, terms);
        return cooc_builder_terms(c->b, c->name, c->name_len, terms, n, err);
    case CALL_IDS:
        n = take_byte(c->in) % (TERMS_MAX + 1);
        for (size_t i = 0; i < n; i++)
            ids[i] = take_byte(c->in) & 15;
        return cooc_builder_ids(c->b, c->name, c->name_len, ids, n, err);
    default:
        n = take_terms(c->in, terms);
        return cooc_builder_vocab(c->b, terms, n, err);
    }
}

/* Add everything; return the first error of a document. */
static int feed(struct cooc_builder *b, struct bytes *in, uint64_t *documents)
{
    struct cooc_err first = { 0 };
    int sticky = 0;

    *documents = 0;
    while (in->n) {
        unsigned kind = take_byte(in) % CALL_KINDS;
        size_t len = take_byte(in) % 12;
        struct bytes name = take_bytes(in, len);
        struct call c = { b, in, len ? (char *)(uintptr_t)name.p : NULL,
                          name.n };
        struct cooc_err err = { 0 };
        int rc = make_call(&c, kind, &err);

        MUST(rc == 0 || (err.code == rc && err.text[0]));
        if (kind == CALL_VOCAB)
            continue;
        MUST(sticky == 0 || rc == sticky);
        MUST(sticky == 0 || strcmp(err.text, first.text) == 0);
        if (sticky == 0 && rc < 0) {
            first = err;
            sticky = rc;
        }
        *documents += rc == 0;
    }
    return sticky;
}

void fuzz_one(const uint8_t *data, size_t size)
{
    static char *store;
    struct bytes in = { data, size };
    uint8_t how = take_byte(&in);
    struct cooc_index_options o = COOC_INDEX_OPTIONS;
    struct cooc_index_report report = COOC_INDEX_REPORT;
    struct cooc_err err = { 0 };
    struct cooc_builder *b;
    uint64_t documents;
    int sticky, rc;

    if (!store)
        store = fuzz_path("built");
    o.threads = 1 + (how & 1);
    o.keep_case = how & 2;
    o.min_df = how & 4 ? 2 : 0;
    o.replace = true;
    MUST(cooc_builder_open(&b, store, &o, &err) == 0);
    sticky = feed(b, &in, &documents);
    if (how & 8) {
        cooc_builder_abort(b);
        return;
    }
    rc = cooc_builder_finish(b, &report, &err);
    MUST(sticky == 0 || rc == sticky);
    MUST(rc == 0 || err.text[0]);
    if (rc == 0) {
        MUST(report.documents == documents);
        MUST(cooc_check(store, 1, NULL, NULL, &err) == 0);
    }
}
