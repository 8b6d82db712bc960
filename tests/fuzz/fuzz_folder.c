/* fuzz_folder.c - a folder of arbitrary files in a folder of documents.  If it
 * is a store, finished or not, nothing in it is read and nothing is written
 * into it; otherwise every document in it is read.  Pipes and links in place of
 * the files of a store neither block nor are followed. */
#include "fuzz.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/checked_file.h"
#include "base/recognise.h"
#include "cooc_export.h"
#include "read/read.h"
#include "read/walk.h"

#define ENTRIES 12

enum kind { TEXT, SIGNED, MANIFEST, PIPE, LINK, FOLDER, RAW, KINDS };
/* The meaning of a name, implemented independently of base/. */
enum means { FOREIGN, HIDDEN, FILE_OF_STORE, OLD_TMP, NEW_TMP };

static const struct {
    const char *name;
    enum means means;
} names[] = {
    { "diary.txt", FOREIGN },          { "rows-x.bin", FOREIGN },
    { "terms.bin.bak", FOREIGN },      { ".profile", HIDDEN },
    { ".terms.bin", HIDDEN },          { "manifest.json", FILE_OF_STORE },
    { "terms.bin", FILE_OF_STORE },    { "docs.off", FILE_OF_STORE },
    { "stop.txt", FILE_OF_STORE },     { "rows-0007.bin", FILE_OF_STORE },
    { "counting.json", FILE_OF_STORE }, { "terms.bin.tmp", OLD_TMP },
    { "tmp-stop.txt", OLD_TMP },       { ".forward.bin.tmp", NEW_TMP },
    { ".tmp-thesaurus.txt", NEW_TMP }, { ".manifest.json.tmp", NEW_TMP },
};

struct entry {
    bool there, is_signed;
    enum kind kind;
};

static char *top, *keep, *outside;

static void prepare(void)
{
    top = fuzz_path("documents");
    keep = fuzz_path("documents/keep.txt");
    outside = fuzz_path("outside.txt");
    MUST(mkdir(top, 0777) == 0);
    fuzz_put(keep, "tea", 3);
    fuzz_put(outside, "milk", 4);
}

/* Whether the data is that of a file of this name in a store. */
static bool holds_signature(const char *name, const uint8_t *data, size_t n)
{
    if (!strcmp(name, "manifest.json"))
        return recognise_manifest((const char *)data, n);
    if (!strcmp(name, "counting.json"))
        return false; /* no text below is a note */
    return n >= CHECKED_FILE_FOOTER &&
           !memcmp(data + n - CHECKED_FILE_FOOTER, "coocblob", 8);
}

static void put_entry(struct entry *e, const char *path, const char *name,
                      struct bytes *in)
{
    static const char manifest[] = "{\n  \"format\": \"cooc store\",\n";
    uint8_t data[300] = "tea ";
    size_t n = 4;

    e->there = true;
    e->kind = take_byte(in) % KINDS;
    if (e->kind == RAW && !strcmp(name, "counting.json"))
        e->kind = TEXT;
    if (e->kind == PIPE)
        MUST(mkfifo(path, 0666) == 0);
    else if (e->kind == LINK)
        MUST(symlink(outside, path) == 0);
    else if (e->kind == FOLDER)
        MUST(mkdir(path, 0777) == 0);
    if (e->kind == SIGNED) {
        memcpy(data + n, "coocblob", 8);
        n += CHECKED_FILE_FOOTER;
    } else if (e->kind == MANIFEST) {
        n = strlen(manifest);
        memcpy(data, manifest, n);
    } else if (e->kind == RAW) {
        struct bytes some = take_bytes(in, take_byte(in));

        n = some.n;
        memcpy(data, some.p, n);
    } else if (e->kind != TEXT) {
        return;
    }
    fuzz_put(path, data, n);
    e->is_signed = holds_signature(name, data, n);
}

/* The result that base/recognise.h specifies. */
static bool must_be_store(const struct entry *e, bool part)
{
    bool found = false, foreign = false;

    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        if (!e[i].there)
            continue;
        if (!strcmp(names[i].name, "manifest.json") && e[i].is_signed)
            return true;
        foreign |= names[i].means == FOREIGN;
        found |= (names[i].means == FILE_OF_STORE && e[i].is_signed) ||
                 names[i].means == NEW_TMP ||
                 (names[i].means == OLD_TMP && part);
    }
    return found && !foreign;
}

static size_t must_be_read(const struct entry *e)
{
    size_t n = 0;

    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        n += e[i].there && e[i].kind != PIPE && e[i].kind != FOLDER &&
             names[i].name[0] != '.' &&
             !(names[i].means == FILE_OF_STORE && e[i].is_signed);
    return n;
}

static void check_walk(size_t want)
{
    struct reader_stats stats = { 0 };
    const char *path;
    struct walk *w;
    size_t n = 0;

    MUST(walk_open(&w, top, &stats, NULL, NULL) == 0);
    while (walk_next(w, &path, NULL) > 0)
        n++;
    walk_close(w);
    MUST(n == want + 1);
}

void fuzz_one(const uint8_t *data, size_t size)
{
    struct bytes in = { data, size };
    struct entry e[ARRAY_LEN(names)] = { 0 };
    char *paths[ARRAY_LEN(names)] = { 0 }, *folder, *target;
    bool part, store;
    struct cooc *db;

    if (!top)
        prepare();
    part = take_byte(&in) % 2;
    folder = fuzz_path(part ? "documents/any.part" : "documents/any");
    MUST(mkdir(folder, 0777) == 0);
    for (int i = 0; i < ENTRIES && in.n; i++) {
        size_t which = take_byte(&in) % ARRAY_LEN(names);

        if (e[which].there)
            continue;
        MUST(asprintf(&paths[which], "%s/%s", folder,
                      names[which].name) > 0);
        put_entry(&e[which], paths[which], names[which].name, &in);
    }
    store = must_be_store(e, part);
    MUST(recognise_store(folder) == store);
    check_walk(store ? 0 : must_be_read(e));
    MUST(asprintf(&target, "%s/out.json", folder) > 0);
    MUST(cooc_write_file(target, NULL, 0, NULL) == (store ? COOC_EINVAL : 0));
    MUST(cooc_open(&db, folder, NULL) < 0); /* without blocking */
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        MUST(!e[i].there || remove(paths[i]) == 0);
        free(paths[i]);
    }
    MUST(rmdir(folder) == 0); /* no other files were created */
    free(target);
    free(folder);
}
