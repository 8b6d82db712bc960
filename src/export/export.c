/* export.c - cooc_export() and cooc_export_to(): the steps of an export, which
 * are the same for every format. */
#include "export/export.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "base/library_alloc.h"
#include "base/mem.h"
#include "base/recognise.h"
#include "base/sized.h"
#include "base/workdir.h"
#include "cooc_export.h"

#define MEMORY_MIN ((uint64_t)64 << 20)

/* The target of an export: a callback, or path if there is none. */
struct target {
    const char *path;
    cooc_write_fn write;
    void *self;
};

/* The files of a target. */
struct names {
    char *main; /* NULL: standard output or a callback */
    char *side; /* NULL: the format has one file */
    char *dir;  /* for temporary files, unless the options name another */
};

#define EXPORTER_ADDRESS(name) &export_##name,

static const struct exporter *const exporters[] = {
    EXPORT_FORMATS(EXPORTER_ADDRESS)
};

enum { EXPORTERS = sizeof exporters / sizeof *exporters };

const char *cooc_export_format_get(unsigned i, const char **summary)
{
    if (i >= EXPORTERS)
        return NULL;
    if (summary)
        *summary = exporters[i]->summary;
    return exporters[i]->name;
}

static int find_format(const char *name, const struct exporter **out,
                       struct cooc_err *err)
{
    for (size_t i = 0; i < EXPORTERS; i++)
        if (!name || !strcmp(exporters[i]->name, name)) {
            *out = exporters[i];
            return 0;
        }
    return err_option(err, COOC_EINVAL, "format", "unknown export format '%s'",
                      name);
}

/* COOC_EINVAL if an option is about pairs, but the format has none. */
static int refuse_pairs(const struct export_job *j, struct cooc_err *err)
{
    const struct cooc_export_options *o = j->o;
    const struct cooc_scoring *by = &o->scoring;
    const struct {
        bool is_set;
        const char *option;
    } about_pairs[] = {
        { o->shape, "shape" },
        { by->measure && strcmp(by->measure->name, "count") != 0, "scoring" },
        { o->diagonal, "diagonal" },
        { o->like1, "like1" },
        { o->like2, "like2" },
        { o->min_count > 1, "min_count" },
        { o->has_min_score, "min_score" },
        { o->per_node, "per_node" },
        { o->top_edges, "top_edges" },
        { o->nodes, "nodes" },
    };

    for (size_t i = 0; i < sizeof about_pairs / sizeof *about_pairs; i++)
        if (about_pairs[i].is_set)
            return err_option(err, COOC_EINVAL, about_pairs[i].option,
                              "%s contains the documents of each term, but no "
                              "pairs; leave the option about pairs out",
                              j->format->name);
    return 0;
}

static int check_options(const struct export_job *j, struct cooc_err *err)
{
    const struct cooc_export_options *o = j->o;
    unsigned flags = j->format->flags;

    if (o->shape < COOC_SHAPE_DEFAULT || o->shape > COOC_SHAPE_SYMMETRIC)
        return err_option(err, COOC_EINVAL, "shape", "unknown shape %d",
                          (int)o->shape);
    if (j->format->write && refuse_pairs(j, err) < 0)
        return COOC_EINVAL;
    if (o->shape && !(flags & (EXPORT_EITHER | EXPORT_BOTH)))
        return err_option(err, COOC_EINVAL, "shape",
                          "%s cannot be triangular or symmetric, because it "
                          "contains each pair once; use the format of a table "
                          "or matrix", j->format->name);
    if (o->memory && o->memory < MEMORY_MIN)
        return err_option(err, COOC_EINVAL, "memory",
                          "memory must be at least 64 MiB for an export");
    if (o->tmpdir && recognise_store(o->tmpdir))
        return err_path_option(err, COOC_EINVAL, o->tmpdir, "tmpdir",
                               "is a store; name another directory for "
                               "temporary files");
    return 0;
}

int export_label(const struct export_job *j, uint32_t id, enum label kind,
                 struct buf *to, struct cooc_err *err)
{
    const char *name;
    size_t len;
    int rc = selection_term(&j->sel, id, &name, &len, err);

    return rc == 0 ? label_add(to, kind, name, len, err) : rc;
}

int export_terms(const struct export_job *j, struct sink *to,
                 struct cooc_err *err)
{
    struct buf line = { 0 };
    int rc = 0;

    for (uint32_t id = 0; id < j->sel.n && rc == 0; id++) {
        line.len = 0;
        rc = export_label(j, id, LABEL_TSV, &line, err);
        if (rc == 0)
            rc = buf_byte(&line, '\n', err);
        if (rc == 0)
            rc = sink_add(to, line.data, line.len, err);
    }
    buf_release(&line);
    return rc;
}

/* Whether each pair is written in both rows.  Formats that can mark a matrix as
 * symmetric need only half of it. */
static bool both_rows(const struct export_job *j)
{
    unsigned flags = j->format->flags;

    if (flags & EXPORT_HALF)
        return j->o->shape != COOC_SHAPE_TRIANGLE &&
               scorer_directed(&j->sel.by);
    return j->o->shape == COOC_SHAPE_SYMMETRIC ||
           (!j->o->shape && flags & EXPORT_BOTH);
}

/* Compute what the format needs to know before the first byte is written. */
static int survey(struct export_job *j, struct cooc_err *err)
{
    struct selection *s = &j->sel;
    unsigned flags = j->format->flags;
    int rc = 0;

    j->symmetric = both_rows(j);
    s->pairs = s->db->store.manifest.pairs;
    if (j->symmetric || flags & (EXPORT_SURVEYED | EXPORT_NETWORK) ||
        (flags & EXPORT_COUNTED &&
         (!selection_is_all(s) || s->n < s->db->store.manifest.terms))) {
        s->pairs = 0;
        rc = selection_survey(s, flags & EXPORT_NETWORK, j->symmetric, err);
    }
    j->entries = s->pairs * (j->symmetric ? 2 : 1) +
                 (j->o->diagonal ? s->n : 0);
    return rc;
}

static int take_output(void *self, const struct output *from,
                       struct cooc_err *err)
{
    struct export_job *j = self;

    j->written += from->entries;
    return sink_add(&j->main, from->buf[0], output_used(from, 0), err);
}

static int write_rows(struct export_job *j, struct cooc_err *err)
{
    const struct exporter *e = j->format;
    unsigned flags = e->flags;
    struct walk w = { .phase = "exporting", .diagonal = j->o->diagonal,
                      .fn = e->row, .format = e->format, .seal = e->seal,
                      .take = e->take ? e->take : take_output,
                      .streams = e->streams, .self = j };

    if (!j->sel.plain_count)
        w.direction = j->symmetric || flags & EXPORT_FROM_ROW
                          ? FROM_ROW
                          : FROM_FREQUENT;
    if (j->sel.list && flags & EXPORT_ANY_ORDER)
        return selection_walk_list(&j->sel, &w, j->symmetric, err);
    if (j->symmetric)
        return symmetric_walk(&j->sel, &w, j->tmpdir, err);
    return selection_walk(&j->sel, &w, err);
}

/* Two files cannot be replaced in one step, and an old matrix with new terms
 * would be silently wrong.  So the old matrix is removed first, and the new
 * matrix gets its name last: if it exists, both files are complete and of the
 * same export. */
static int commit_files(struct export_job *j, struct cooc_err *err)
{
    int rc = j->side.path ? sink_clear(&j->main, err) : 0;

    if (rc == 0)
        rc = sink_commit(&j->side, err);
    return rc < 0 ? rc : sink_commit(&j->main, err);
}

static int write_pairs(struct export_job *j, struct cooc_err *err)
{
    const struct exporter *e = j->format;
    int rc = survey(j, err);

    if (rc == 0 && e->begin)
        rc = e->begin(j, err);
    if (rc == 0)
        rc = write_rows(j, err);
    return rc == 0 && e->end ? e->end(j, err) : rc;
}

static int write_files(struct export_job *j, struct cooc_err *err)
{
    int rc = j->format->write ? j->format->write(j, err) : write_pairs(j, err);

    if (rc == 0)
        rc = sink_finish(&j->side, err);
    if (rc == 0)
        rc = sink_finish(&j->main, err);
    return rc < 0 ? rc : commit_files(j, err);
}

static void fill_report(const struct export_job *j, const struct names *names,
                        struct cooc_export_report *report)
{
    const char *unnamed = j->main.write ? "" : "-";

    report->format = j->format->name;
    report->network = j->format->flags & EXPORT_NETWORK;
    report->cells = j->symmetric || j->o->diagonal;
    report->terms = j->sel.n;
    report->index = j->format->write;
    report->documents = j->documents;
    *(report->index ? &report->postings : &report->pairs) = j->written;
    report->bytes = j->main.written + j->side.written;
    snprintf(report->file, sizeof report->file, "%s",
             names->main ? names->main : unnamed);
    snprintf(report->side_file, sizeof report->side_file, "%s",
             names->side ? names->side : "");
}

/* ---- files ----------------------------------------------------------- */

static int in_directory(const struct exporter *e, const char *path,
                        struct names *out, struct cooc_err *err)
{
    int rc = 0;

    if (recognise_store(path))
        rc = err_path(err, COOC_EEXISTS, path,
                      "is a store; name another directory for the exported "
                      "files");
    if (rc == 0 && !e->side)
        rc = err_path(err, COOC_EINVAL, path,
                      "is a directory; name a file in it");
    if (rc == 0)
        rc = path_join(&out->main, path, e->file, err);
    if (rc == 0)
        rc = path_join(&out->side, path, e->side, err);
    return rc;
}

/* "dir/news.npz" gives "dir/news.npz.terms.txt", "dir/news.csv" gives
 * "dir/news.nodes.csv". */
static int side_path(const struct exporter *e, const char *path, char **side,
                     struct cooc_err *err)
{
    size_t n = strlen(path), m = strlen(e->ending);
    struct buf name = { 0 };
    int rc;

    if (n > m && !strcmp(path + n - m, e->ending) && path[n - m - 1] != '/')
        n -= m;
    rc = buf_printf(&name, err, "%.*s%s", (int)n, path, e->side_ending);
    *side = name.data;
    return rc;
}

/* Check that the format can be written as one sequential stream, as callbacks
 * and open descriptors require. */
static int need_stream(const struct exporter *e, const char *what,
                       struct cooc_err *err)
{
    if (e->flags & EXPORT_TO_PIPE)
        return 0;
    return err_set(err, COOC_EINVAL,
                   "format %s cannot be written to %s because it is not a "
                   "single stream; name a file", e->name, what);
}

/* Name the files if path is a file; it is the first if the format has two. */
static int name_with_side(const struct exporter *e, const char *path,
                          struct names *out, struct cooc_err *err)
{
    int rc;

    out->main = mem_dup(path, strlen(path));
    rc = out->main ? 0 : err_nomem(err);
    if (rc == 0 && e->side)
        rc = side_path(e, path, &out->side, err);
    return rc;
}

/* Name the files for a path given by the user.  In a directory, the files have
 * the format's own names; otherwise path is the first file, and the second one,
 * if the format has two, is named after it.  For standard output and
 * descriptors, temporary files are created in the working directory. */
static int name_files(const struct exporter *e, const char *path,
                      struct names *out, struct cooc_err *err)
{
    bool to_stdout = !path || !strcmp(path, "-") ||
                     !strcmp(path, "/dev/stdout");
    struct stat st;
    int rc;

    if (to_stdout && !(e->flags & EXPORT_TO_PIPE))
        return err_set(err, COOC_EINVAL,
                       "format %s cannot be written to standard output; name "
                       "a file", e->name);
    if (to_stdout)
        return path_dir(&out->dir, "", err);
    if (workdir_stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
        rc = in_directory(e, path, out, err);
    } else if (sink_is_descriptor(path)) {
        rc = need_stream(e, path, err);
        if (rc == 0)
            rc = name_with_side(e, path, out, err);
        return rc < 0 ? rc : path_dir(&out->dir, "", err);
    } else {
        rc = name_with_side(e, path, out, err);
    }
    return rc < 0 ? rc : path_dir(&out->dir, out->main, err);
}

static int name_target(const struct exporter *e, const struct target *to,
                       const struct cooc *db, struct names *out,
                       struct cooc_err *err)
{
    int rc;

    if (!to->write)
        return name_files(e, to->path, out, err);
    rc = need_stream(e, "a callback", err);
    if (rc < 0)
        return rc;
    out->dir = mem_dup(db->dir, strlen(db->dir));
    return out->dir ? 0 : err_nomem(err);
}

/* Open the files before the long work starts, so that a path that cannot be
 * written is reported at once. */
static int open_files(struct export_job *j, const struct target *to,
                      const struct names *names, struct watch *watch,
                      struct cooc_err *err)
{
    int rc = to->write
                 ? sink_open_callback(&j->main, to->write, to->self, err)
                 : sink_open(&j->main, names->main, err);

    if (rc == 0 && names->side)
        rc = sink_open(&j->side, names->side, err);
    j->main.watch = j->side.watch = watch;
    if (rc == 0 && j->format->state_size) {
        j->state = mem_zarray(1, j->format->state_size);
        rc = j->state ? 0 : err_nomem(err);
    }
    return rc;
}

/* ---- from start to end ------------------------------------------------- */

static int run_job(struct export_job *j, struct cooc *db,
                   const struct target *to, struct watch *watch,
                   struct cooc_export_report *report, struct cooc_err *err)
{
    struct names names = { 0 };
    int rc = find_format(j->o->format, &j->format, err);

    if (rc == 0)
        rc = check_options(j, err);
    if (rc == 0 && !j->format->write && !db->store.manifest.counted)
        rc = err_path(err, COOC_ENOTCOUNTED, db->dir,
                      "the pairs of this store are not counted yet");
    if (rc == 0)
        rc = name_target(j->format, to, db, &names, err);
    j->tmpdir = j->o->tmpdir ? j->o->tmpdir : names.dir;
    if (rc == 0)
        rc = open_files(j, to, &names, watch, err);
    if (rc == 0)
        rc = selection_open(&j->sel, db, j->o, watch, err);
    if (rc == 0)
        rc = write_files(j, err);
    if (rc == 0)
        fill_report(j, &names, report);
    if (j->main.stopped)
        rc = j->main.stopped;
    if (j->state && j->format->release)
        j->format->release(j);
    selection_release(&j->sel);
    sink_release(&j->main);
    sink_release(&j->side);
    mem_free(j->state);
    mem_free(names.main);
    mem_free(names.side);
    mem_free(names.dir);
    return rc;
}

static int export_to(struct cooc *db, const struct target *to,
                     const struct cooc_export_options *options,
                     struct cooc_export_report *report, struct cooc_err *err)
{
    struct cooc_export_options o;
    struct cooc_export_report own = { 0 };
    struct export_job j = { .o = &o, .main = SINK_CLOSED,
                            .side = SINK_CLOSED };
    struct watch watch;
    struct workdir workdir;
    int rc = sized_read(&o, sizeof o, options, "export options", err);

    if (rc == 0)
        rc = sized_check(report, "export report", err);
    if (rc < 0)
        return rc;
    o.min_count = o.min_count ? o.min_count : 1;
    rc = workdir_begin(&workdir, err);
    if (watch_init(&watch, o.watch, rc < 0 ? NULL : err) < 0 && rc == 0)
        rc = COOC_EINVAL;
    if (rc == 0)
        rc = run_job(&j, db, to, &watch, &own, err);
    watch_release(&watch);
    workdir_end(&workdir);
    if (rc < 0) /* files that were committed are a success */
        rc = library_alloc_end(rc, err);
    sized_write(report, &own, sizeof own);
    return rc;
}

int cooc_export(struct cooc *db, const char *path,
                const struct cooc_export_options *options,
                struct cooc_export_report *report, struct cooc_err *err)
{
    struct target to = { .path = path };

    return export_to(db, &to, options, report, err);
}

int cooc_export_to(struct cooc *db, cooc_write_fn write, void *self,
                   const struct cooc_export_options *options,
                   struct cooc_export_report *report, struct cooc_err *err)
{
    struct target to = { .write = write, .self = self };

    if (!write)
        return err_set(err, COOC_EINVAL, "write must not be NULL");
    err_clear(err);
    return export_to(db, &to, options, report, err);
}
