/* fmt_ciff.c - inverted indexes in the Common Index File Format (ciff.h).
 *
 *     header       2 posting lists, 3 documents
 *     apple  2     0:7 +2:1        document 0 seven times, document 2 once
 *     pear   1     0:1
 *     0 d1  8      document 0 is named d1 and has 8 words
 *     1 d2  0
 *     2 d3  1
 *
 * All posting lists are read before the first document is returned, and
 * transposed (transpose.h).  Document records follow in the order of their
 * numbers, so each is read when its document is returned, and names need no
 * memory.
 *
 * Terms must be distinct.  While they are in byte order, as most programs write
 * them, a comparison with the term before shows that.  Otherwise, all terms
 * must be known, so they are remembered as long as they fit in a sixteenth of
 * the job's memory; after that, they must be in byte order.
 *
 * A term frequency of 0 means that the term is absent.  Lengths and collection
 * frequencies are not used.
 */
#include <string.h>

#include "base/bytes.h"
#include "base/dict.h"
#include "base/err.h"
#include "cooc.h"
#include "read/ciff.h"
#include "read/format.h"
#include "read/group.h"
#include "read/input.h"
#include "read/recode.h"
#include "read/transpose.h"
#include "read/wire.h"

struct ciff_state {
    struct wire wire;
    struct transposer *by_doc;
    bool inverted;            /* all posting lists have been read */
    uint32_t lists, docs;     /* from the header */
    uint32_t doc;             /* number of the next document */
    uint64_t postings, zeros; /* all, and those with a frequency of 0 */
    uint64_t room;            /* bytes of remembered terms */
    struct dict *terms;       /* all terms so far; NULL: not remembered */
    bool ordered;             /* terms have been in byte order so far */
    struct buf term, before;  /* this list's and the last list's */
};

/* The posting list that is being read. */
struct list {
    uint64_t df, n; /* as it says, and as it is */
    uint64_t doc;   /* the last one */
};

static void release_ciff(void *state)
{
    struct ciff_state *s = state;

    transposer_free(s->by_doc);
    dict_free(s->terms);
    buf_release(&s->term);
    buf_release(&s->before);
    *s = (struct ciff_state){ 0 };
}

static int begin_ciff(struct input *in, struct cooc_err *err)
{
    struct group_options o = group_options_of(in, KIND_TERMS);
    const char *encoding = in->options->encoding;
    struct ciff_state *s = in->state;
    int rc;

    if (encoding && !encoding_is_utf8(encoding))
        return err_path_option(err, COOC_EINVAL, in->name, "encoding",
                               "is in the format ciff, which is always in "
                               "UTF-8; leave the encoding out");
    release_ciff(s);
    wire_init(&s->wire, in);
    s->ordered = true;
    s->room = o.memory / 16;
    o.numbered = in->name;
    rc = dict_new(&s->terms, err);
    return rc < 0 ? rc : transposer_new(&s->by_doc, &o, err);
}

/* Take an integer that must not be negative and fit into 31 bits. */
static int number(struct wire *w, const struct wire_field *f, const char *name,
                  uint32_t *v, struct cooc_err *err)
{
    if (f->value > CIFF_MAX)
        return wire_wrong(w, err, "its %s is %lld, not a number from 0 to %d",
                          name, (long long)f->value, CIFF_MAX);
    *v = (uint32_t)f->value;
    return 0;
}

/* The file ends before this message. */
static int missing(struct wire *w, uint32_t n, struct cooc_err *err)
{
    return wire_wrong(w, err,
                      "it is missing; the header says that there are "
                      "%u; the file may be truncated",
                      n);
}

static int read_header(struct ciff_state *s, struct cooc_err *err)
{
    struct wire *w = &s->wire;
    struct wire_field f;
    uint32_t version = 0;
    int rc = wire_message(w, err);

    if (rc <= 0)
        return rc < 0 ? rc : wire_wrong(w, err, "the file is empty");
    while ((rc = wire_field(w, &f, err)) > 0) {
        if (f.tag == CIFF_VERSION)
            rc = number(w, &f, "version", &version, err);
        else if (f.tag == CIFF_LISTS)
            rc = number(w, &f, "number of posting lists", &s->lists, err);
        else if (f.tag == CIFF_DOCS)
            rc = number(w, &f, "number of documents", &s->docs, err);
        if (rc < 0)
            return rc;
    }
    if (rc == 0 && version != CIFF_VERSION_READ)
        rc = wire_wrong(w, err,
                        "the version of CIFF is %u; only version %d is "
                        "supported",
                        version, CIFF_VERSION_READ);
    return rc;
}

/* ---- posting lists ------------------------------------------------------ */

/* Check that the term is not that of an earlier list. */
static int check_distinct(struct ciff_state *s, struct cooc_err *err)
{
    struct wire *w = &s->wire;
    bool first = w->number == 1, again;
    int order = first ? -1
                      : bytes_compare(s->before.data, s->before.len,
                                      s->term.data, s->term.len);

    again = order == 0;
    s->ordered = s->ordered && order < 0;
    if (s->terms) {
        uint32_t n = dict_size(s->terms), id;
        int rc = dict_add(s->terms, s->term.data, s->term.len, &id, err);

        if (rc < 0)
            return rc;
        again = id < n;
    }
    if (again)
        return wire_wrong(w, err, "an earlier list has the same term '%.*s'",
                          (int)(s->term.len < 80 ? s->term.len : 80),
                          s->term.data);
    if (s->terms && dict_memory(s->terms) > s->room && s->ordered) {
        dict_free(s->terms);
        s->terms = NULL;
    }
    if (!s->ordered && (!s->terms || dict_memory(s->terms) > s->room))
        return err_add_option(
            err,
            wire_wrong(w, err,
                       "the terms are not in byte order, and there are "
                       "too many to find repeated ones in memory; sort "
                       "the lists by term, or allow more memory"),
            "memory");
    return 0;
}

static int read_term(struct ciff_state *s, const struct list *l,
                     struct cooc_err *err)
{
    struct wire *w = &s->wire;
    int rc;

    if (s->term.len)
        return wire_wrong(w, err, "it has two terms");
    if (l->n)
        return wire_wrong(w, err, "its term is after its postings");
    rc = wire_bytes(w, "term", DICT_TERM_MAX, &s->term, err);
    if (rc < 0 || !s->term.len)
        return rc;
    if (memchr(s->term.data, '\n', s->term.len))
        return wire_wrong(w, err, "its term contains a line break");
    rc = check_distinct(s, err);
    return rc < 0 ? rc
                  : transposer_list(s->by_doc, s->term.data, s->term.len, err);
}

static int no_term(struct wire *w, struct cooc_err *err)
{
    return wire_wrong(w, err, "its term is missing or empty");
}

static int read_posting(struct ciff_state *s, struct list *l,
                        struct cooc_err *err)
{
    struct wire *w = &s->wire;
    uint64_t rest = wire_enter(w);
    uint32_t gap = 0, tf = 0;
    struct wire_field f;
    int rc;

    while ((rc = wire_field(w, &f, err)) > 0) {
        if (f.tag == CIFF_GAP)
            rc = number(w, &f, "difference of documents", &gap, err);
        else if (f.tag == CIFF_TF)
            rc = number(w, &f, "term frequency", &tf, err);
        if (rc < 0)
            return rc;
    }
    if (rc < 0)
        return rc;
    wire_leave(w, rest);
    if (l->n && !gap)
        return wire_wrong(w, err, "document %llu is in it twice",
                          (unsigned long long)l->doc);
    l->doc += gap;
    l->n++;
    if (l->doc >= s->docs)
        return wire_wrong(w, err,
                          "document %llu is out of range (number of "
                          "documents: %u, counted from 0)",
                          (unsigned long long)l->doc, s->docs);
    s->postings++;
    s->zeros += !tf;
    return tf ? transposer_add(s->by_doc, (uint32_t)l->doc, err) : 0;
}

static int read_list(struct ciff_state *s, struct cooc_err *err)
{
    struct wire *w = &s->wire;
    struct buf swap = s->before;
    struct list l = { 0 };
    struct wire_field f;
    int rc = wire_message(w, err);

    s->before = s->term;
    s->term = swap;
    s->term.len = 0;
    if (rc <= 0)
        return rc < 0 ? rc : missing(w, s->lists, err);
    while ((rc = wire_field(w, &f, err)) > 0) {
        if (f.tag == CIFF_TERM)
            rc = read_term(s, &l, err);
        else if (f.tag == CIFF_DF)
            l.df = f.value;
        else if (f.tag == CIFF_POSTING)
            rc = s->term.len ? read_posting(s, &l, err) : no_term(w, err);
        if (rc < 0)
            return rc;
    }
    if (rc == 0 && !s->term.len)
        rc = no_term(w, err);
    if (rc == 0 && l.df != l.n)
        rc = wire_wrong(w, err, "its df is %lld, but it has %llu postings",
                        (long long)l.df, (unsigned long long)l.n);
    return rc;
}

/* Read the header and all posting lists. */
static int read_lists(struct ciff_state *s, struct input *in,
                      struct cooc_err *err)
{
    struct wire *w = &s->wire;
    int rc = read_header(s, err);

    w->what = "posting list";
    while (rc == 0 && w->number < s->lists) {
        w->number++;
        rc = read_list(s, err);
    }
    w->what = NULL;
    if (rc == 0 && s->postings && s->zeros == s->postings)
        rc = wire_wrong(w, err,
                        "every term frequency is 0, so every term would be "
                        "absent; write the file with frequencies");
    dict_free(s->terms);
    s->terms = NULL;
    if (rc == 0)
        rc = transposer_finish(s->by_doc, err);
    in->stats->spilled += transposer_spilled(s->by_doc);
    s->inverted = rc == 0;
    return rc;
}

/* ---- documents ---------------------------------------------------------- */

static int read_record(struct ciff_state *s, struct input *in,
                       struct cooc_err *err)
{
    struct wire *w = &s->wire;
    struct wire_field f;
    uint32_t doc = 0;
    int rc = wire_message(w, err);

    if (rc <= 0)
        return rc < 0 ? rc : missing(w, s->docs, err);
    while ((rc = wire_field(w, &f, err)) > 0) {
        if (f.tag == CIFF_DOC) {
            rc = number(w, &f, "number", &doc, err);
        } else if (f.tag == CIFF_DOC_NAME) {
            in->label.len = 0;
            rc = wire_bytes(w, "name", in->text.max, &in->label, err);
        }
        if (rc < 0)
            return rc;
    }
    if (rc == 0 && doc != s->doc)
        rc = wire_wrong(w, err,
                        "its record has the number %u; records must be in the "
                        "order of their numbers",
                        doc);
    return rc;
}

/* After the last document. */
static int at_end(struct ciff_state *s, struct cooc_err *err)
{
    int rc;

    transposer_free(s->by_doc);
    s->by_doc = NULL;
    s->wire.what = NULL;
    rc = wire_more(&s->wire, err);
    return rc > 0 ? wire_wrong(&s->wire, err, "bytes follow the last document")
                  : rc;
}

static int next_ciff(struct input *in, struct cooc_err *err)
{
    struct ciff_state *s = in->state;
    struct wire *w = &s->wire;
    int rc = s->inverted ? 0 : read_lists(s, in, err);

    if (rc < 0)
        return rc;
    if (s->doc == s->docs)
        return at_end(s, err);
    w->what = "document";
    w->number = s->doc;
    rc = read_record(s, in, err);
    if (rc == 0 && !in->label.len)
        rc = buf_printf(&in->label, err, "%u", s->doc);
    if (rc == 0)
        rc = transposer_doc(s->by_doc, s->doc, &in->doc.text, &in->doc.text_len,
                            err);
    input_label(in);
    s->doc++;
    return rc < 0 ? rc : 1;
}

const struct format format_ciff = {
    .name = "ciff",
    .kind = KIND_TERMS,
    .uses = USE_FOLD,
    .is_raw = true,
    .state_size = sizeof(struct ciff_state),
    .begin = begin_ciff,
    .next = next_ciff,
    .release = release_ciff,
};
