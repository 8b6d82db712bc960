/* count_note.c - made before the inputs are read, compared afterwards. */
#include "jobs/count_note.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/bytes.h"
#include "base/err.h"
#include "base/file.h"
#include "base/here.h"
#include "base/mem.h"
#include "base/watch.h"
#include "read/read.h"
#include "read/walk.h"
#include "store/store.h"

#define NOTE_MAX 4096 /* bytes that are looked at */

/* A line for each hash, all of one length: so notes are compared by line. */
#define HEAD "{\n  \"counting\": \"cooc " COOC_VERSION "\""
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

struct noting {
    uint64_t hash[HASHES];
    struct buf record;
    struct watch *watch;
};

/* Hashes are chained, since there may be any number of files. */
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
    const char *const texts[] = { o->format, o->encoding, o->text_fields,
                                  o->id_field, o->vocab_file, o->separators,
                                  o->tokens, o->stop_file, o->stem,
                                  o->thesaurus_file, o->terms_file };
    const uint64_t numbers[] = { o->zero_based, o->keep_case, o->drop_numbers,
                                 o->min_length, o->max_length, o->min_df,
                                 o->max_df, o->top_terms, o->max_doc_terms };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        mix_text(hash, texts[i]);
    mix(hash, numbers, sizeof numbers);
    mix(hash, &o->max_df_share, sizeof o->max_df_share);
}

/* 1: noted; 0: nothing to hold on to. */
static int note_file(struct noting *n, const char *path, struct cooc_err *err)
{
    struct stat st;
    uint64_t facts[4];
    int rc;

    if (here_stat(path, &st) < 0 || !S_ISREG(st.st_mode))
        return 0;
    facts[0] = (uint64_t)st.st_size;
    facts[1] = (uint64_t)st.st_ino;
    facts[2] = (uint64_t)st.st_mtim.tv_sec;
    facts[3] = (uint64_t)st.st_mtim.tv_nsec;
    n->record.len = 0;
    rc = buf_add(&n->record, path, strlen(path) + 1, err);
    if (rc == 0)
        rc = buf_add(&n->record, facts, sizeof facts, err);
    if (rc == 0)
        rc = watch_add(n->watch, 1, 0, 0, err);
    if (rc < 0)
        return rc;
    mix(&n->hash[FILES], n->record.data, n->record.len);
    return 1;
}

/* All files of a directory, as the reader will find them. */
static int note_tree(struct noting *n, const char *dir, struct cooc_err *err)
{
    struct walk *walk;
    struct reader_stats unused = { 0 };
    const char *path;
    bool ended = false;
    int rc = walk_open(&walk, dir, &unused, err);

    if (rc == 0)
        do {
            rc = walk_next(walk, &path, err);
            ended = rc == 0;
            if (rc > 0)
                rc = note_file(n, path, err);
        } while (rc > 0);
    walk_close(walk);
    return ended ? 1 : rc;
}

static int note_input(struct noting *n, const char *input,
                      struct cooc_err *err)
{
    struct stat st;

    mix_text(&n->hash[INPUTS], input);
    if (!strcmp(input, "-") || here_stat(input, &st) < 0)
        return 0;
    return S_ISDIR(st.st_mode) ? note_tree(n, input, err)
                               : note_file(n, input, err);
}

static int note_all(struct noting *n, const char *const *inputs, size_t many,
                    const struct cooc_index_options *o, struct cooc_err *err)
{
    const char *const lists[] = { o->vocab_file, o->stop_file,
                                  o->thesaurus_file, o->terms_file };
    int rc = 1;

    mix_options(&n->hash[OPTIONS], o);
    for (size_t i = 0; i < many && rc > 0; i++)
        rc = note_input(n, inputs[i], err);
    for (size_t i = 0; i < sizeof lists / sizeof *lists && rc > 0; i++)
        if (lists[i])
            rc = note_file(n, lists[i], err);
    return rc;
}

int count_note_make(struct buf *note, const char *const *inputs, size_t many,
                    const struct cooc_index_options *o, struct watch *watch,
                    struct cooc_err *err)
{
    struct noting n = { .watch = watch };
    int rc;

    note->len = 0;
    watch_phase(watch, "looking at the inputs", "files", 0);
    rc = note_all(&n, inputs, many, o, err);
    buf_release(&n.record);
    if (rc == COOC_ENOMEM || rc == COOC_ECANCELLED)
        return rc;
    if (rc <= 0) /* what cannot be read, the reader will tell */
        return 0;
    rc = buf_printf(note, err, HEAD);
    for (int i = 0; i < HASHES && rc == 0; i++)
        rc = buf_printf(note, err, LINE, hashes[i].name, n.hash[i]);
    return rc < 0 ? rc : buf_printf(note, err, TAIL);
}

int count_note_write(const struct buf *note, const char *dir,
                     struct cooc_err *err)
{
    char *path;
    int rc = 0;

    if (!note->len)
        return 0;
    rc = path_join(&path, dir, COUNT_NOTE_NAME, err);
    if (rc == 0)
        rc = file_write_atomic(path, note->data, note->len, err);
    mem_free(path);
    return rc;
}

/* The first line of two notes that is not the same; NULL if they cannot be
 * compared like that. */
static const char *difference(const struct buf *a, const struct buf *b)
{
    size_t at = strlen(HEAD);

    if (a->len != b->len || memcmp(a->data, b->data, at) != 0)
        return NULL;
    for (int i = 0; i < HASHES; i++) {
        size_t len = strlen(",\n  \"\": \"\"") + strlen(hashes[i].name) + 16;

        if (memcmp(a->data + at, b->data + at, len) != 0)
            return hashes[i].differs;
        at += len;
    }
    return NULL;
}

/* Whether dir's note is there, into *there, beside a store. */
static int open_noted(struct buf *there, struct store *s, const char *dir,
                      const char *path)
{
    int rc = file_read_own(path, NOTE_MAX, there, NULL);

    return rc < 0 ? rc : store_open_documents(s, dir, NULL);
}

int count_note_fits(const struct buf *note, const char *dir, bool *fits,
                    const char **differs, struct cooc_err *err)
{
    struct buf there = { 0 };
    struct store s;
    char *path;
    int rc = path_join(&path, dir, COUNT_NOTE_NAME, err);

    *fits = false;
    *differs = NULL;
    if (rc == 0)
        rc = open_noted(&there, &s, dir, path);
    if (rc == 0) {
        if (s.manifest.counted)
            here_unlink(path); /* killed between manifest and this */
        else if (note->len && note->len == there.len &&
                 !memcmp(note->data, there.data, there.len))
            *fits = true;
        else
            *differs = note->len ? difference(note, &there)
                                 : hashes[FILES].differs;
        store_close(&s);
    }
    mem_free(path);
    buf_release(&there);
    if (rc == COOC_ENOMEM)
        return err_nomem(err);
    return 0; /* and if it failed otherwise: there is nothing like it */
}

void count_note_remove(const char *dir)
{
    char *path;

    if (path_join(&path, dir, COUNT_NOTE_NAME, NULL) == 0)
        here_unlink(path);
    mem_free(path);
}
