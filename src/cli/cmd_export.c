/* cmd_export.c - "cooc export": the counted pairs for other programs.
 *
 * tsv   term1 TAB term2 TAB count TAB df1 TAB df2, with that header
 * jsonl {"term1": ..., "term2": ..., "count": ..., "df1": ..., "df2": ...}
 * raw   the paper's form: for each row that has pairs, its term and their
 *       number, then (term, count) for each; all little-endian 32-bit
 *
 * A store has billions of pairs, so a TSV line is put together from pieces
 * made once for each term: its escaped name, and its df in digits.
 */
#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/fail.h"
#include "cli/number.h"
#include "cli/progress.h"
#include "cli/shared.h"
#include "cli/sink.h"
#include "cli/text.h"

/* Short pieces are copied in one go of PIECE bytes, whatever their length:
 * both sides have that much room. */
enum { PIECE = 16 };

struct piece {
    uint64_t at;      /* of "name\t" in the text */
    uint32_t len;
    uint8_t df_len;
    char df[11];      /* "\t" and the digits */
};

enum { TSV, JSONL, RAW };

struct export {
    int format;
    struct cooc *db;
    struct sink sink;
    uint32_t terms;       /* rows and terms below this */
    uint64_t min_count;
    uint64_t pairs;       /* written */
    struct piece *pieces; /* tsv: of every term */
    char *text;
    size_t text_len, text_room;
};

static int add_piece(struct export *e, uint32_t t, struct cooc_err *err)
{
    struct piece *p = &e->pieces[t];
    const char *name;
    uint64_t df;
    size_t len, need;
    int rc = cooc_term(e->db, t, &name, &len, err);

    if (rc == 0)
        rc = cooc_df(e->db, t, &df, err);
    if (rc < 0)
        return rc;
    if (len > SINK_ROOM / 8 || df > UINT32_MAX)
        return fail(err, COOC_ELIMIT, "term %u is too long", (unsigned)t);
    need = e->text_len + 2 * len + 1 + PIECE;
    if (need > e->text_room) {
        char *grown = realloc(e->text, 2 * need);

        if (!grown)
            return fail_nomem(err);
        e->text = grown;
        e->text_room = 2 * need;
    }
    p->at = e->text_len;
    p->len = (uint32_t)text_escape(e->text + p->at, name, len);
    e->text[p->at + p->len++] = '\t';
    e->text_len += p->len;
    p->df[0] = '\t';
    p->df_len = (uint8_t)(1 + write_u32(p->df + 1, (uint32_t)df));
    return 0;
}

/* The same for jsonl: names are JSON strings, nothing behind them. */
static int add_json_piece(struct export *e, FILE *text, uint32_t t,
                          struct cooc_err *err)
{
    struct piece *p = &e->pieces[t];
    const char *name;
    uint64_t df;
    size_t len;
    int rc = cooc_term(e->db, t, &name, &len, err);

    if (rc == 0)
        rc = cooc_df(e->db, t, &df, err);
    if (rc < 0)
        return rc;
    p->at = (uint64_t)ftello(text);
    text_json(text, name, len);
    p->len = (uint32_t)((uint64_t)ftello(text) - p->at);
    p->df_len = (uint8_t)write_u32(p->df, (uint32_t)df);
    return 0;
}

static int make_json_pieces(struct export *e, struct cooc_err *err)
{
    static const char slack[PIECE];
    FILE *text = open_memstream(&e->text, &e->text_len);
    int rc = text ? 0 : fail_nomem(err);

    for (uint32_t t = 0; t < e->terms && rc == 0; t++)
        rc = add_json_piece(e, text, t, err);
    if (text) {
        fwrite(slack, 1, sizeof slack, text);
        if (fclose(text) != 0 && rc == 0)
            rc = fail_nomem(err);
    }
    return rc;
}

static int make_pieces(struct export *e, struct cooc_err *err)
{
    int rc = 0;

    e->pieces = calloc((size_t)e->terms + 1, sizeof *e->pieces);
    if (!e->pieces)
        return fail_nomem(err);
    if (e->format == JSONL)
        return make_json_pieces(e, err);
    for (uint32_t t = 0; t < e->terms && rc == 0; t++)
        rc = add_piece(e, t, err);
    return rc;
}

static inline char *put(char *to, const char *from, size_t len)
{
    if (len <= PIECE)
        memcpy(to, from, PIECE);
    else
        memcpy(to, from, len);
    return to + len;
}

static int write_tsv_row(struct export *e, uint32_t t,
                         const struct cooc_entry *entries, size_t n,
                         struct cooc_err *err)
{
    const struct piece *row = &e->pieces[t];
    const char *row_name = e->text + row->at;

    for (size_t i = 0; i < n; i++) {
        const struct piece *s;
        size_t need;
        char *p;

        if (entries[i].count < e->min_count)
            continue;
        if (entries[i].term >= t)
            return fail(err, COOC_EFORMAT, "row %u holds term %u",
                        (unsigned)t, (unsigned)entries[i].term);
        s = &e->pieces[entries[i].term];
        need = (size_t)s->len + row->len + 64;
        if (need > SINK_ROOM - (size_t)(e->sink.p - e->sink.buf)) {
            int rc = sink_room(&e->sink, need, err);

            if (rc < 0)
                return rc;
        }
        p = put(e->sink.p, e->text + s->at, s->len);
        p = put(p, row_name, row->len);
        p += write_u32(p, entries[i].count);
        memcpy(p, s->df, sizeof s->df);
        p += s->df_len;
        memcpy(p, row->df, sizeof row->df);
        p += row->df_len;
        *p++ = '\n';
        e->sink.p = p;
        e->pairs++;
    }
    return 0;
}

static char *put_text(char *to, const char *text)
{
    return stpcpy(to, text);
}

static int write_json_row(struct export *e, uint32_t t,
                          const struct cooc_entry *entries, size_t n,
                          struct cooc_err *err)
{
    const struct piece *row = &e->pieces[t];

    for (size_t i = 0; i < n; i++) {
        const struct piece *s;
        char *p;
        int rc;

        if (entries[i].count < e->min_count)
            continue;
        if (entries[i].term >= t)
            return fail(err, COOC_EFORMAT, "row %u holds term %u",
                        (unsigned)t, (unsigned)entries[i].term);
        s = &e->pieces[entries[i].term];
        rc = sink_room(&e->sink, (size_t)s->len + row->len + 160, err);
        if (rc < 0)
            return rc;
        p = put_text(e->sink.p, "{\"term1\": ");
        p = put(p, e->text + s->at, s->len);
        p = put_text(p, ", \"term2\": ");
        p = put(p, e->text + row->at, row->len);
        p = put_text(p, ", \"count\": ");
        p += write_u32(p, entries[i].count);
        p = put_text(p, ", \"df1\": ");
        p = put(p, s->df, s->df_len);
        p = put_text(p, ", \"df2\": ");
        p = put(p, row->df, row->df_len);
        e->sink.p = put_text(p, "}\n");
        e->pairs++;
    }
    return 0;
}

#define RAW_AT_ONCE ((size_t)4096) /* pairs */

static char *put_le32(char *to, uint32_t v)
{
    v = htole32(v);
    memcpy(to, &v, sizeof v);
    return to + sizeof v;
}

static int write_raw_row(struct export *e, uint32_t t,
                         const struct cooc_entry *entries, size_t n,
                         struct cooc_err *err)
{
    uint32_t kept = e->min_count > 1 ? 0 : (uint32_t)n;
    int rc;

    for (size_t i = 0; e->min_count > 1 && i < n; i++)
        kept += entries[i].count >= e->min_count;
    if (!kept)
        return 0;
    rc = sink_room(&e->sink, 8, err);
    if (rc < 0)
        return rc;
    e->sink.p = put_le32(put_le32(e->sink.p, t), kept);
    for (size_t i = 0; i < n;) {
        size_t end = n - i < RAW_AT_ONCE ? n : i + RAW_AT_ONCE;
        char *p;

        rc = sink_room(&e->sink, RAW_AT_ONCE * 8, err);
        if (rc < 0)
            return rc;
        for (p = e->sink.p; i < end; i++) {
            put_le32(put_le32(p, entries[i].term), entries[i].count);
            p += entries[i].count >= e->min_count ? 8 : 0;
        }
        e->sink.p = p;
    }
    e->pairs += kept;
    return 0;
}

/* Feed every row below e->terms to write_row. */
static int write_rows(struct export *e, const struct cooc_info *info,
                      struct progress *progress, struct cooc_err *err)
{
    struct cooc_watch watch = progress_watch(progress);
    struct cooc_progress now = { .phase = "exporting", .unit = "pairs" };
    const struct cooc_entry *entries;
    struct cooc_rows *rows = NULL;
    uint32_t t;
    size_t n;
    int rc;

    now.total = e->terms == info->terms ? info->pairs : 0;
    rc = cooc_rows_open(&rows, e->db, 0, e->terms, err);
    while (rc >= 0 && (rc = cooc_rows_next(rows, &t, &entries, &n,
                                           err)) > 0) {
        if (t >= e->terms)
            rc = fail(err, COOC_EFORMAT, "there is no row %u", (unsigned)t);
        else if (e->format == TSV)
            rc = write_tsv_row(e, t, entries, n, err);
        else if (e->format == JSONL)
            rc = write_json_row(e, t, entries, n, err);
        else
            rc = write_raw_row(e, t, entries, n, err);
        now.done += n;
        if (rc >= 0 && t % 64 == 0 && watch.progress(watch.self, &now))
            rc = fail(err, COOC_ECANCELLED, "interrupted; nothing exported");
    }
    cooc_rows_close(rows);
    return rc;
}

static int export_store(struct export *e, const char *path,
                        uint32_t top_terms, struct progress *progress,
                        struct cooc_err *err)
{
    static const char header[] = "term1\tterm2\tcount\tdf1\tdf2\n";
    struct cooc_info info;
    int rc;

    rc = cooc_info(e->db, &info, err);
    if (rc < 0)
        return rc;
    if (!info.counted)
        return fail(err, COOC_ENOTCOUNTED, "no pairs");
    e->terms = (uint32_t)list_limit(top_terms, info.terms);
    if (e->format != RAW)
        rc = make_pieces(e, err);
    if (rc == 0)
        rc = sink_open(&e->sink, path, err);
    if (rc == 0 && e->format == TSV)
        e->sink.p = put(e->sink.p, header, sizeof header - 1);
    if (rc == 0)
        rc = write_rows(e, &info, progress, err);
    if (rc == 0)
        rc = sink_commit(&e->sink, err);
    return rc;
}

static void report(const struct export *e, const char *path, double seconds)
{
    struct out out;

    out_init(&out, stdout, out_form(e->format == JSONL));
    out_open(&out);
    out_text(&out, "file", path);
    out_count(&out, "pairs", e->pairs);
    out_count(&out, "bytes", e->sink.written);
    out_real(&out, "seconds", seconds, 2);
    out_close(&out);
}

static void export_release(struct export *e)
{
    sink_release(&e->sink);
    free(e->pieces);
    free(e->text);
    cooc_close(e->db);
}

/* Open the store, export, report; e is released in any case. */
static int export_to(struct export *e, const char *store, const char *path,
                     uint32_t top_terms, bool quiet, struct cooc_err *err)
{
    bool to_stdout = !path || !strcmp(path, "-");
    bool to_terminal = to_stdout && isatty(STDOUT_FILENO);
    double start = seconds_now();
    struct progress progress;
    int rc;

    if (to_terminal && e->format == RAW)
        return fail(err, COOC_EINVAL, "raw pairs are not for a terminal; "
                    "add -o FILE or a pipe");
    progress_init(&progress, quiet || to_terminal);
    rc = cooc_open(&e->db, store, err);
    if (rc == 0)
        rc = export_store(e, path, top_terms, &progress, err);
    progress_clear(&progress);
    if (rc == 0 && !to_stdout && !quiet)
        report(e, path, seconds_now() - start);
    rc = hint_count(rc, store, err);
    export_release(e);
    return rc;
}

static int run_export(int argc, char **argv, struct cooc_err *err)
{
    static const char *const formats[] = { "tsv", "jsonl", "raw", NULL };
    const char *format = formats[0], *path = NULL;
    struct export e = { .sink.fd = -1, .min_count = 1 };
    uint32_t top_terms = 0;
    bool quiet = false, json = false;
    const struct opt opts[] = {
        OPT_NAME(0, "format", &format, "FORMAT", NULL, formats, "write"),
        OPT_U64(0, "min-count", &e.min_count, "K", NULL,
                "only pairs that meet in K documents or more"),
        OPT_U32(0, "top-terms", &top_terms, "N", "all",
                "only pairs among the N most frequent terms"),
        OPT_TEXT('o', "output", &path, "FILE", "standard output",
                 "write FILE"),
        OPT_FLAG('q', "quiet", &quiet, "no progress, no report"),
        OPT_FLAG(0, "json", &json, "the same as --format jsonl"),
        OPT_END
    };
    int rc = opt_parse(&argc, &argv, opts, &cmd_export, 1, 1, err);

    if (rc)
        return rc;
    while (formats[e.format] != format)
        e.format++;
    if (json)
        e.format = JSONL;
    return export_to(&e, argv[0], path, top_terms, quiet, err);
}

const struct cmd cmd_export = {
    .name = "export", .group = CMD_KEEP,
    .args = "[options] NAME.cooc",
    .summary = "write the counted pairs for other programs",
    .details = "tsv has the columns term1, term2, count, df1 and df2; term1 "
               "is the more frequent of the two; \\t, \\n, \\r and \\\\ stand "
               "for tab, newline, return and backslash in a term.  jsonl has "
               "the same as an object a line.  raw has, "
               "for each term with pairs, its id, the number of its "
               "partners, and their ids and counts, as little-endian 32-bit "
               "numbers.",
    .examples = "cooc export news.cooc --min-count 5 | zstd > pairs.tsv.zst\n"
                "cooc export news.cooc --top-terms 10000 -o pairs.tsv\n"
                "cooc export news.cooc --format raw -o pairs.bin\n",
    .run = run_export,
};
