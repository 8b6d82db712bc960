/* inputs_list.c - cooc_inputs_list(): all files that a job reads, so that the
 * processes of one job can find out whether they see the same files. */
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/library_alloc.h"
#include "base/sized.h"
#include "base/watch.h"
#include "base/workdir.h"
#include "cooc_parts.h"
#include "read/read.h"
#include "read/walk.h"

struct listing {
    cooc_input_fn file;
    void *self;
    struct watch *watch;
};

static int list_file(struct listing *l, const char *path, struct cooc_err *err)
{
    struct cooc_input_file f = COOC_INPUT_FILE;
    struct stat st;
    int rc;

    f.path = path;
    if (workdir_stat(path, &st) == 0 && S_ISREG(st.st_mode)) {
        f.found = true;
        f.bytes = (uint64_t)st.st_size;
        f.modified = (int64_t)st.st_mtim.tv_sec;
    }
    rc = l->file(l->self, &f, err);
    return rc < 0 ? rc : watch_add(l->watch, 1, 0, 0, err);
}

/* List all files of a directory, as the reader will find them. */
static int list_tree(struct listing *l, const char *dir, struct cooc_err *err)
{
    struct walk *walk;
    struct reader_stats unused = { 0 };
    const char *path;
    int rc = walk_open(&walk, dir, &unused, NULL, err);

    while (rc == 0 && (rc = walk_next(walk, &path, err)) > 0)
        rc = list_file(l, path, err);
    walk_close(walk);
    return rc;
}

static int list_all(struct listing *l, const char *const *inputs, size_t n,
                    const struct cooc_index_options *o, struct cooc_err *err)
{
    const char *const lists[] = { o->vocab_file, o->stop_file,
                                  o->thesaurus_file, o->terms_file };
    struct stat st;
    int rc = 0;

    watch_phase(l->watch, "looking at the inputs", "files", 0);
    for (size_t i = 0; i < n && rc == 0; i++)
        rc = workdir_stat(inputs[i], &st) == 0 && S_ISDIR(st.st_mode)
                 ? list_tree(l, inputs[i], err)
                 : list_file(l, inputs[i], err);
    for (size_t i = 0; i < sizeof lists / sizeof *lists && rc == 0; i++)
        if (lists[i])
            rc = list_file(l, lists[i], err);
    return rc;
}

int cooc_inputs_list(const char *const *inputs, size_t n_inputs,
                     const struct cooc_index_options *options,
                     cooc_input_fn file, void *self, struct cooc_err *err)
{
    struct cooc_index_options o;
    struct listing l = { .file = file, .self = self };
    struct watch watch;
    struct workdir call;
    int rc = sized_read(&o, sizeof o, options, "index options", err);

    if (rc < 0)
        return rc;
    rc = workdir_begin(&call, err);
    if (watch_init(&watch, o.watch, rc < 0 ? NULL : err) < 0 && rc == 0)
        rc = COOC_EINVAL;
    l.watch = &watch;
    if (rc == 0)
        rc = list_all(&l, inputs, n_inputs, &o, err);
    watch_release(&watch);
    workdir_end(&call);
    return rc < 0 ? library_alloc_end(rc, err) : 0;
}
