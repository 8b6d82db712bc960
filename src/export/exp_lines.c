/* exp_lines.c - one pair per line: tsv, csv, jsonl.
 *
 *     tsv    term1 TAB term2 TAB count TAB df1 TAB df2 [TAB score]
 *     csv    the same with commas, quoted according to RFC 4180
 *     jsonl  {"term1": ..., "term2": ..., "count": ..., "df1": ..., ...}
 *
 * A store has billions of pairs, so a line is assembled from pieces that are
 * prepared once per term: its escaped name and its df in digits.
 */
#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/decimal.h"
#include "base/err.h"
#include "base/mem.h"
#include "export/export.h"

/* Short pieces are copied as PIECE bytes regardless of their length; source and
 * target have that much room.  REST is more than the length of a line without
 * the names of its terms; a line with its names fits into an output. */
enum { PIECE = 16, AHEAD = 8, REST = 260 };

struct piece {
    uint64_t at;   /* offset of the name in the text */
    uint32_t len;
    uint8_t df_len;
    char df[11];   /* a separator and the digits */
};

struct lines {
    struct piece *pieces; /* one per term */
    struct buf text;
    char separator;       /* of columns; NUL for JSON */
};

static int add_piece(const struct export_job *j, enum label kind, uint32_t id,
                     struct cooc_err *err)
{
    struct lines *l = j->state;
    struct piece *p = &l->pieces[id];
    uint64_t df = selection_df(&j->sel, id);
    int rc;

    *p = (struct piece){ .at = l->text.len };
    rc = export_label(j, id, kind, &l->text, err);
    if (rc == 0 && l->separator)
        rc = buf_byte(&l->text, l->separator, err);
    if (rc < 0)
        return rc;
    if (l->text.len - p->at > OUTPUT_ROOM / 4 || df > UINT32_MAX)
        return err_option(err, COOC_ELIMIT, "terms",
                          "a term has %zu bytes in this format; at most %zu "
                          "are supported; select terms without it",
                          l->text.len - p->at, OUTPUT_ROOM / 4);
    p->len = (uint32_t)(l->text.len - p->at);
    if (l->separator)
        p->df[p->df_len++] = l->separator;
    p->df_len += (uint8_t)decimal_u64(p->df + p->df_len, (uint32_t)df);
    return 0;
}

static int write_header(struct export_job *j, char c, struct cooc_err *err)
{
    int rc = sink_printf(&j->main, err, "term1%cterm2%ccount%cdf1%cdf2", c, c,
                         c, c);

    if (rc == 0 && !j->sel.plain_count)
        rc = sink_printf(&j->main, err, "%c%s", c, export_measure(j));
    return rc == 0 ? sink_text(&j->main, "\n", err) : rc;
}

static int begin(struct export_job *j, struct cooc_err *err)
{
    struct lines *l = j->state;
    enum label kind = j->format == &export_tsv   ? LABEL_TSV
                      : j->format == &export_csv ? LABEL_CSV
                                                 : LABEL_JSON;
    int rc = 0;

    if (kind != LABEL_JSON) {
        l->separator = kind == LABEL_CSV ? ',' : '\t';
        rc = write_header(j, l->separator, err);
    }
    /* One more element, because the copy of the last df may reach into it. */
    l->pieces = mem_array((size_t)j->sel.n + 1, sizeof *l->pieces);
    if (!l->pieces)
        return err_nomem(err);
    for (uint32_t id = 0; id < j->sel.n && rc == 0; id++)
        rc = add_piece(j, kind, id, err);
    return rc == 0 ? buf_reserve(&l->text, PIECE, err) : rc;
}

static inline char *put(char *to, const char *from, size_t len)
{
    if (len <= PIECE)
        memcpy(to, from, PIECE);
    else
        memcpy(to, from, len);
    return to + len;
}

/* Write a score; JSON has no infinity. */
static char *put_score(char *p, double score, bool json)
{
    return json && !isfinite(score) ? stpcpy(p, "null")
                                    : p + decimal_real(p, score);
}

/* Write the lines of a row. term1 is the term of the entry, which is the more
 * frequent one unless rows are symmetric.  Inlining it for each case and
 * keeping p in a register saves a tenth of the time. */
static inline int put_lines(const struct export_job *j,
                            const struct export_row *row, struct output *to,
                            bool symmetric, bool scores, bool json,
                            struct cooc_err *err)
{
    const struct lines *l = j->state;
    const struct piece *pieces = l->pieces, *here = &pieces[row->id];
    const char *text = l->text.data;
    char *p = to->p[0];

    for (size_t i = 0; i < row->n; i++) {
        const struct piece *there = &pieces[row->entries[i].term];
        const struct piece *one = symmetric ? here : there;
        const struct piece *two = symmetric ? there : here;
        size_t need = (size_t)one->len + two->len + REST;

        if (i + 2 * AHEAD < row->n) { /* names are scattered in memory */
            __builtin_prefetch(&pieces[row->entries[i + 2 * AHEAD].term]);
            __builtin_prefetch(
                text + pieces[row->entries[i + AHEAD].term].at);
        }
        if (need > OUTPUT_ROOM - (size_t)(p - to->buf[0])) {
            int rc;

            to->p[0] = p;
            rc = output_pass(to, err);
            if (rc < 0)
                return rc;
            p = to->p[0];
        }
        p = json ? stpcpy(p, "{\"term1\": ") : p;
        p = put(p, text + one->at, one->len);
        p = json ? stpcpy(p, ", \"term2\": ") : p;
        p = put(p, text + two->at, two->len);
        p = json ? stpcpy(p, ", \"count\": ") : p;
        p += decimal_u64(p, row->entries[i].count);
        p = json ? stpcpy(p, ", \"df1\": ") : p;
        memcpy(p, one->df, sizeof one->df);
        p += one->df_len;
        p = json ? stpcpy(p, ", \"df2\": ") : p;
        memcpy(p, two->df, sizeof two->df);
        p += two->df_len;
        if (scores && json)
            p = stpcpy(stpcpy(stpcpy(p, ", \""), export_measure(j)), "\": ");
        else if (scores)
            *p++ = l->separator;
        if (scores)
            p = put_score(p, row->scores[i], json);
        if (json)
            *p++ = '}';
        *p++ = '\n';
    }
    to->p[0] = p;
    return 0;
}

static int format_row(void *self, const struct export_row *row,
                      struct output *to, struct cooc_err *err)
{
    const struct export_job *j = self;
    const struct lines *l = j->state;

    if (!l->separator)
        return put_lines(j, row, to, j->symmetric, row->scores, true, err);
    if (row->scores)
        return put_lines(j, row, to, j->symmetric, true, false, err);
    return j->symmetric ? put_lines(j, row, to, true, false, false, err)
                        : put_lines(j, row, to, false, false, false, err);
}

static void release(struct export_job *j)
{
    struct lines *l = j->state;

    mem_free(l->pieces);
    buf_release(&l->text);
}

#define LINES_FORMAT(lines_name, about)                               \
    const struct exporter export_##lines_name = {                     \
        .name = #lines_name, .summary = about,                        \
        .flags = EXPORT_TO_PIPE | EXPORT_EITHER | EXPORT_ANY_ORDER,   \
        .state_size = sizeof(struct lines),                           \
        .begin = begin, .format = format_row, .streams = 1,           \
        .release = release,                                           \
    };

LINES_FORMAT(tsv, "a pair a line, tab-separated")
LINES_FORMAT(csv, "the same, comma-separated")
LINES_FORMAT(jsonl, "a pair a line, as a JSON object")
