/* fuzz.c - functions shared by the fuzz targets. */
#include "fuzz.h"

#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "cooc_build.h"

bool fuzz_keeps;
static char *own_dir;

_Noreturn void fuzz_fail(const char *file, int line, const char *what)
{
    dprintf(STDERR_FILENO, "%s:%d: does not hold: %s\n", file, line, what);
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bool prepared; /* the first run prepares for all others */
    long before = mem_live();

    fuzz_one(data, size);
    MUST(mem_live() == before || fuzz_keeps || !prepared);
    prepared = true;
    return 0;
}

static int remove_one(const char *path, const struct stat *st, int kind,
                      struct FTW *at)
{
    (void)st;
    (void)kind;
    (void)at;
    return remove(path);
}

static void remove_dir(void)
{
    nftw(own_dir, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    free(own_dir);
}

const char *fuzz_dir(void)
{
    const char *base = getenv("TMPDIR");

    if (own_dir)
        return own_dir;
    if (!base)
        base = access("/dev/shm", W_OK | X_OK) == 0 ? "/dev/shm" : "/tmp";
    MUST(asprintf(&own_dir, "%s/cooc-fuzz-XXXXXX", base) > 0);
    MUST(mkdtemp(own_dir));
    atexit(remove_dir);
    return own_dir;
}

char *fuzz_path(const char *name)
{
    char *path;

    MUST(asprintf(&path, "%s/%s", fuzz_dir(), name) > 0);
    return path;
}

void fuzz_put(const char *path, const void *data, size_t len)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

    MUST(fd >= 0);
    MUST(!len || write(fd, data, len) == (ssize_t)len);
    close(fd);
}

uint8_t *fuzz_get(const char *path, size_t *len)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    uint8_t *data;
    struct stat st;

    MUST(fd >= 0 && fstat(fd, &st) == 0);
    *len = (size_t)st.st_size;
    data = malloc(*len + 1); /* not NULL for an empty file */
    MUST(data && read(fd, data, *len) == (ssize_t)*len);
    close(fd);
    return data;
}

void fuzz_make_store(const char *store, const char *lines,
                     const struct cooc_index_options *options)
{
    struct cooc_index_options o = *options;
    struct cooc_count_options count = COOC_COUNT_OPTIONS;
    struct cooc_err err = { 0 };
    char *input = fuzz_path("documents.txt");
    const char *const inputs[] = { input };

    fuzz_put(input, lines, strlen(lines));
    o.format = "lines";
    o.threads = 1;
    o.replace = true;
    MUST(cooc_index(inputs, 1, store, &o, NULL, &err) == 0);
    count.rows = COOC_ROWS_FULL; /* so that there is a shard to forge */
    MUST(cooc_count(store, &count, NULL, &err) == 0);
    free(input);
}
