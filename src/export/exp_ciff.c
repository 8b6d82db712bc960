/* exp_ciff.c - the documents as an inverted index in the Common Index File
 * Format (read/ciff.h), for Lucene, PISA, Terrier and other search engines.
 *
 * Posting lists are in byte order of their terms, as in Lucene.  Terms are
 * those of the store, so they are stems if it has stems.  A store has sets of
 * terms, so every term frequency is 1, and the length of a document is its
 * number of distinct terms; lengths and totals are those of the whole store,
 * even if only some terms are written.
 *
 * The length of a message precedes it, so each list is walked twice: to add up
 * the sizes of its postings, and to write them.
 *
 * Cost       A few bytes per posting; lists are read in byte order of the
 * terms, which is not their order in the file. Memory     One name or term.
 * Threads    One.
 */
#include <string.h>

#include "base/buf.h"
#include "base/bytes.h"
#include "base/err.h"
#include "base/utf8.h"
#include "export/export.h"
#include "read/ciff.h"

/* Bytes of the longest number with its tag. */
#define NUMBER_MAX_BYTES (1 + VARINT_MAX)
#define POSTING_MAX_BYTES (2 + 2 * NUMBER_MAX_BYTES)
/* Postings and documents between two reports of progress. */
#define WATCH_AFTER 65536u

#define DESCRIPTION                                                          \
    "Written by cooc " COOC_VERSION ". A document is a set of terms: every " \
    "term frequency is 1, and doclength is the number of distinct terms."

struct ciff {
    struct export_job *job;
    const struct collection *docs;
    struct sink *to;
    struct watch *watch;
    struct buf text;    /* a term or a name, as valid UTF-8 */
    uint64_t unwatched; /* postings and documents since the last report */
};

/* ---- fields ------------------------------------------------------------- */

static uint64_t varint_size(uint64_t v)
{
    return (bit_length(v | 1) + 6) / 7;
}

static uint64_t number_size(uint64_t v)
{
    return v ? 1 + varint_size(v) : 0;
}

static uint64_t text_size(const struct buf *text)
{
    return text->len ? 1 + varint_size(text->len) + text->len : 0;
}

static uint8_t *put_number(uint8_t *p, unsigned tag, uint64_t v)
{
    if (!v)
        return p;
    *p++ = (uint8_t)tag;
    return put_varint(p, v);
}

static int add_varint(struct sink *to, uint64_t v, struct cooc_err *err)
{
    int rc = sink_room(to, VARINT_MAX, err);

    if (rc == 0)
        to->p = (char *)put_varint((uint8_t *)to->p, v);
    return rc;
}

static int add_number(struct sink *to, unsigned tag, uint64_t v,
                      struct cooc_err *err)
{
    int rc = sink_room(to, NUMBER_MAX_BYTES, err);

    if (rc == 0)
        to->p = (char *)put_number((uint8_t *)to->p, tag, v);
    return rc;
}

static int add_text(struct sink *to, unsigned tag, const struct buf *text,
                    struct cooc_err *err)
{
    int rc = text->len ? add_number(to, tag, text->len, err) : 0;

    return rc < 0 ? rc : sink_add(to, text->data, text->len, err);
}

/* Protocol Buffers do not allow invalid UTF-8, which names of files may be. */
static int set_text(struct ciff *c, const char *text, size_t len,
                    struct cooc_err *err)
{
    uint64_t ignored = 0;

    c->text.len = 0;
    return utf8_repair(text, len, &c->text, &ignored, err);
}

static int progress(struct ciff *c, uint64_t n, struct cooc_err *err)
{
    uint64_t done = c->unwatched + n;

    c->unwatched = done < WATCH_AFTER ? done : 0;
    return done < WATCH_AFTER ? 0 : watch_add(c->watch, done, 0, 0, err);
}

/* ---- messages ----------------------------------------------------------- */

static int write_header(struct ciff *c, struct cooc_err *err)
{
    const struct collection *docs = c->docs;
    const uint64_t numbers[][2] = {
        { CIFF_VERSION, CIFF_VERSION_READ },
        { CIFF_LISTS, c->job->sel.n },
        { CIFF_DOCS, docs->n_docs },
        { CIFF_TOTAL_LISTS, docs->n_terms },
        { CIFF_TOTAL_DOCS, docs->n_docs },
        { CIFF_TOTAL_TERMS, docs->n_postings },
    };
    enum { NUMBERS = sizeof numbers / sizeof *numbers };
    double average = docs->n_docs ? (double)docs->n_postings / docs->n_docs : 0;
    uint8_t fixed[1 + sizeof average] = { CIFF_AVERAGE_LENGTH };
    uint64_t bits, size;
    int rc = set_text(c, DESCRIPTION, strlen(DESCRIPTION), err);

    memcpy(&bits, &average, sizeof bits);
    put_le64(fixed + 1, bits);
    size = text_size(&c->text) + (average > 0 ? sizeof fixed : 0);
    for (size_t i = 0; i < NUMBERS; i++)
        size += number_size(numbers[i][1]);
    if (rc == 0)
        rc = add_varint(c->to, size, err);
    for (size_t i = 0; i < NUMBERS && rc == 0; i++)
        rc = add_number(c->to, (unsigned)numbers[i][0], numbers[i][1], err);
    if (rc == 0 && average > 0)
        rc = sink_add(c->to, fixed, sizeof fixed, err);
    return rc < 0 ? rc : add_text(c->to, CIFF_DESCRIPTION, &c->text, err);
}

/* Number of bytes of a posting, without its tag and its length. */
static uint64_t posting_size(uint32_t gap)
{
    return number_size(gap) + number_size(1);
}

static int write_postings(struct ciff *c, const uint32_t *docs, uint64_t n,
                          struct cooc_err *err)
{
    uint32_t last = 0;
    int rc = 0;

    for (uint64_t i = 0; i < n && rc == 0; i++) {
        uint32_t gap = docs[i] - last;
        uint8_t *p;

        rc = sink_room(c->to, POSTING_MAX_BYTES, err);
        if (rc < 0)
            break;
        p = (uint8_t *)c->to->p;
        *p++ = CIFF_POSTING;
        *p++ = (uint8_t)posting_size(gap);
        p = put_number(p, CIFF_GAP, gap);
        c->to->p = (char *)put_number(p, CIFF_TF, 1);
        last = docs[i];
    }
    return rc;
}

static int write_list(struct ciff *c, uint32_t term, struct cooc_err *err)
{
    const uint32_t *docs;
    const char *name;
    uint64_t n = 0, size;
    uint32_t last = 0;
    size_t len;
    int rc = collection_term(c->docs, term, &name, &len, err);

    if (rc == 0)
        rc = set_text(c, name, len, err);
    if (rc == 0)
        rc = collection_term_docs(c->docs, term, &docs, &n, err);
    if (rc < 0)
        return rc;
    size = text_size(&c->text) + 2 * number_size(n);
    for (uint64_t i = 0; i < n; i++) {
        size += 2 + posting_size(docs[i] - last);
        last = docs[i];
    }
    if (size > CIFF_MAX)
        return err_set(err, COOC_ELIMIT,
                       "the posting list of '%.*s' is larger than 2 GiB, the "
                       "limit of CIFF; index without this term",
                       (int)(len < 80 ? len : 80), name);
    rc = add_varint(c->to, size, err);
    if (rc == 0)
        rc = add_text(c->to, CIFF_TERM, &c->text, err);
    if (rc == 0)
        rc = add_number(c->to, CIFF_DF, n, err);
    if (rc == 0)
        rc = add_number(c->to, CIFF_CF, n, err);
    if (rc == 0)
        rc = write_postings(c, docs, n, err);
    c->job->written += n;
    return rc < 0 ? rc : progress(c, n, err);
}

static int write_record(struct ciff *c, uint32_t doc, struct cooc_err *err)
{
    const char *name;
    uint64_t length = 0;
    size_t len;
    int rc = collection_doc_name(c->docs, doc, &name, &len, err);

    if (rc == 0)
        rc = set_text(c, name, len, err);
    if (rc == 0)
        rc = collection_doc_length(c->docs, doc, &length, err);
    if (rc == 0)
        rc = add_varint(
            c->to, number_size(doc) + text_size(&c->text) + number_size(length),
            err);
    if (rc == 0)
        rc = add_number(c->to, CIFF_DOC, doc, err);
    if (rc == 0)
        rc = add_text(c->to, CIFF_DOC_NAME, &c->text, err);
    if (rc == 0)
        rc = add_number(c->to, CIFF_DOC_LENGTH, length, err);
    c->job->documents++;
    return rc < 0 ? rc : progress(c, 1, err);
}

/* ---- the file ----------------------------------------------------------- */

static int check_limits(const struct collection *docs, struct cooc_err *err)
{
    if (docs->n_docs <= CIFF_MAX && docs->n_terms <= CIFF_MAX)
        return 0;
    return err_set(err, COOC_ELIMIT,
                   "the store has %u documents and %u terms; CIFF is limited "
                   "to %d of each",
                   docs->n_docs, docs->n_terms, CIFF_MAX);
}

/* Write the lists of the selected terms. */
static int write_lists(struct ciff *c, struct cooc_err *err)
{
    const struct selection *sel = &c->job->sel;
    uint32_t id, lists = 0;
    int rc = 0;

    for (uint32_t at = 0; at < c->docs->n_terms && rc == 0; at++) {
        rc = collection_sorted(c->docs, at, &id, err);
        if (rc < 0 || selection_new_id(sel, id) >= sel->n)
            continue;
        rc = write_list(c, id, err);
        lists++;
    }
    if (rc == 0 && lists != sel->n)
        rc = err_path(err, COOC_EFORMAT,
                      checked_file_path(c->docs->files[FILE_TERMS_SORT]),
                      "is damaged: it does not contain each term once");
    return rc;
}

static int write(struct export_job *j, struct cooc_err *err)
{
    struct ciff c = { .job = j,
                      .docs = &j->sel.db->store.docs,
                      .to = &j->main,
                      .watch = j->sel.watch };
    bool all = j->sel.n == c.docs->n_terms;
    int rc = check_limits(c.docs, err);

    watch_phase(c.watch, "exporting", "postings",
                all ? c.docs->n_postings + c.docs->n_docs : 0);
    if (rc == 0)
        rc = write_header(&c, err);
    if (rc == 0)
        rc = write_lists(&c, err);
    for (uint32_t doc = 0; doc < c.docs->n_docs && rc == 0; doc++)
        rc = write_record(&c, doc, err);
    buf_release(&c.text);
    return rc;
}

const struct exporter export_ciff = {
    .name = "ciff",
    .summary = "an inverted index for Lucene, PISA or Terrier",
    .flags = EXPORT_TO_PIPE,
    .write = write,
};
