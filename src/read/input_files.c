/* input_files.c - walk the inputs, or the files of a share of them. */
#include "read/input_files.h"

#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/recognise.h"
#include "base/workdir.h"
#include "cooc_build.h"
#include "read/read.h"
#include "read/walk.h"

static bool is_stdin(const char *input)
{
    return strcmp(input, "-") == 0;
}

/* Reject a store, or a file of a store, as an input. */
static int refuse_store(const char *input, const struct stat *st,
                        struct cooc_err *err)
{
    if (S_ISDIR(st->st_mode) && recognise_store(input))
        return err_path(err, COOC_EINVAL, input,
                        "is a store, not documents; to combine stores, merge "
                        "them");
    if (S_ISREG(st->st_mode) && recognise_file(input))
        return err_path(err, COOC_EINVAL, input,
                        "is a file of a store, not a document; leave it out");
    return 0;
}

int input_files_check(const struct input_files *f, struct cooc_err *err)
{
    struct stat st;
    bool seen = false;
    int rc = 0;

    if (f->n == 0)
        return err_set(err, COOC_EINVAL,
                       "no input given; give at least one file or directory");
    for (size_t i = 0; i < f->n && rc == 0; i++) {
        if (is_stdin(f->inputs[i])) {
            if (seen)
                return err_set(err, COOC_EINVAL,
                               "standard input (-) is given twice; give it "
                               "once");
            seen = true;
        } else if (workdir_stat(f->inputs[i], &st) < 0)
            return err_sys(err, "cannot open", f->inputs[i]);
        else
            rc = refuse_store(f->inputs[i], &st, err);
    }
    return rc;
}

int input_files_divide(struct input_files *f,
                       const struct cooc_index_options *o, struct watch *watch,
                       struct cooc_err *err)
{
    f->divided = true;
    return division_make(&f->division, f->inputs, f->n, o, watch, err);
}

/* The next file of the share. */
static int next_of_share(struct input_files *f)
{
    const struct division *d = &f->division;
    const struct share_file *file;
    uint64_t i = d->begin.file + f->next;

    if (i == d->end.file + (d->end.byte > 0))
        return 0;
    file = &d->files[i];
    f->begins = f->next++ == 0 || file->begins;
    f->path = f->input = file->path;
    f->found = file->found;
    f->cut = file->from > 0 || file->to != UINT64_MAX;
    f->range = (struct stream_range){ file->from, file->to };
    f->format = f->cut ? file->format : NULL;
    return 1;
}

int input_files_next(struct input_files *f, struct reader_stats *stats,
                     struct cooc_err *err)
{
    if (f->divided)
        return next_of_share(f);
    f->begins = false;
    for (;;) {
        struct stat st;
        int rc;

        if (f->walk) {
            rc = walk_next(f->walk, &f->path, err);
            if (rc != 0)
                return rc;
            walk_close(f->walk);
            f->walk = NULL;
        }
        if (f->next == f->n)
            return 0;
        f->input = f->path = f->inputs[f->next++];
        f->begins = true;
        f->found = !is_stdin(f->input) && workdir_stat(f->input, &st) == 0 &&
                   S_ISDIR(st.st_mode);
        if (!f->found)
            return 1;
        rc = walk_open(&f->walk, f->input, stats, f->watch, err);
        if (rc < 0)
            return rc;
    }
}

void input_files_release(struct input_files *f)
{
    walk_close(f->walk);
    if (f->divided)
        division_release(&f->division);
}
