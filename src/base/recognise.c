/* recognise.c - the names and signatures of files of a store. */
#include "base/recognise.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/checked_file.h"
#include "base/file.h"
#include "base/workdir.h"

#define HEAD_MAX 4096 /* bytes of JSON that are read */
#define COUNT_NOTE "counting.json"
#define COUNT_PARTS "counting.parts"

static const char *const names[] = {
    "terms.bin",   "terms.off",    "terms.sort",   "docs.bin",
    "docs.off",    "forward.bin",  "forward.off",  "inverted.bin",
    "inverted.off", "stop.txt",    "thesaurus.txt", "forms.bin",
    "forms.off",   "forms.term",   "forms.num",    "labels.bin",
    "phrases.txt",
    STORE_MANIFEST, COUNT_NOTE, COUNT_PARTS,
};
static const char *const numbered[] = { "rows-", "omitted-" };

/* Whether name[0..len) is the prefix, digits and ".bin". */
static bool is_numbered(const char *name, size_t len, const char *prefix)
{
    const size_t start = strlen(prefix), bin = strlen(".bin");

    if (len <= start + bin || memcmp(name, prefix, start) != 0 ||
        memcmp(name + len - bin, ".bin", bin) != 0)
        return false;
    for (size_t i = start; i < len - bin; i++)
        if (!isdigit((unsigned char)name[i]))
            return false;
    return true;
}

/* Whether name[0..len) is the name of a finished file of a store. */
static bool is_file_name(const char *name, size_t len)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == len && !memcmp(name, names[i], len))
            return true;
    for (size_t i = 0; i < sizeof numbered / sizeof *numbered; i++)
        if (is_numbered(name, len, numbered[i]))
            return true;
    return false;
}

enum store_name recognise_name(const char *name)
{
    bool hidden = *name == '.';
    enum store_name temporary = hidden ? NAME_HIDDEN : NAME_LEFTOVER;
    size_t len = strlen(name += hidden), tmp = strlen(".tmp");
    const char *unique;

    if (!strncmp(name, "tmp-", 4))
        return temporary;
    if (len > tmp && !strcmp(name + len - tmp, ".tmp") &&
        is_file_name(name, len - tmp))
        return temporary;
    unique = hidden ? strstr(name, ".tmp-") : NULL;
    if (unique && is_file_name(name, (size_t)(unique - name)))
        return temporary;
    return !hidden && is_file_name(name, len) ? NAME_FILE : NAME_FOREIGN;
}

/* If text begins with what, return the text after it and after white space;
 * otherwise return NULL. */
static const char *skip_prefix(const char *text, const char *end,
                               const char *what)
{
    size_t len = strlen(what);

    if (!text || (size_t)(end - text) < len || memcmp(text, what, len) != 0)
        return NULL;
    text += len;
    while (text < end && strchr(" \t\r\n", *text) && *text)
        text++;
    return text;
}

/* Whether text is a JSON object with this first member. */
static bool has_first_member(const char *text, size_t len, const char *member,
                             const char *value)
{
    const char *end = text + len;

    text = skip_prefix(text, end, "{");
    text = skip_prefix(text, end, member);
    text = skip_prefix(text, end, ":");
    return skip_prefix(text, end, value) != NULL;
}

bool recognise_manifest(const char *text, size_t len)
{
    return has_first_member(text, len, "\"format\"", "\"cooc store\"");
}

/* Whether an open file has the signature that its name requires. */
static bool has_signature(int fd, const char *name)
{
    bool manifest = !strcmp(name, STORE_MANIFEST);
    char text[HEAD_MAX];
    struct stat st;
    ssize_t n;

    if (fstat(fd, &st) < 0)
        return false;
    if (manifest || !strcmp(name, COUNT_NOTE)) {
        n = pread(fd, text, sizeof text, 0);
        return n > 0 &&
               (manifest ? recognise_manifest(text, (size_t)n)
                         : has_first_member(text, (size_t)n, "\"counting\"",
                                            "\"cooc "));
    }
    if (st.st_size < (off_t)CHECKED_FILE_FOOTER)
        return false;
    n = pread(fd, text, CHECKED_FILE_FOOTER,
              st.st_size - (off_t)CHECKED_FILE_FOOTER);
    return n == (ssize_t)CHECKED_FILE_FOOTER &&
           !memcmp(text, CHECKED_FILE_MAGIC, strlen(CHECKED_FILE_MAGIC));
}

static bool is_signed(int dir, const char *path, const char *name)
{
    bool is;
    int fd;

    if (file_open_own(&fd, dir, path, NULL) < 0)
        return false;
    is = has_signature(fd, name);
    close(fd);
    return is;
}

bool recognise_file(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

    return recognise_name(name) == NAME_FILE &&
           is_signed(AT_FDCWD, path, name);
}

static bool is_part(const char *path)
{
    size_t len = strlen(path), part = strlen(".part");

    while (len > 1 && path[len - 1] == '/')
        len--;
    return len > part && !memcmp(path + len - part, ".part", part);
}

/* Whether a directory without a manifest contains files of an unfinished store
 * and no file that a reader would read. */
static bool is_unfinished(DIR *dir, bool part)
{
    bool found = false;
    struct dirent *e;

    while ((e = readdir(dir)) != NULL)
        switch (recognise_name(e->d_name)) {
        case NAME_FILE:
            found = found || is_signed(dirfd(dir), e->d_name, e->d_name);
            break;
        case NAME_LEFTOVER:
            found = found || part;
            break;
        case NAME_HIDDEN:
            found = true;
            break;
        case NAME_FOREIGN:
            if (e->d_name[0] != '.')
                return false;
        }
    return found;
}

bool recognise_store_at(int fd, const char *path)
{
    bool is = is_signed(fd, STORE_MANIFEST, STORE_MANIFEST);
    int again = is ? -1 : openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = again >= 0 ? fdopendir(again) : NULL;

    if (dir) {
        is = is_unfinished(dir, is_part(path));
        closedir(dir);
    } else if (again >= 0) {
        close(again);
    }
    return is;
}

bool recognise_store(const char *path)
{
    int fd = workdir_open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    bool is = fd >= 0 && recognise_store_at(fd, path);

    if (fd >= 0)
        close(fd);
    return is;
}
