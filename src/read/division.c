/* division.c - list the files of all inputs, then find where a share begins and
 * ends.
 *
 *     list      every input: its format, and its files in reading order
 *     place     boundary k of n is at k/n of the total size
 *     adjust    to the beginning of a line, a document or a file
 *
 * A file weighs its size and FILE_WEIGHT bytes for opening it.
 *
 * Cost.  The beginning of each input is read to determine its format, unless
 * the user named one; of the files, only the two at the boundaries are read.
 */
#include "read/division.h"

#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/watch.h"
#include "base/workdir.h"
#include "cooc_build.h"
#include "read/encoding.h"
#include "read/entry_text.h"
#include "read/format.h"
#include "read/magic.h"
#include "read/read.h"
#include "read/reading.h"
#include "read/scan.h"
#include "read/stream.h"
#include "read/walk.h"

#define FILE_WEIGHT 2048u

struct dividing {
    struct division *d;
    const struct cooc_index_options *o;
    struct watch *watch;
    bool many_texts;        /* see struct sample */
    bool distinct, others;  /* formats with distinct names; other formats */
};

/* ---- list --------------------------------------------------------------- */

/* Hashes are chained, because there may be any number of files. */
static void mix(struct division *d, const void *data, size_t len)
{
    d->inputs = XXH3_64bits_withSeed(data, len, d->inputs);
}

static void mix_text(struct division *d, const char *text)
{
    mix(d, text ? text : "", text ? strlen(text) + 1 : 0);
}

static int add_file(struct dividing *g, const char *path, uint64_t size,
                    struct cooc_err *err)
{
    struct division *d = g->d;
    int rc = array_grow(&d->files, &d->cap, d->n + 1, sizeof *d->files, err);

    if (rc < 0)
        return rc;
    d->files[d->n] = (struct share_file){ .path = mem_dup(path, strlen(path)),
                                          .size = size, .to = UINT64_MAX };
    if (!d->files[d->n].path)
        return err_nomem(err);
    d->n++;
    mix_text(d, path);
    mix(d, &size, sizeof size);
    return watch_add(g->watch, 1, 0, 0, err);
}

static int add_folder(struct dividing *g, const char *dir,
                      struct cooc_err *err)
{
    struct reader_stats stats = { 0 };
    size_t first = g->d->n;
    struct walk *walk;
    const char *path;
    struct stat st;
    int rc = walk_open(&walk, dir, &stats,
                       g->o->part == 1 ? g->watch : NULL, err);

    while (rc == 0 && (rc = walk_next(walk, &path, err)) > 0)
        rc = workdir_stat(path, &st) < 0
                 ? err_sys(err, "cannot open", path)
                 : add_file(g, path, (uint64_t)st.st_size, err);
    walk_close(walk);
    for (size_t i = first; i < g->d->n; i++)
        g->d->files[i].found = true;
    g->d->skipped += stats.skipped;
    g->d->stores += stats.stores;
    return rc;
}

/* Set *f to the format of an input or, if it cannot be read, which the reader
 * will report or skip, to NULL. */
static int probe(const struct dividing *g, const char *input, bool found,
                 const struct format **f, struct cooc_err *err)
{
    struct cooc_err why = { 0 };
    int rc = reader_probe(input, found, g->many_texts, g->o, g->watch, f, &why);

    if (rc < 0 && (g->o->skip_bad || found) && reader_is_bad(rc)) {
        *f = NULL;
        return 0;
    }
    return rc < 0 ? err_copy(err, &why) : rc;
}

/* Note the format of an input, which has files [first, d->n). */
static int note_format(struct dividing *g, const char *input, size_t first,
                       struct cooc_err *err)
{
    struct division *d = g->d;
    const struct format *f;
    int rc = probe(g, input, false, &f, err);

    if (rc == 0 && first < d->n)
        d->files[first].begins = true;
    if (rc < 0 || !f)
        return rc;
    mix_text(d, f->name);
    if (!d->kind) {
        d->kind = f;
        d->kind_input = input;
    }
    rc = format_compare(f, input, d->kind, d->kind_input, g->o, err);
    for (size_t i = first; i < d->n; i++)
        if (g->o->format || !d->files[i].found)
            d->files[i].format = f;
    g->distinct |= f->cut == CUT_RUNS;
    g->others |= f->cut != CUT_RUNS;
    return rc;
}

static int add_input(struct dividing *g, const char *input,
                     struct cooc_err *err)
{
    size_t first = g->d->n;
    struct stat st;
    int rc;

    mix_text(g->d, input);
    if (!strcmp(input, "-"))
        return err_option(err, COOC_EINVAL, "part",
                          "standard input cannot be divided into parts; save "
                          "it to a file and index the file");
    if (workdir_stat(input, &st) < 0)
        return err_sys(err, "cannot open", input);
    if (S_ISDIR(st.st_mode))
        rc = add_folder(g, input, err);
    else if (S_ISREG(st.st_mode))
        rc = add_file(g, input, (uint64_t)st.st_size, err);
    else
        rc = err_path_option(err, COOC_EINVAL, input, "part",
                             "is neither a file nor a directory, so it cannot "
                             "be divided into parts; save its contents to a "
                             "file and index the file");
    return rc < 0 ? rc : note_format(g, input, first, err);
}

static int list_inputs(struct dividing *g, const char *const *inputs, size_t n,
                       struct cooc_err *err)
{
    const struct cooc_index_options *o = g->o;
    int rc = 0;

    watch_phase(g->watch, "looking at the inputs", "files", 0);
    for (size_t i = 0; i < READING_OPTIONS; i++)
        mix_text(g->d, reading_differs(o, i) ? reading_value(o, i) : NULL);
    if (o->skip_bad) /* no file is cut */
        mix_text(g->d, "skip_bad");
    for (size_t i = 0; i < n && rc == 0; i++)
        rc = add_input(g, inputs[i], err);
    g->d->distinct = g->distinct;
    if (rc == 0 && g->distinct && g->others)
        rc = err_option(err, COOC_EINVAL, "part",
                        "inputs in the format triples cannot be divided into "
                        "parts together with inputs in other formats; index "
                        "them separately and merge the stores");
    return rc;
}

/* ---- boundaries --------------------------------------------------------- */

/* Move *at, which is in the file, to the beginning of the next line. */
static int next_line(const struct share_file *f, uint64_t *at,
                     struct cooc_err *err)
{
    const struct stream_range range = { *at - 1, f->size };
    struct reader_stats stats = { 0 };
    const char *data, *end = NULL;
    struct stream *s;
    size_t len;
    int rc = stream_open_range(&s, f->path, range, &stats, NULL, err);

    if (rc == 0)
        rc = stream_entry(s, err);
    while (rc > 0 && !end && (rc = stream_block(s, &data, &len, err)) > 0) {
        end = memchr(data, '\n', len);
        if (end)
            *at = range.from + stats.bytes - (uint64_t)(data + len - end) + 1;
    }
    if (rc == 0) /* this is the last line */
        *at = f->size;
    stream_close(s);
    return rc < 0 ? rc : 0;
}

/* Move *at, the beginning of a line, to the next line that has another first
 * field than the line before it. */
static int next_run(const struct share_file *f, uint64_t *at, size_t max,
                    struct cooc_err *err)
{
    const struct stream_range range = { *at, f->size };
    struct reader_stats stats = { 0 };
    struct text text = { .max = max };
    struct buf run = { 0 };
    const char *line;
    struct stream *s;
    bool begun = false;
    size_t len;
    int rc = stream_open_range(&s, f->path, range, &stats, NULL, err);

    if (rc == 0)
        rc = stream_entry(s, err);
    if (rc > 0)
        text_begin_raw(&text, s);
    while (rc > 0 && (rc = text_line(&text, &line, &len, err)) > 0) {
        struct scan c = scan_of(line, len), first = scan_before(&c, '\t');
        size_t n = scan_left(&first);

        if (!len)
            ;
        else if (!begun)
            rc = buf_add(&run, first.at, n, err) < 0 ? COOC_ENOMEM : 1;
        else if (n != run.len || (n && memcmp(first.at, run.data, n) != 0))
            break;
        begun |= len > 0;
        *at = range.from + stats.bytes - text.left;
    }
    if (rc == 0 || rc == COOC_ELIMIT) /* the reader reports a long line */
        *at = f->size;
    text_release(&text);
    buf_release(&run);
    stream_close(s);
    return rc < 0 && rc != COOC_ELIMIT ? rc : 0;
}

/* Whether the file can be cut: uncompressed UTF-8, in a format of lines. */
static int can_cut(const struct dividing *g, struct share_file *f, bool *yes,
                   struct cooc_err *err)
{
    struct reader_stats stats = { 0 };
    struct encoding_choice choice;
    struct encoding encoding;
    struct stream *s;
    const char *head;
    size_t len;
    int rc = encoding_choose(&choice, g->o->encoding, err);

    *yes = false;
    if (rc == 0 && !f->format)
        rc = probe(g, f->path, f->found, &f->format, err);
    if (rc < 0 || !f->format || format_cut(f->format, g->o) == CUT_NEVER)
        return rc;
    rc = stream_open_range(&s, f->path,
                           (struct stream_range){ 0, ENCODING_SAMPLE }, &stats,
                           NULL, err);
    if (rc == 0)
        rc = stream_entry(s, err);
    if (rc >= 0)
        rc = stream_peek(s, ENCODING_SAMPLE, &head, &len, err);
    if (rc == 0)
        rc = encoding_find(&encoding, &choice, head, len, err);
    if (rc == 0)
        *yes = magic_detect(head, len) == MAGIC_NONE &&
               !encoding_converts(&encoding);
    stream_close(s);
    return rc;
}

/* The weight of a file. */
static uint64_t weight(const struct share_file *f)
{
    return f->size + FILE_WEIGHT;
}

/* Set *at to a place in file i, at a share of its weight, or at one of its
 * ends. */
static int place_in(const struct dividing *g, size_t i, double share,
                    struct share_place *at, struct cooc_err *err)
{
    struct share_file *f = &g->d->files[i];
    bool yes;
    int rc = can_cut(g, f, &yes, err);

    *at = (struct share_place){ .file = i };
    if (rc == 0 && !yes)
        at->file += share >= 0.5;
    if (rc < 0 || !yes)
        return rc;
    at->byte = (uint64_t)((double)f->size * share);
    if (at->byte > 0 && at->byte < f->size)
        rc = next_line(f, &at->byte, err);
    if (rc == 0 && at->byte > 0 && at->byte < f->size &&
        f->format->cut == CUT_RUNS)
        rc = next_run(f, &at->byte, reader_document_max(g->o), err);
    if (at->byte >= f->size)
        *at = (struct share_place){ .file = i + 1 };
    return rc;
}

/* Find the end of the first k of n shares. */
static int place(const struct dividing *g, uint32_t k, uint32_t n,
                 struct share_place *at, struct cooc_err *err)
{
    const struct division *d = g->d;
    uint64_t total = 0, want, rest;
    size_t i = 0;

    for (size_t j = 0; j < d->n; j++)
        total += weight(&d->files[j]);
    want = total / n * k + total % n * k / n;
    for (rest = want; i < d->n && rest >= weight(&d->files[i]); i++)
        rest -= weight(&d->files[i]);
    if (k == n || i == d->n || rest == 0) {
        *at = (struct share_place){ .file = k == n ? d->n : i };
        return 0;
    }
    return place_in(g, i, (double)rest / (double)weight(&d->files[i]), at,
                    err);
}

int division_make(struct division *d, const char *const *inputs, size_t n,
                  const struct cooc_index_options *o, struct watch *watch,
                  struct cooc_err *err)
{
    struct dividing g = { .d = d, .o = o, .watch = watch,
                          .many_texts = inputs_have_texts(inputs, n) };
    int rc;

    *d = (struct division){ 0 };
    rc = list_inputs(&g, inputs, n, err);
    if (rc == 0)
        rc = place(&g, o->part - 1, o->parts, &d->begin, err);
    if (rc == 0)
        rc = place(&g, o->part, o->parts, &d->end, err);
    if (rc == 0 && d->begin.byte)
        d->files[d->begin.file].from = d->begin.byte;
    if (rc == 0 && d->end.byte)
        d->files[d->end.file].to = d->end.byte;
    return rc;
}

void division_release(struct division *d)
{
    for (size_t i = 0; i < d->n; i++)
        mem_free(d->files[i].path);
    mem_free(d->files);
    *d = (struct division){ 0 };
}

void division_describe(const struct division *d,
                       const struct cooc_index_options *o, struct part_info *p)
{
    p->part = o->part;
    p->parts = o->parts;
    p->inputs = d->inputs;
    p->begin = d->begin;
    p->end = d->end;
    p->distinct = d->distinct;
}
