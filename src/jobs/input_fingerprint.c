/* input_fingerprint.c - make the note before reading, compare it afterwards. */
#include "jobs/input_fingerprint.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/bytes.h"
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/watch.h"
#include "base/workdir.h"
#include "cooc_build.h"
#include "read/read.h"
#include "read/reading.h"
#include "read/walk.h"
#include "store/store.h"

#define NOTE_MAX 4096 /* maximum bytes that are read */

/* One line per hash, all of the same length, so that notes can be
 * compared line by line. */
#define HEAD "{\n  \"counting\": \"cooc " COOC_VERSION "\""
#define HEAD_LINES 2
#define LINE ",\n  \"%s\": \"%016" PRIx64 "\""
#define TAIL "\n}\n"

static const struct {
    const char *name, *differs;
} hashes[] = {
    { "options", "with other options" },
    { "inputs", "from other inputs" },
    { "files", "from inputs that have changed since" },
};
enum { OPTIONS, INPUTS, FILES, HASHES };

struct fingerprinter {
    uint64_t hash[HASHES];
    bool vague; /* an input cannot be identified later */
    struct watch *watch;
    struct buf *record; /* the record of one file, to be hashed */
};

/* Hashes are chained, because there may be any number of files. */
static void mix(uint64_t *hash, const void *data, size_t len)
{
    *hash = XXH3_64bits_withSeed(data, len, *hash);
}

static void mix_text(uint64_t *hash, const char *text)
{
    mix(hash, text ? text : "", text ? strlen(text) + 1 : 0);
}

static void mix_options(uint64_t *hash, const struct cooc_index_options *o)
{
    const char *const texts[] = { o->tokens, o->stop_file, o->stem,
                                  o->thesaurus_file, o->terms_file,
                                  o->phrases_file, o->merge_terms_file };
    const uint64_t numbers[] = { o->keep_case, o->drop_numbers, o->min_length,
                                 o->max_length, o->min_df, o->max_df,
                                 o->top_terms, o->max_doc_terms, o->skip_bad,
                                 o->keep_phrase_words };

    for (size_t i = 0; i < READING_OPTIONS; i++)
        mix_text(hash, reading_value(o, i));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        mix_text(hash, texts[i]);
    mix(hash, numbers, sizeof numbers);
    mix(hash, &o->max_df_share, sizeof o->max_df_share);
}

static int hash_file(struct fingerprinter *n, const char *path,
                     struct cooc_err *err)
{
    struct stat st;
    uint64_t facts[4];
    int rc;

    if (workdir_stat(path, &st) < 0 || !S_ISREG(st.st_mode)) {
        n->vague = true;
        return 0;
    }
    facts[0] = (uint64_t)st.st_size;
    facts[1] = (uint64_t)st.st_ino;
    facts[2] = (uint64_t)st.st_mtim.tv_sec;
    facts[3] = (uint64_t)st.st_mtim.tv_nsec;
    n->record->len = 0;
    rc = buf_add(n->record, path, strlen(path) + 1, err);
    if (rc == 0)
        rc = buf_add(n->record, facts, sizeof facts, err);
    if (rc == 0)
        mix(&n->hash[FILES], n->record->data, n->record->len);
    return rc < 0 ? rc : watch_add(n->watch, 1, 0, 0, err);
}

/* Hash all files of a directory, as the reader will find them. */
static int hash_tree(struct fingerprinter *n, const char *dir,
                     struct cooc_err *err)
{
    struct walk *walk;
    struct reader_stats unused = { 0 };
    const char *path;
    int rc = walk_open(&walk, dir, &unused, NULL, err);

    while (rc == 0 && !n->vague && (rc = walk_next(walk, &path, err)) > 0)
        rc = hash_file(n, path, err);
    walk_close(walk);
    return rc;
}

static int hash_input(struct fingerprinter *n, const char *input,
                      struct cooc_err *err)
{
    struct stat st;

    mix_text(&n->hash[INPUTS], input);
    if (!strcmp(input, "-") || workdir_stat(input, &st) < 0) {
        n->vague = true;
        return 0;
    }
    return S_ISDIR(st.st_mode) ? hash_tree(n, input, err)
                               : hash_file(n, input, err);
}

int input_fingerprint_make(struct buf *fingerprint, const char *const *inputs,
                           size_t many, const struct cooc_index_options *o,
                           struct watch *watch, struct cooc_err *err)
{
    const char *const lists[] = { o->vocab_file, o->stop_file,
                                  o->thesaurus_file, o->terms_file,
                                  o->phrases_file, o->merge_terms_file };
    struct fingerprinter n = { .watch = watch, .record = fingerprint };
    int rc = 0;

    watch_phase(watch, "looking at the inputs", "files", 0);
    mix_options(&n.hash[OPTIONS], o);
    for (size_t i = 0; i < many && rc == 0 && !n.vague; i++)
        rc = hash_input(&n, inputs[i], err);
    for (size_t i = 0; i < sizeof lists / sizeof *lists && rc == 0; i++)
        if (lists[i])
            rc = hash_file(&n, lists[i], err);
    fingerprint->len = 0;
    if (rc == COOC_ENOMEM || rc == COOC_ECANCELLED)
        return rc;
    if (rc < 0 || n.vague) /* the reader will report unreadable inputs */
        return 0;
    rc = buf_printf(fingerprint, err, HEAD);
    for (int i = 0; i < HASHES && rc == 0; i++)
        rc = buf_printf(fingerprint, err, LINE, hashes[i].name, n.hash[i]);
    return rc < 0 ? rc : buf_printf(fingerprint, err, TAIL);
}

int input_fingerprint_write(const struct buf *fingerprint, const char *dir,
                            struct cooc_err *err)
{
    char *path;
    int rc = 0;

    if (!fingerprint->len)
        return 0;
    rc = path_join(&path, dir, INPUT_FINGERPRINT_NAME, err);
    if (rc == 0)
        rc = file_write_atomic(path, fingerprint->data, fingerprint->len, err);
    mem_free(path);
    return rc;
}

/* The text for the first line in which two notes differ; NULL if they cannot be
 * compared by line. */
static const char *difference(const struct buf *a, const struct buf *b)
{
    size_t line = 0;

    if (a->len != b->len)
        return NULL;
    for (size_t i = 0; i < a->len && a->data[i] == b->data[i]; i++)
        line += a->data[i] == '\n';
    return line >= HEAD_LINES && line < HEAD_LINES + HASHES
               ? hashes[line - HEAD_LINES].differs : NULL;
}

int input_fingerprint_matches(const struct buf *fingerprint, const char *dir,
                              bool *matches, const char **differs,
                              struct cooc_err *err)
{
    struct buf there = { 0 };
    struct store s;
    char *path;
    int rc = path_join(&path, dir, INPUT_FINGERPRINT_NAME, err);

    *matches = false;
    *differs = NULL;
    if (rc == 0)
        rc = file_read_own(path, NOTE_MAX, &there, NULL);
    if (rc == 0)
        rc = store_open(&s, dir, false, NULL);
    if (rc == 0) {
        if (s.manifest.counted)
            workdir_unlink(path); /* killed before the note was removed */
        else if (fingerprint->len && fingerprint->len == there.len &&
                 !memcmp(fingerprint->data, there.data, there.len))
            *matches = true;
        else
            *differs = fingerprint->len ? difference(fingerprint, &there)
                                        : hashes[FILES].differs;
        store_close(&s);
    }
    mem_free(path);
    buf_release(&there);
    if (rc == COOC_ENOMEM)
        return err_nomem(err);
    return 0; /* after other errors: not a match */
}

void input_fingerprint_remove(const char *dir)
{
    char *path;

    if (path_join(&path, dir, INPUT_FINGERPRINT_NAME, NULL) == 0)
        workdir_unlink(path);
    mem_free(path);
}
