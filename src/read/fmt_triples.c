/* fmt_triples.c - one term of a document per line: doc TAB term [TAB tf].
 *
 * The lines of a document must be adjacent.  A document that appears again
 * later would be counted as two documents, so every id is remembered as a
 * 64-bit hash.  With ten million documents, the chance that two ids share a
 * hash is 3 in a million; the file is then rejected, never miscounted.
 *
 * If rows are grouped, each line is a row of its own, and the lines of a
 * document may be anywhere.
 *
 * A tf of 0, or an empty term, makes the document exist without the term.
 */
#include <stdbool.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/err.h"
#include "base/mem.h"
#include "read/format.h"
#include "read/input.h"
#include "read/scan.h"

struct triples_state {
    uint64_t *seen; /* hash table, open addressing; 0: free slot */
    size_t n, size; /* size is a power of two */
    bool ahead;     /* doc and term are the first line of the next document */
    struct buf doc, term;
};

struct triple {
    struct scan doc, term; /* term is empty if it is absent */
};

/* Insert hash; false if it was already there. */
static bool put(uint64_t *seen, size_t size, uint64_t hash)
{
    size_t i = hash & (size - 1);

    while (seen[i] && seen[i] != hash)
        i = (i + 1) & (size - 1);
    if (seen[i])
        return false;
    seen[i] = hash;
    return true;
}

/* Remember the id: 1, or 0 if it was already known. */
static int remember(struct triples_state *s, const struct buf *id,
                    struct cooc_err *err)
{
    uint64_t hash = XXH3_64bits(id->len ? id->data : "", id->len);

    hash += hash == 0;
    if (s->n + 1 > s->size / 4 * 3) {
        size_t size = s->size ? s->size * 2 : 1024;
        uint64_t *seen = mem_zarray(size, sizeof *seen);

        if (!seen)
            return err_nomem(err);
        for (size_t i = 0; i < s->size; i++)
            if (s->seen[i])
                put(seen, size, s->seen[i]);
        mem_free(s->seen);
        s->seen = seen;
        s->size = size;
    }
    if (!put(s->seen, s->size, hash))
        return 0;
    s->n++;
    return 1;
}

static int read_triple(struct input *in, struct triple *t, struct cooc_err *err)
{
    enum sign tf = SIGN_PLUS;
    const char *line;
    struct scan c;
    size_t len;
    int rc;

    do
        rc = text_line(&in->text, &line, &len, err);
    while (rc > 0 && len == 0);
    if (rc <= 0)
        return rc;
    c = scan_of(line, len);
    t->doc = scan_before(&c, '\t');
    if (!scan_char(&c, '\t'))
        return input_wrong(in, err, "no TAB between document and term");
    t->term = scan_before(&c, '\t');
    if (scan_char(&c, '\t')) {
        tf = scan_number(&c);
        if (tf == SIGN_NONE || tf == SIGN_MINUS || c.at != c.end)
            return input_wrong(in, err,
                               "the third field is not a term frequency");
    }
    if (tf == SIGN_ZERO)
        t->term.end = t->term.at;
    return 1;
}

static int add_term(struct input *in, const char *term, size_t len,
                    struct cooc_err *err)
{
    return len ? input_add_line(in, term, len, err) : 0;
}

/* Begin the document of the line that was read ahead. */
static int begin_document(struct triples_state *s, struct input *in,
                          struct cooc_err *err)
{
    int rc = remember(s, &s->doc, err);

    if (rc == 0) {
        rc = input_wrong(in, err,
                         "document '%.*s' appears again after other "
                         "documents; group the rows by column 1",
                         (int)(s->doc.len < 80 ? s->doc.len : 80),
                         s->doc.data);
        return err_add_option(err, rc, "group_by");
    }
    if (rc < 0)
        return rc;
    rc = buf_add(&in->label, s->doc.data, s->doc.len, err);
    return rc < 0 ? rc : add_term(in, s->term.data, s->term.len, err);
}

/* Store the first line of the next document in the state. */
static int read_ahead(struct triples_state *s, const struct triple *t,
                      struct cooc_err *err)
{
    int rc;

    s->doc.len = s->term.len = 0;
    rc = buf_add(&s->doc, t->doc.at, scan_left(&t->doc), err);
    if (rc == 0)
        rc = buf_add(&s->term, t->term.at, scan_left(&t->term), err);
    s->ahead = rc == 0;
    return rc;
}

static int begin_triples(struct input *in, struct cooc_err *err)
{
    struct triples_state *s = in->state;

    (void)err;
    s->ahead = false;
    return 0;
}

static int next_row(struct input *in, struct cooc_err *err)
{
    struct triple t;
    int rc = read_triple(in, &t, err);

    if (rc <= 0)
        return rc;
    rc = buf_add(&in->label, t.doc.at, scan_left(&t.doc), err);
    if (rc == 0)
        rc = add_term(in, t.term.at, scan_left(&t.term), err);
    input_label(in);
    return rc < 0 ? rc : 1;
}

static int next_triples(struct input *in, struct cooc_err *err)
{
    struct triples_state *s = in->state;
    struct triple t;
    int rc;

    if (in->options->group_by)
        return next_row(in, err);
    if (!s->ahead) {
        rc = read_triple(in, &t, err);
        if (rc <= 0)
            return rc;
        rc = read_ahead(s, &t, err);
        if (rc < 0)
            return rc;
    }
    rc = begin_document(s, in, err);
    s->ahead = false;
    while (rc == 0 && !s->ahead) {
        rc = read_triple(in, &t, err);
        if (rc <= 0)
            break;
        if (scan_left(&t.doc) == in->label.len &&
            (!in->label.len ||
             memcmp(in->label.data, t.doc.at, in->label.len) == 0))
            rc = add_term(in, t.term.at, scan_left(&t.term), err);
        else
            rc = read_ahead(s, &t, err);
    }
    if (rc < 0)
        return rc;
    input_label(in);
    return 1;
}

static void release_triples(void *state)
{
    struct triples_state *s = state;

    mem_free(s->seen);
    buf_release(&s->doc);
    buf_release(&s->term);
}

const struct format format_triples = {
    .name = "triples",
    .kind = KIND_TERMS,
    .uses = USE_GROUP | USE_FOLD,
    .cut = CUT_RUNS,
    .state_size = sizeof(struct triples_state),
    .begin = begin_triples,
    .next = next_triples,
    .release = release_triples,
};
