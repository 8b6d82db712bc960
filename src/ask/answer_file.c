/* answer_file.c - write an answer to a file instead of standard output. */
#include "ask/answer_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/recognise.h"
#include "base/workdir.h"

/* Refuse to write into a store. */
static int check_folder(const char *path, const char *file,
                        struct cooc_err *err)
{
    char *dir;
    int rc = path_dir(&dir, file, err);

    if (rc == 0 && recognise_store(dir))
        rc = err_path(err, COOC_EINVAL, path,
                      "is inside a store; name a file in another directory");
    mem_free(dir);
    return rc;
}

int answer_file_open(struct answer_file *f, const char *path,
                     struct answer *a, struct cooc_err *err)
{
    struct stat st;
    int fd, rc;

    *f = (struct answer_file){ .to_before = a->to, .form_before = a->form };
    if (!path || !strcmp(path, "-"))
        return 0;
    rc = workdir_follow(&f->path, path, err);
    if (rc == 0)
        rc = check_folder(path, f->path, err);
    if (rc < 0)
        return rc;
    if (workdir_stat(f->path, &st) != 0 || S_ISREG(st.st_mode))
        fd = file_create_beside(&f->tmp, f->path);
    else
        fd = workdir_open(f->path, O_WRONLY | O_CLOEXEC, 0);
    f->file = fd < 0 ? NULL : fdopen(fd, "w");
    if (!f->file) {
        rc = err_sys(err, "cannot write", path);
        if (fd >= 0)
            close(fd);
        return rc;
    }
    a->to = f->file;
    if (a->form == OUT_HUMAN)
        a->form = OUT_TSV;
    return 0;
}

/* Write everything to disk, and rename the file. */
static int commit(const struct answer_file *f, struct cooc_err *err)
{
    if (fflush(f->file) != 0 || ferror(f->file) ||
        (f->tmp && fsync(fileno(f->file)) != 0))
        return err_sys(err, "cannot write", f->path);
    if (f->tmp && workdir_rename(f->tmp, f->path, 0) != 0)
        return err_sys(err, "cannot rename to", f->path);
    return 0;
}

int answer_file_close(struct answer_file *f, struct answer *a, int rc,
                      struct cooc_err *err)
{
    if (f->file && rc == 0)
        rc = commit(f, err);
    if (f->file)
        fclose(f->file);
    if (f->tmp && rc < 0)
        workdir_unlink(f->tmp);
    mem_free(f->tmp);
    mem_free(f->path);
    a->to = f->to_before;
    a->form = f->form_before;
    *f = (struct answer_file){ 0 };
    return rc;
}
