/* names.c - what the files of an export are called. */
#include "export/names.h"

#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "base/here.h"
#include "base/mem.h"
#include "base/recognise.h"
#include "export/export.h"

static int in_directory(const struct exporter *e, const char *path,
                        char **main, char **side, struct cooc_err *err)
{
    int rc = 0;

    if (recognise_store(path))
        rc = err_set(err, COOC_EEXISTS, "%s is a store; name another place "
                     "for the files of the export", path);
    if (rc == 0 && !e->side)
        rc = err_set(err, COOC_EINVAL, "%s is a directory; name a file in it",
                     path);
    if (rc == 0)
        rc = path_join(main, path, e->file, err);
    if (rc == 0)
        rc = path_join(side, path, e->side, err);
    return rc;
}

/* "dir/news.npz" gives "dir/news.npz.terms.txt", "dir/news.csv" gives
 * "dir/news.nodes.csv". */
static int beside(const struct exporter *e, const char *path, char **side,
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

int names_make(const struct exporter *e, const char *path, char **main,
               char **side, char **dir, struct cooc_err *err)
{
    bool to_stdout = !path || !strcmp(path, "-") ||
                     !strcmp(path, "/dev/stdout");
    struct stat st;
    int rc;

    *main = *side = *dir = NULL;
    if (to_stdout && !(e->flags & EXPORT_TO_PIPE))
        return err_set(err, COOC_EINVAL,
                       "%s cannot go to standard output; add -o FILE",
                       e->name);
    if (to_stdout)
        return path_dir(dir, "", err);
    if (here_stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
        rc = in_directory(e, path, main, side, err);
        if (rc == 0) {
            *dir = mem_dup(path, strlen(path));
            rc = *dir ? 0 : err_nomem(err);
        }
        return rc;
    }
    *main = mem_dup(path, strlen(path));
    rc = *main ? path_dir(dir, path, err) : err_nomem(err);
    if (rc == 0 && e->side)
        rc = beside(e, path, side, err);
    return rc;
}
